#include "engine/mapping/dates.h"

#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "engine/mapping/calendar.h"
#include "engine/mapping/date_parts.h"
#include "engine/mapping/zones.h"
#include "engine/util/error.h"

namespace curlew::mapping {

namespace {

constexpr std::string_view kDefaultFormat = "strict_date_optional_time||epoch_millis";
// Years beyond this have no number of milliseconds in 64 bits.
constexpr int64_t kMaxYear = 292'278'000;

using Reader = bool (*)(std::string_view text, DateParts& out);

struct NamedFormat {
  std::string_view name;
  Reader read;  // null: by the pattern
  std::string_view
      pattern;  // for writing ("" = as FormatDateMillis), and for reading without `read`
};

template <bool kStrict, IsoShape kShape>
bool Iso(std::string_view text, DateParts& out) {
  return ParseIsoDate(text, kStrict, kShape, out);
}
template <int64_t kUnit>
bool Epoch(std::string_view text, DateParts& out) {
  return ParseEpoch(text, kUnit, out);
}

constexpr std::array kNamed = {
    NamedFormat{"strict_date_optional_time", Iso<true, IsoShape::kOptionalTime>, ""},
    NamedFormat{"date_optional_time", Iso<false, IsoShape::kOptionalTime>, ""},
    NamedFormat{"iso8601", Iso<true, IsoShape::kOptionalTime>, ""},
    NamedFormat{"epoch_millis", Epoch<1>, ""},
    NamedFormat{"epoch_second", Epoch<1000>, ""},
    NamedFormat{"strict_date", Iso<true, IsoShape::kDate>, "yyyy-MM-dd"},
    NamedFormat{"date", Iso<false, IsoShape::kDate>, "yyyy-MM-dd"},
    NamedFormat{"strict_year_month_day", Iso<true, IsoShape::kDate>, "yyyy-MM-dd"},
    NamedFormat{"year_month_day", Iso<false, IsoShape::kDate>, "yyyy-MM-dd"},
    NamedFormat{"strict_date_time", Iso<true, IsoShape::kDateTime>, ""},
    NamedFormat{"date_time", Iso<false, IsoShape::kDateTime>, ""},
    NamedFormat{"strict_date_time_no_millis", Iso<true, IsoShape::kDateTimeNoFraction>,
                "yyyy-MM-dd'T'HH:mm:ssXXX"},
    NamedFormat{"date_time_no_millis", Iso<false, IsoShape::kDateTimeNoFraction>,
                "yyyy-MM-dd'T'HH:mm:ssXXX"},
    NamedFormat{"strict_year", nullptr, "yyyy"},
    NamedFormat{"year", nullptr, "yyyy"},
    NamedFormat{"strict_year_month", nullptr, "yyyy-MM"},
    NamedFormat{"year_month", nullptr, "yyyy-M"},
    NamedFormat{"basic_date", nullptr, "yyyyMMdd"},
    NamedFormat{"strict_date_hour_minute_second", nullptr, "yyyy-MM-dd'T'HH:mm:ss"},
    NamedFormat{"date_hour_minute_second", nullptr, "yyyy-M-d'T'H:m:s"},
};

const NamedFormat* FindNamed(std::string_view name) {
  for (const NamedFormat& f : kNamed) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

// Calls f for each part of a `||` list until it returns true.
template <typename F>
bool AnyFormat(std::string_view format, F&& f) {
  for (;;) {
    const size_t bars = format.find("||");
    if (f(format.substr(0, bars))) return true;
    if (bars == std::string_view::npos) return false;
    format.remove_prefix(bars + 2);
  }
}

bool Read(std::string_view text, std::string_view format, DateParts& out) {
  out = DateParts();
  const NamedFormat* named = FindNamed(format);
  if (named == nullptr) return ParseDatePattern(text, format, out);
  return named->read != nullptr ? named->read(text, out)
                                : ParseDatePattern(text, named->pattern, out);
}

bool InRange(const DateParts& p) {
  if (p.year > kMaxYear || p.year < -kMaxYear) return false;
  const int month = p.month < 0 ? 1 : p.month;
  if (month < 1 || month > 12) return false;
  if (p.day >= 0 && (p.day < 1 || p.day > DaysInMonth(p.year, month))) return false;
  return p.hour <= 23 && p.minute <= 59 && p.second <= 59;
}

int64_t LocalMillis(const DateParts& p, bool last) {
  const auto part = [last](int value, int most) { return value >= 0 ? value : (last ? most : 0); };
  const CivilDate date{p.year, p.month < 0 ? 1 : p.month, p.day < 0 ? 1 : p.day};
  const int64_t time =
      ((int64_t{part(p.hour, 23)} * 60 + part(p.minute, 59)) * 60 + part(p.second, 59)) * 1000 +
      part(p.millis, 999);
  return ToMillis({date, time});
}

// nullopt: the parts are no date. An unknown zone in the text is that as well.
std::optional<DateInterval> Resolve(const DateParts& p, const Zone& zone) {
  if (p.epoch_millis) return DateInterval{*p.epoch_millis, *p.epoch_millis};
  if (!InRange(p)) return std::nullopt;
  const int64_t first = LocalMillis(p, false);
  const int64_t last = LocalMillis(p, true);
  if (p.zone.empty()) return DateInterval{zone.ToUtc(first), zone.ToUtc(last)};
  if (p.zone == "Z") return DateInterval{first, last};
  const absl::StatusOr<Zone> own = Zone::Find(p.zone);
  if (!own.ok()) return std::nullopt;
  return DateInterval{own->ToUtc(first), own->ToUtc(last)};
}

absl::StatusOr<DateInterval> ParseInZone(std::string_view text, std::string_view format,
                                         const Zone& zone) {
  if (text.empty()) return IllegalArgument("cannot parse empty date");
  if (format.empty()) format = kDefaultFormat;
  std::optional<DateInterval> found;
  AnyFormat(format, [&](std::string_view one) {
    DateParts parts;
    if (Read(text, one, parts)) found = Resolve(parts, zone);
    return found.has_value();
  });
  if (found) return *found;
  CURLEW_RETURN_IF_ERROR(CheckDateFormat(format));
  return IllegalArgument(
      fmt::format("failed to parse date field [{}] with format [{}]", Clip(text), format));
}

}  // namespace

absl::StatusOr<DateInterval> ParseDate(std::string_view text, std::string_view format,
                                       std::string_view zone) {
  if (zone.empty()) return ParseInZone(text, format, Zone());
  CURLEW_ASSIGN_OR_RETURN(const Zone found, Zone::Find(zone));
  return ParseInZone(text, format, found);
}

absl::Status CheckDateFormat(std::string_view format) {
  std::string problem;
  if (format.empty()) problem = "the format is empty";
  AnyFormat(format, [&](std::string_view one) {
    if (FindNamed(one) != nullptr) return false;
    if (one.find('_') != std::string_view::npos || one == "hour" || one == "time") {
      problem = fmt::format("the named format [{}] is not supported", Clip(one));
    } else {
      problem = CheckDatePattern(one);
    }
    return !problem.empty();
  });
  if (problem.empty()) return absl::OkStatus();
  return IllegalArgument(fmt::format("Invalid format: [{}]: {}", Clip(format), problem));
}

const std::vector<std::string>& DefaultDynamicDateFormats() {
  static const auto* const formats = new std::vector<std::string>{
      "strict_date_optional_time||epoch_millis", "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"};
  return *formats;
}

const std::string* FindDateFormat(std::string_view text, const std::vector<std::string>& formats) {
  // The shortest date has a year; nearly all strings of documents start with something else.
  if (text.empty() || text.size() > 64) return nullptr;
  for (const std::string& format : formats) {
    const bool fits = AnyFormat(format, [&](std::string_view one) {
      DateParts parts;
      return Read(text, one, parts) && Resolve(parts, Zone()).has_value();
    });
    if (fits) return &format;
  }
  return nullptr;
}

std::string FormatDateMillis(int64_t millis) {
  return FormatDatePattern(millis, "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
}

std::string FormatDate(int64_t millis, std::string_view format) {
  const std::string_view first = format.substr(0, format.find("||"));
  if (first.empty()) return FormatDateMillis(millis);
  const NamedFormat* named = FindNamed(first);
  if (named == nullptr) return FormatDatePattern(millis, first);
  if (named->name == "epoch_millis") return fmt::format("{}", millis);
  if (named->name == "epoch_second") {
    const int64_t fraction = FloorMod(millis, 1000);
    const int64_t seconds = FloorDiv(millis, 1000);
    return fraction == 0 ? fmt::format("{}", seconds) : fmt::format("{}.{:03d}", seconds, fraction);
  }
  return named->pattern.empty() ? FormatDateMillis(millis)
                                : FormatDatePattern(millis, named->pattern);
}

namespace {

absl::Status MathError(std::string reason) {
  return MakeError("parse_exception", 400, std::move(reason));
}

// One step of date math on local time, e.g. "+1M" or "/d".
struct MathStep {
  bool round = false;
  int64_t count = 1;  // signed
  char unit = 'd';
};

absl::StatusOr<MathStep> TakeStep(std::string_view& math) {
  const std::string_view whole = math;
  const auto fail = [&](std::string_view what) {
    return MathError(fmt::format("{} for date math [{}]", what, Clip(whole)));
  };
  MathStep step;
  const char op = math.front();
  math.remove_prefix(1);
  if (op == '/') {
    step.round = true;
  } else if (op != '+' && op != '-') {
    return fail("operator not supported");
  }
  bool has_number = false;
  int64_t number = 0;
  while (!math.empty() && math.front() >= '0' && math.front() <= '9') {
    if (number > 1'000'000'000) return fail("number too large");
    number = number * 10 + (math.front() - '0');
    has_number = true;
    math.remove_prefix(1);
  }
  if (math.empty()) return MathError(fmt::format("truncated date math [{}]", Clip(whole)));
  if (has_number) step.count = number;
  if (step.round && step.count != 1) return fail("rounding `/` can only be used on single units");
  if (op == '-') step.count = -step.count;
  step.unit = math.front();
  math.remove_prefix(1);
  if (std::string_view("yMwdhHms").find(step.unit) == std::string_view::npos) {
    return fail(fmt::format("unit [{}] not supported", step.unit));
  }
  return step;
}

// The start of the unit in which local time `t` lies.
CivilTime FloorTo(CivilTime t, char unit) {
  switch (unit) {
    case 'y':
      return {{t.date.year, 1, 1}, 0};
    case 'M':
      return {{t.date.year, t.date.month, 1}, 0};
    case 'w': {
      const int64_t days = DaysFromCivil(t.date);
      // 1970-01-01 was a Thursday; weeks start on Monday.
      return {CivilFromDays(days - FloorMod(days + 3, 7)), 0};
    }
    case 'd':
      return {t.date, 0};
    case 'h':
    case 'H':
      return {t.date, t.millis_of_day / 3'600'000 * 3'600'000};
    case 'm':
      return {t.date, t.millis_of_day / 60'000 * 60'000};
    default:
      return {t.date, t.millis_of_day / 1000 * 1000};
  }
}

// Years to days move on the calendar of the zone, hours and below on the time line.
int64_t Add(int64_t utc, int64_t count, char unit, const Zone& zone) {
  CivilTime local = FromMillis(utc + zone.OffsetAt(utc));
  switch (unit) {
    case 'y':
      local.date = PlusMonths(local.date, count * 12);
      return zone.ToUtc(ToMillis(local));
    case 'M':
      local.date = PlusMonths(local.date, count);
      return zone.ToUtc(ToMillis(local));
    case 'w':
    case 'd':
      return zone.ToUtc(ToMillis(local) + count * (unit == 'w' ? 7 : 1) * kMillisPerDay);
    case 'h':
    case 'H':
      return utc + count * 3'600'000;
    case 'm':
      return utc + count * 60'000;
    default:
      return utc + count * 1000;
  }
}

absl::StatusOr<int64_t> ApplyMath(int64_t utc, std::string_view math, const Zone& zone, bool up) {
  // Beyond it a day more or less would not fit into 64 bits.
  constexpr int64_t kBound = std::numeric_limits<int64_t>::max() / 2;
  while (!math.empty()) {
    if (utc > kBound || utc < -kBound) return MathError("date math leaves the range of dates");
    CURLEW_ASSIGN_OR_RETURN(const MathStep step, TakeStep(math));
    if (!step.round) {
      // A year is the largest unit: with 1e9 of them the calendar's numbers overflow.
      if ((step.unit == 'y' || step.unit == 'M' || step.unit == 'w') &&
          (step.count > 100'000'000 || step.count < -100'000'000)) {
        return MathError("date math leaves the range of dates");
      }
      utc = Add(utc, step.count, step.unit, zone);
      continue;
    }
    const CivilTime local = FromMillis(utc + zone.OffsetAt(utc));
    const int64_t start = zone.ToUtc(ToMillis(FloorTo(local, step.unit)));
    utc = up ? Add(start, 1, step.unit, zone) - 1 : start;
  }
  return utc;
}

}  // namespace

absl::StatusOr<DateInterval> ParseDateMath(std::string_view text, std::string_view format,
                                           std::string_view zone_name, int64_t now_millis) {
  CURLEW_ASSIGN_OR_RETURN(const Zone zone, Zone::Find(zone_name));
  int64_t base = now_millis;
  std::string_view math;
  if (text.starts_with("now")) {
    math = text.substr(3);
  } else {
    const size_t bars = text.find("||");
    absl::StatusOr<DateInterval> date = ParseInZone(text.substr(0, bars), format, zone);
    if (!date.ok()) return MathError(DescribeError(date.status()).reason);
    if (bars == std::string_view::npos) return *date;
    base = date->first;
    math = text.substr(bars + 2);
  }
  CURLEW_ASSIGN_OR_RETURN(const int64_t first, ApplyMath(base, math, zone, false));
  CURLEW_ASSIGN_OR_RETURN(const int64_t last, ApplyMath(base, math, zone, true));
  return DateInterval{first, last};
}

}  // namespace curlew::mapping
