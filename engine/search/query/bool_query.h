// Queries combined: all of, none of, some of.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_BOOL_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_BOOL_QUERY_H_

#include <string>
#include <vector>

#include "engine/search/query/query.h"

namespace curlew::search {

// Scores the sum of the matching `must` and `should` clauses times the boost; must_not alone scores
// 0, no clause at all matches everything with the boost as score. Without must and filter at least
// one should has to match, unless minimum_should_match says otherwise. More than
// indices.query.bool.max_clause_count (1,024) clauses in the whole tree are refused.
struct BoolQueryOptions {
  std::vector<QueryPtr> must;
  std::vector<QueryPtr> must_not;
  std::vector<QueryPtr> should;
  std::vector<QueryPtr> filter;
  std::string minimum_should_match;  // as in MatchQueryOptions
  bool adjust_pure_negative = true;  // must_not alone matches all others (false: nothing)
  float boost = 1.0f;
};
QueryPtr NewBoolQuery(BoolQueryOptions options);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_BOOL_QUERY_H_
