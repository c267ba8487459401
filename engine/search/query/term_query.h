// Documents whose field holds one exact value.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_TERM_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_TERM_QUERY_H_

#include <string>

#include "engine/mapping/query_value.h"
#include "engine/search/query/query.h"

namespace curlew::search {

// By the field's kind: text and keyword look up the term as it is given (keyword scores the boost,
// text and boolean BM25), numbers and dates match the column and score the boost. An unmapped field
// matches nothing. A value that the field cannot hold is a query_shard_exception naming both.
struct TermQueryOptions {
  std::string field;
  mapping::QueryValue value;      // never null
  bool case_insensitive = false;  // ASCII only
  float boost = 1.0f;
};
QueryPtr NewTermQuery(TermQueryOptions options);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_TERM_QUERY_H_
