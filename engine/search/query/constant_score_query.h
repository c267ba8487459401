// A filter that scores a constant.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_CONSTANT_SCORE_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_CONSTANT_SCORE_QUERY_H_

#include "engine/search/query/query.h"

namespace curlew::search {

// Every document of `filter` scores `boost`.
QueryPtr NewConstantScoreQuery(QueryPtr filter, float boost = 1.0f);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_CONSTANT_SCORE_QUERY_H_
