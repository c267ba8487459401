// Documents that have a value in a field.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_EXISTS_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_EXISTS_QUERY_H_

#include <string>

#include "engine/search/query/query.h"

namespace curlew::search {

// Scores the boost. An object exists when one of its fields does; `field` may be a pattern with
// `*`.
QueryPtr NewExistsQuery(std::string field, float boost = 1.0f);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_EXISTS_QUERY_H_
