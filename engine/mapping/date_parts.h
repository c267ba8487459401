// One date text read by one format, before missing parts are filled in. Internal to dates.
// Functions for any thread.
#ifndef CURLEW_ENGINE_MAPPING_DATE_PARTS_H_
#define CURLEW_ENGINE_MAPPING_DATE_PARTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace curlew::mapping {

// -1 = not in the text.
struct DateParts {
  std::optional<int64_t> epoch_millis;  // then nothing else counts
  bool has_year = false;
  int64_t year = 1970;
  int month = -1;
  int day = -1;
  int hour = -1;
  int minute = -1;
  int second = -1;
  int millis = -1;
  std::string_view zone;  // part of the text; "" = none
};

// How much of a date the ISO forms need.
enum class IsoShape : uint8_t { kOptionalTime, kDate, kDateTime, kDateTimeNoFraction };

// yyyy[-MM[-dd]][T[HH[:mm[:ss[.S...]]]][zone]]: `strict` wants all digits (4 for a year; more only
// with a sign), else a year has 1 to 5 digits and the rest 1 or 2.
bool ParseIsoDate(std::string_view text, bool strict, IsoShape shape, DateParts& out);

// -?digits[.digits], in units of `unit_millis` (1 or 1000).
bool ParseEpoch(std::string_view text, int64_t unit_millis, DateParts& out);

// A pattern of java.time: y or u, M, d, H, m, s (the count of letters is the least number of
// digits; one letter takes one or two), S (that many digits), X x Z (an offset), 'quoted' and other
// characters as they are.
bool ParseDatePattern(std::string_view text, std::string_view pattern, DateParts& out);
// "" if the pattern can be read, else what is wrong with it.
std::string CheckDatePattern(std::string_view pattern);
std::string FormatDatePattern(int64_t millis, std::string_view pattern);

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_DATE_PARTS_H_
