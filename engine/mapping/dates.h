// Dates as OpenSearch reads and prints them: named formats, patterns, time zones, date math.
// Functions for any thread; what they give owns its text.
#ifndef CURLEW_ENGINE_MAPPING_DATES_H_
#define CURLEW_ENGINE_MAPPING_DATES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace curlew::mapping {

// Milliseconds since 1970-01-01T00:00Z of the first and last moment that a text denotes; equal when
// it is exact to the millisecond or better. As in OpenSearch a missing month or day is the first,
// only missing parts of the time span: "2024" is the whole of January 1st.
struct DateInterval {
  int64_t first = 0;
  int64_t last = 0;
};

// `format` is a `||` list ("" = strict_date_optional_time||epoch_millis) of names
// ([strict_]date_optional_time, [strict_]date, [strict_]date_time[_no_millis], iso8601,
// epoch_millis, epoch_second, [strict_]year, [strict_]year_month, basic_date, ...) and patterns of
// numbers (yyyy/MM/dd HH:mm:ss). `zone` ("" = UTC) applies to texts without one: "+02:00" forms and
// IANA names. illegal_argument_exception: the text or the format cannot be read.
absl::StatusOr<DateInterval> ParseDate(std::string_view text, std::string_view format,
                                       std::string_view zone = {});
// The same with date math: `now`, `||`, +1d, -2h, /M; a rounded moment spans its unit. What stands
// before `||` does not span. parse_exception.
absl::StatusOr<DateInterval> ParseDateMath(std::string_view text, std::string_view format,
                                           std::string_view zone, int64_t now_millis);
// Whether `format` can be used; an illegal_argument_exception names the part that cannot.
absl::Status CheckDateFormat(std::string_view format);

// The format of `formats` by which dynamic mapping takes a JSON string for a date, or null. The
// caller has excluded texts that are numbers.
const std::string* FindDateFormat(std::string_view text, const std::vector<std::string>& formats);
// date_detection's formats where the mapping has none of its own.
const std::vector<std::string>& DefaultDynamicDateFormats();

// 2024-05-06T00:00:00.000Z
std::string FormatDateMillis(int64_t millis);
// As the first of the formats of `format` writes it ("" = as above), in UTC.
std::string FormatDate(int64_t millis, std::string_view format);

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_DATES_H_
