// Documents whose field holds one of several exact values.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_TERMS_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_TERMS_QUERY_H_

#include <string>
#include <vector>

#include "engine/mapping/query_value.h"
#include "engine/search/query/query.h"

namespace curlew::search {

// Scores the boost. At most index.max_terms_count (65,536) values.
struct TermsQueryOptions {
  std::string field;
  std::vector<mapping::QueryValue> values;
  float boost = 1.0f;
};
QueryPtr NewTermsQuery(TermsQueryOptions options);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_TERMS_QUERY_H_
