// Every document, or none.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_MATCH_ALL_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_MATCH_ALL_QUERY_H_

#include "engine/search/query/query.h"

namespace curlew::search {

// Scores the boost.
QueryPtr NewMatchAllQuery(float boost = 1.0f);
QueryPtr NewMatchNoneQuery();

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_MATCH_ALL_QUERY_H_
