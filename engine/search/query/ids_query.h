// Documents by their ids.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_IDS_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_IDS_QUERY_H_

#include <string>
#include <vector>

#include "engine/search/query/query.h"

namespace curlew::search {

// Scores the boost.
QueryPtr NewIdsQuery(std::vector<std::string> ids, float boost = 1.0f);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_IDS_QUERY_H_
