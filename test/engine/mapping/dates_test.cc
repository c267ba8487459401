#include "engine/mapping/dates.h"

#include <catch2/catch.hpp>

#include "engine/mapping/calendar.h"
#include "engine/mapping/zones.h"
#include "engine/util/error.h"
#include "test/support/random.h"

namespace curlew::mapping {
namespace {

// "first .. last" of a text, or the error's type.
std::string Span(const absl::StatusOr<DateInterval>& date) {
  if (!date.ok()) return DescribeError(date.status()).type;
  if (date->first == date->last) return FormatDateMillis(date->first);
  return FormatDateMillis(date->first) + " .. " + FormatDateMillis(date->last);
}
constexpr const char* kWrong = "illegal_argument_exception";

TEST_CASE("the default format") {
  struct Case {
    const char* text;
    const char* expected;
  };
  const Case cases[] = {
      {"2024", "2024-01-01T00:00:00.000Z .. 2024-01-01T23:59:59.999Z"},
      {"2024-05", "2024-05-01T00:00:00.000Z .. 2024-05-01T23:59:59.999Z"},
      {"2024-05-06", "2024-05-06T00:00:00.000Z .. 2024-05-06T23:59:59.999Z"},
      {"2024-05-06T", "2024-05-06T00:00:00.000Z .. 2024-05-06T23:59:59.999Z"},
      {"2024-05-06T07", "2024-05-06T07:00:00.000Z .. 2024-05-06T07:59:59.999Z"},
      {"2024-05-06T07:08", "2024-05-06T07:08:00.000Z .. 2024-05-06T07:08:59.999Z"},
      {"2024-05-06T07:08:09", "2024-05-06T07:08:09.000Z .. 2024-05-06T07:08:09.999Z"},
      {"2024-05-06T07:08:09Z", "2024-05-06T07:08:09.000Z .. 2024-05-06T07:08:09.999Z"},
      {"2024-05-06T07:08:09.1", "2024-05-06T07:08:09.100Z"},
      {"2024-05-06T07:08:09,123Z", "2024-05-06T07:08:09.123Z"},
      {"2024-05-06T07:08:09.123456789Z", "2024-05-06T07:08:09.123Z"},
      {"2024-05-06T07:08:09.123+02:00", "2024-05-06T05:08:09.123Z"},
      {"2024-05-06T07:08:09.123-0130", "2024-05-06T08:38:09.123Z"},
      {"2024-05-06T07+02", "2024-05-06T05:00:00.000Z .. 2024-05-06T05:59:59.999Z"},
      {"2024-05-06T07:08:09.000Europe/Berlin", "2024-05-06T05:08:09.000Z"},
      {"2024-02-29", "2024-02-29T00:00:00.000Z .. 2024-02-29T23:59:59.999Z"},
      {"-0001-01-01T00:00:00.000Z", "-0001-01-01T00:00:00.000Z"},
      {"+12024-01-01T00:00:00.000Z", "+12024-01-01T00:00:00.000Z"},
      {"20240102", "1970-01-01T05:37:20.102Z"},
      {"1700000000123", "2023-11-14T22:13:20.123Z"},
      {"-1", "1969-12-31T23:59:59.999Z"},
      {"-1.5", "1969-12-31T23:59:59.998Z"},
      {"1.9", "1970-01-01T00:00:00.001Z"},
      {"2023-02-29", kWrong},
      {"2024-13-01", kWrong},
      {"2024-00-01", kWrong},
      {"2024-01-00", kWrong},
      {"2024-04-31", kWrong},
      {"2024-1-2", kWrong},
      {"24-01-02", kWrong},
      {"02024-01-02", kWrong},
      {"+2024-01-02", kWrong},
      {"12024-01-02", kWrong},
      {"2024-01-02T24:00", kWrong},
      {"2024-01-02T03:60", kWrong},
      {"2024-01-02T03:04:60", kWrong},
      {"2024-01-02T03:04:05.", kWrong},
      {"2024-01-02T03:04:05.1234567890", kWrong},
      {"2024-01-02T03:04:05z", kWrong},
      {"2024-01-02T03:04:05 Z", kWrong},
      {"2024-01-02T03:04:05Z ", kWrong},
      {"2024-01-02Z", kWrong},
      {"2024-01-02 03:04:05", kWrong},
      {"2024-W05", kWrong},
      {"now", kWrong},
      {"2024-01-02||+1d", kWrong},
      {"", kWrong},
      {"999999999-01-01", kWrong},
      {"+999999999-01-01", kWrong},
      {"99999999999999999999", kWrong},
      {"2024-01-02T03:04:05+19:00", kWrong},
      {"2024-01-02T03:04:05Mars/Phobos", kWrong},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK(Span(ParseDate(c.text, "")) == c.expected);
    CHECK(Span(ParseDate(c.text, "strict_date_optional_time||epoch_millis")) == c.expected);
  }
}

TEST_CASE("named formats and patterns") {
  struct Case {
    const char* format;
    const char* text;
    const char* expected;
  };
  const Case cases[] = {
      {"date_optional_time", "2024-1-2T3:4:5",
       "2024-01-02T03:04:05.000Z .. 2024-01-02T03:04:05.999Z"},
      {"date_optional_time", "-5", "-0005-01-01T00:00:00.000Z .. -0005-01-01T23:59:59.999Z"},
      {"date_optional_time", "20240102", kWrong},
      {"epoch_millis", "2024", "1970-01-01T00:00:02.024Z"},
      {"epoch_second", "1.25", "1970-01-01T00:00:01.250Z"},
      {"epoch_second", "9223372036854775807", kWrong},
      {"strict_date", "2024-01-02", "2024-01-02T00:00:00.000Z .. 2024-01-02T23:59:59.999Z"},
      {"strict_date", "2024-1-2", kWrong},
      {"strict_date", "2024-01", kWrong},
      {"date", "2024-1-2", "2024-01-02T00:00:00.000Z .. 2024-01-02T23:59:59.999Z"},
      {"strict_date_time", "2024-01-02T03:04:05.678Z", "2024-01-02T03:04:05.678Z"},
      {"strict_date_time", "2024-01-02T03:04:05.678", kWrong},
      {"strict_date_time", "2024-01-02T03:04:05Z", kWrong},
      {"date_time", "2024-1-2T3:4:5.6Z", "2024-01-02T03:04:05.600Z"},
      {"strict_date_time_no_millis", "2024-01-02T03:04:05+01:00",
       "2024-01-02T02:04:05.000Z .. 2024-01-02T02:04:05.999Z"},
      {"strict_year_month", "2024-02", "2024-02-01T00:00:00.000Z .. 2024-02-01T23:59:59.999Z"},
      {"basic_date", "20240203", "2024-02-03T00:00:00.000Z .. 2024-02-03T23:59:59.999Z"},
      {"yyyy/MM/dd", "2024/02/03", "2024-02-03T00:00:00.000Z .. 2024-02-03T23:59:59.999Z"},
      {"yyyy/MM/dd", "2024/2/3", kWrong},
      {"yyyy/M/d", "2024/2/13", "2024-02-13T00:00:00.000Z .. 2024-02-13T23:59:59.999Z"},
      {"uuuu-MM-dd'T'HH:mm:ss.SSS", "2024-02-03T04:05:06.789", "2024-02-03T04:05:06.789Z"},
      {"yyyy-MM-dd HH:mm:ssXXX", "2024-02-03 04:05:06+02:00",
       "2024-02-03T02:05:06.000Z .. 2024-02-03T02:05:06.999Z"},
      {"HH:mm", "12:30", "1970-01-01T12:30:00.000Z .. 1970-01-01T12:30:59.999Z"},
      {"yyyy/MM/dd||epoch_second", "7", "1970-01-01T00:00:07.000Z"},
      {"bogus", "2024", kWrong},
      {"yyyy||", "x", kWrong},
  };
  for (const Case& c : cases) {
    INFO(c.format << " " << c.text);
    CHECK(Span(ParseDate(c.text, c.format)) == c.expected);
  }
  CHECK(CheckDateFormat("yyyy-MM-dd||epoch_second").ok());
  for (const char* format : {"", "bogus", "week_date", "d MMM yyyy", "yyyy-MM-dd||", "yy",
                             "yyyy 'x", "yyyy-MM-dd[ HH]"}) {
    INFO(format);
    CHECK_FALSE(CheckDateFormat(format).ok());
  }
}

TEST_CASE("time zones") {
  const auto first = [](const char* text, const char* zone) {
    const auto date = ParseDate(text, "", zone);
    return date.ok() ? FormatDateMillis(date->first) : DescribeError(date.status()).type;
  };
  CHECK(first("2024-01-01", "+01:00") == "2023-12-31T23:00:00.000Z");
  CHECK(first("2024-01-01", "-05:00") == "2024-01-01T05:00:00.000Z");
  for (const char* zone : {"+1", "+01", "+0100", "+01:00:00", "GMT+1", "UTC+01:00", "UT+1"}) {
    CHECK(first("2024-01-01", zone) == "2023-12-31T23:00:00.000Z");
  }
  for (const char* zone : {"", "Z", "UTC", "GMT"}) {
    CHECK(first("2024-01-01", zone) == "2024-01-01T00:00:00.000Z");
  }
  CHECK(first("2024-07-01", "Europe/Paris") == "2024-06-30T22:00:00.000Z");
  CHECK(first("2024-01-01", "Europe/Paris") == "2023-12-31T23:00:00.000Z");
  CHECK(first("2024-01-01T00:00Z", "Europe/Paris") == "2024-01-01T00:00:00.000Z");
  // The hour that is left out moves on; of the one that comes twice the first counts.
  CHECK(first("2024-03-31T02:30", "Europe/Paris") == "2024-03-31T01:30:00.000Z");
  CHECK(first("2024-10-27T02:30", "Europe/Paris") == "2024-10-27T00:30:00.000Z");
  CHECK(first("1900-01-01", "America/New_York") == "1900-01-01T05:00:00.000Z");
  for (const char* zone :
       {"EST", "PST", "Mars/Phobos", "europe/paris!", "+25:00", "+1:0", "GMT5", "+", "01:00"}) {
    INFO(zone);
    CHECK(first("2024-01-01", zone) == kWrong);
  }
}

TEST_CASE("date math") {
  // 2024-05-15T10:20:30.456Z, a Wednesday.
  const int64_t now = ToMillis({{2024, 5, 15}, ((10 * 60 + 20) * 60 + 30) * 1000 + 456});
  struct Case {
    const char* text;
    const char* expected;
    const char* zone = "";
  };
  constexpr const char* kMath = "parse_exception";
  const Case cases[] = {
      {"now", "2024-05-15T10:20:30.456Z"},
      {"now-1d", "2024-05-14T10:20:30.456Z"},
      {"now+1M-2h", "2024-06-15T08:20:30.456Z"},
      {"now/d", "2024-05-15T00:00:00.000Z .. 2024-05-15T23:59:59.999Z"},
      {"now/w", "2024-05-13T00:00:00.000Z .. 2024-05-19T23:59:59.999Z"},
      {"now/M", "2024-05-01T00:00:00.000Z .. 2024-05-31T23:59:59.999Z"},
      {"now/y", "2024-01-01T00:00:00.000Z .. 2024-12-31T23:59:59.999Z"},
      {"now/h", "2024-05-15T10:00:00.000Z .. 2024-05-15T10:59:59.999Z"},
      {"now/m", "2024-05-15T10:20:00.000Z .. 2024-05-15T10:20:59.999Z"},
      {"now-1d/d", "2024-05-14T00:00:00.000Z .. 2024-05-14T23:59:59.999Z"},
      {"now/d", "2024-05-14T22:00:00.000Z .. 2024-05-15T21:59:59.999Z", "Europe/Berlin"},
      {"2024-01-31||+1M", "2024-02-29T00:00:00.000Z"},
      {"2024-02-29||+1y", "2025-02-28T00:00:00.000Z"},
      {"2024-02-29||-1y", "2023-02-28T00:00:00.000Z"},
      {"2024-03-01||-1d", "2024-02-29T00:00:00.000Z"},
      {"2024-01-01||+12h-1m+5s", "2024-01-01T11:59:05.000Z"},
      {"2024-02-15||/M", "2024-02-01T00:00:00.000Z .. 2024-02-29T23:59:59.999Z"},
      {"2024-01-01||+1M/M", "2024-02-01T00:00:00.000Z .. 2024-02-29T23:59:59.999Z"},
      {"2024-03-30T12:00||+1d", "2024-03-31T10:00:00.000Z", "Europe/Paris"},
      {"2024-03-30T12:00||+24h", "2024-03-31T11:00:00.000Z", "Europe/Paris"},
      {"2024", "2024-01-01T00:00:00.000Z .. 2024-01-01T23:59:59.999Z"},
      {"2024||", "2024-01-01T00:00:00.000Z"},
      {"2024-01-01||+1q", kMath},
      {"2024-01-01||1d", kMath},
      {"2024-01-01||/", kMath},
      {"2024-01-01||+", kMath},
      {"2024-01-01||/2d", kMath},
      {"now+99999999999d", kMath},
      {"now+1000000000y", kMath},
      {"9223372036854775807||+1d", kMath},
      {"nowish", kMath},
      {"x||+1d", kMath},
      {"", kMath},
  };
  for (const Case& c : cases) {
    INFO(c.text << " " << c.zone);
    CHECK(Span(ParseDateMath(c.text, "", c.zone, now)) == c.expected);
  }
}

TEST_CASE("dates are written as they are read") {
  CHECK(FormatDate(1700000000123, "") == "2023-11-14T22:13:20.123Z");
  CHECK(FormatDate(1700000000123, "epoch_millis||strict_date") == "1700000000123");
  CHECK(FormatDate(1700000000123, "epoch_second") == "1700000000.123");
  CHECK(FormatDate(-1, "epoch_second") == "-1.999");
  CHECK(FormatDate(1700000000123, "strict_date") == "2023-11-14");
  CHECK(FormatDate(1700000000123, "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis") ==
        "2023/11/14 22:13:20");
  test::Random random;
  INFO("seed " << random.seed());
  for (int i = 0; i < 3000; ++i) {
    const int64_t millis = random.Between(-62'000'000'000'000, 250'000'000'000'000);
    const std::string text = FormatDateMillis(millis);
    INFO(text);
    CHECK(ParseDate(text, "strict_date_optional_time").value().first == millis);
  }
}

TEST_CASE("the calendar goes day by day") {
  CivilDate date{-401, 1, 1};
  int64_t days = DaysFromCivil(date);
  for (int i = 0; i < 400'000; ++i, ++days) {
    const CivilDate back = CivilFromDays(days);
    if (DaysFromCivil(date) != days || back.year != date.year || back.month != date.month ||
        back.day != date.day) {
      FAIL("day " << days);
    }
    if (++date.day > DaysInMonth(date.year, date.month)) {
      date.day = 1;
      if (++date.month > 12) {
        date.month = 1;
        ++date.year;
      }
    }
  }
  CHECK(DaysFromCivil({1970, 1, 1}) == 0);
}

TEST_CASE("any text is a date or an error") {
  test::Random random;
  INFO("seed " << random.seed());
  const std::string alphabet = "0123456789-+:T.,Z|/ndowyMhms ";
  for (int i = 0; i < 50'000; ++i) {
    std::string text = random.OneIn(2) ? "2024-05-06T07:08:09.123Z" : "";
    for (int64_t n = random.Between(0, 12); n > 0; --n) {
      const char c = alphabet[static_cast<size_t>(
          random.Between(0, static_cast<int64_t>(alphabet.size()) - 1))];
      text.insert(static_cast<size_t>(random.Between(0, static_cast<int64_t>(text.size()))), 1, c);
    }
    const auto date =
        ParseDateMath(text, "", random.OneIn(2) ? "Europe/Paris" : "", 1'700'000'000'000);
    INFO(text);
    if (date.ok()) CHECK(date->first <= date->last);
  }
}

}  // namespace
}  // namespace curlew::mapping
