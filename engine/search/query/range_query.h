// Documents whose field lies between two bounds.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_RANGE_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_RANGE_QUERY_H_

#include <optional>
#include <string>

#include "engine/mapping/query_value.h"
#include "engine/search/query/query.h"

namespace curlew::search {

// Scores the boost. Numbers, dates and booleans by their columns, keywords and text by the order of
// their terms (bytes). An unset bound is open.
struct RangeQueryOptions {
  std::string field;
  std::optional<mapping::RangeBound> lower;
  std::optional<mapping::RangeBound> upper;
  std::string format;     // dates; empty = the field's
  std::string time_zone;  // dates; empty = UTC
  float boost = 1.0f;
};
QueryPtr NewRangeQuery(RangeQueryOptions options);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_RANGE_QUERY_H_
