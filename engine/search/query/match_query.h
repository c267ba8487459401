// Full text: the analysed words of a text, any or all of them; and phrases.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_MATCH_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_MATCH_QUERY_H_

#include <cstdint>
#include <optional>
#include <string>

#include "engine/mapping/query_value.h"
#include "engine/search/query/query.h"

namespace curlew::search {

enum class Operator : uint8_t { kOr, kAnd };
// What a text without any words matches.
enum class ZeroTerms : uint8_t { kNone, kAll };

// On a text field the query text is analysed by the search analyzer (or `analyzer`) and its words
// are joined by the operator; a single word is a plain term. On other fields the value is one term.
// An unmapped field matches nothing.
struct MatchQueryOptions {
  std::string field;
  mapping::QueryValue query;
  std::string analyzer;  // empty = the field's
  Operator op = Operator::kOr;
  // How many of the words must match (kOr): a number, negative = all but so many; a percentage or a
  // combination as OpenSearch spells them ("75%", "2<-25%"); empty = one.
  std::string minimum_should_match;
  ZeroTerms zero_terms = ZeroTerms::kNone;
  bool lenient = false;  // a value the field cannot hold matches nothing instead of failing
  float boost = 1.0f;
};
QueryPtr NewMatchQuery(MatchQueryOptions options);

// The words in exactly this order and distance (slop 0). Refused on fields without positions.
struct MatchPhraseQueryOptions {
  std::string field;
  mapping::QueryValue query;
  std::string analyzer;
  int slop = 0;  // only 0 is served yet
  ZeroTerms zero_terms = ZeroTerms::kNone;
  float boost = 1.0f;
};
QueryPtr NewMatchPhraseQuery(MatchPhraseQueryOptions options);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_MATCH_QUERY_H_
