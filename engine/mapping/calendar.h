// Days, years and months of the proleptic Gregorian calendar, and a moment taken apart.
// Functions without state, for any thread.
#ifndef CURLEW_ENGINE_MAPPING_CALENDAR_H_
#define CURLEW_ENGINE_MAPPING_CALENDAR_H_

#include <cstdint>

namespace curlew::mapping {

inline constexpr int64_t kMillisPerDay = 86'400'000;

struct CivilDate {
  int64_t year = 1970;  // astronomical: 0 is 1 BC
  int month = 1;        // 1-12
  int day = 1;          // 1-31
};

struct CivilTime {
  CivilDate date;
  int64_t millis_of_day = 0;
};

constexpr int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
constexpr int64_t FloorMod(int64_t a, int64_t b) { return a - FloorDiv(a, b) * b; }

constexpr bool IsLeapYear(int64_t y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }
constexpr int DaysInMonth(int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeapYear(year) ? 29 : kDays[month - 1];
}

// Days since 1970-01-01. Counts years from March, so that the leap day is a year's last, in cycles
// of 400 years (146,097 days).
constexpr int64_t DaysFromCivil(const CivilDate& d) {
  const int64_t y = d.month <= 2 ? d.year - 1 : d.year;
  const int64_t era = FloorDiv(y, 400);
  const int64_t year_of_era = y - era * 400;
  const int64_t day_of_year = (153 * (d.month + (d.month > 2 ? -3 : 9)) + 2) / 5 + d.day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

constexpr CivilDate CivilFromDays(int64_t days) {
  const int64_t z = days + 719'468;
  const int64_t era = FloorDiv(z, 146'097);
  const int64_t day_of_era = z - era * 146'097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  CivilDate d;
  d.day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  d.month = static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  d.year = year_of_era + era * 400 + (d.month <= 2 ? 1 : 0);
  return d;
}

constexpr int64_t ToMillis(const CivilTime& t) {
  return DaysFromCivil(t.date) * kMillisPerDay + t.millis_of_day;
}
constexpr CivilTime FromMillis(int64_t millis) {
  return {CivilFromDays(FloorDiv(millis, kMillisPerDay)), FloorMod(millis, kMillisPerDay)};
}

// The same day of the month `months` later, or the month's last day.
constexpr CivilDate PlusMonths(CivilDate d, int64_t months) {
  const int64_t total = d.year * 12 + (d.month - 1) + months;
  d.year = FloorDiv(total, 12);
  d.month = static_cast<int>(FloorMod(total, 12)) + 1;
  if (const int last = DaysInMonth(d.year, d.month); d.day > last) d.day = last;
  return d;
}

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_CALENDAR_H_
