// Dates as OpenSearch's `strict_date_optional_time||epoch_millis` reads and prints them.
#ifndef CURLEW_ENGINE_MAPPING_DATES_H_
#define CURLEW_ENGINE_MAPPING_DATES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace curlew::mapping {

// Milliseconds since 1970-01-01T00:00Z of the first and last moment that a text denotes; equal when
// it is exact to the millisecond or better.
struct DateInterval {
  int64_t first = 0;
  int64_t last = 0;
};

// `format` is a `||` list of named formats; supported here: strict_date_optional_time,
// date_optional_time, epoch_millis, epoch_second, strict_date, date, strict_date_time, date_time (an
// unknown one is an illegal_argument_exception). `zone` ("" = UTC) applies to texts without one:
// "+02:00" forms and IANA names.
absl::StatusOr<DateInterval> ParseDate(std::string_view text, std::string_view format,
                                       std::string_view zone = {});
// The same with date math: `now`, `||`, +1d, -2h, /M.
absl::StatusOr<DateInterval> ParseDateMath(std::string_view text, std::string_view format,
                                           std::string_view zone, int64_t now_millis);
absl::Status CheckDateFormat(std::string_view format);
// Whether dynamic mapping takes a JSON string for a date (date_detection's default formats:
// strict_date_optional_time, yyyy/MM/dd HH:mm:ss Z||yyyy/MM/dd Z).
bool LooksLikeDate(std::string_view text);

// 2024-05-06T00:00:00.000Z
std::string FormatDateMillis(int64_t millis);

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_DATES_H_
