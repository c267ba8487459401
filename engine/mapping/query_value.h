// Values as queries give them, turned into what a field's index holds. Functions for any thread.
#ifndef CURLEW_ENGINE_MAPPING_QUERY_VALUE_H_
#define CURLEW_ENGINE_MAPPING_QUERY_VALUE_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "engine/mapping/field.h"

namespace curlew::mapping {

// A value of a request: null, boolean, signed, unsigned, fractions, text. A float is kept as one
// because its text is another than that of the double it equals: 1.1 and 1.100000023841858.
using QueryValue =
    std::variant<std::monostate, bool, int64_t, uint64_t, float, double, std::string>;

// The number in a float or double; none for everything else.
std::optional<double> AsFraction(const QueryValue& value);

// As Java would print it (what OpenSearch makes of a number where a string is wanted), e.g. 3.0.
std::string QueryValueToString(const QueryValue& value);

// The column value that equals `value` in a numeric, boolean or date field. nullopt: no document
// can match (a fraction on an integer field). Errors: the text is no number, out of range, ... as
// OpenSearch: they name field and value. A date stands for a span: see DateSpan.
absl::StatusOr<std::optional<int64_t>> ExactNumber(const MappedField& field,
                                                   const QueryValue& value);

// A range on a column: both ends inclusive. first > last = nothing matches.
struct NumberRange {
  int64_t first = std::numeric_limits<int64_t>::min();
  int64_t last = std::numeric_limits<int64_t>::max();
};

struct RangeBound {
  QueryValue value;
  bool inclusive = true;
};

// Bounds in terms of the field's column, by OpenSearch's rules per type: integers round fractions
// to the inside; dates with missing parts cover them by the rules of dates.h (`lte 2024` ends with
// the last millisecond of January 1st, `gt 2024-05` starts after May 1st), date math (`now-1d/d`,
// `2024-05-06||+1M`), `format` and `time_zone` ("" = the field's own, UTC). `now_millis` is the
// search's start.
absl::StatusOr<NumberRange> ToNumberRange(const MappedField& field,
                                          const std::optional<RangeBound>& lower,
                                          const std::optional<RangeBound>& upper,
                                          std::string_view format, std::string_view time_zone,
                                          int64_t now_millis);

// The span of milliseconds that a date text denotes (a day, a minute, a moment).
absl::StatusOr<NumberRange> DateSpan(const MappedField& field, const QueryValue& value,
                                     int64_t now_millis);

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_QUERY_VALUE_H_
