#include "engine/mapping/query_value.h"

#include <catch2/catch.hpp>

#include "engine/codec/columns/numbers.h"
#include "engine/mapping/dates.h"
#include "engine/util/error.h"

namespace curlew::mapping {
namespace {

using codec::DoubleToSortable;
using codec::FloatToSortable;

MappedField Field(FieldKind kind) {
  MappedField f;
  f.path = "f";
  f.kind = kind;
  return f;
}

QueryValue Text(const char* s) { return std::string(s); }
QueryValue Int(int64_t i) { return i; }

TEST_CASE("values as Java prints them") {
  CHECK(QueryValueToString(QueryValue()) == "null");
  CHECK(QueryValueToString(true) == "true");
  CHECK(QueryValueToString(Int(-3)) == "-3");
  CHECK(QueryValueToString(uint64_t{18446744073709551615u}) == "18446744073709551615");
  CHECK(QueryValueToString(3.0) == "3.0");
  CHECK(QueryValueToString(1.0e10) == "1.0E10");
  // Floats print their own digits, not those of the double they equal.
  CHECK(QueryValueToString(0.1f) == "0.1");
  CHECK(QueryValueToString(double{0.1f}) == "0.10000000149011612");
  CHECK(QueryValueToString(123456.789f) == "123456.79");
  CHECK(QueryValueToString(1e10f) == "1.0E10");
  CHECK(QueryValueToString(1.0f) == "1.0");
  CHECK(QueryValueToString(std::numeric_limits<float>::max()) == "3.4028235E38");
  CHECK(QueryValueToString(Text("x")) == "x");
}

TEST_CASE("exact numbers") {
  struct Case {
    FieldKind kind;
    QueryValue value;
    std::optional<int64_t> expected;
  };
  const Case cases[] = {
      {FieldKind::kLong, Int(7), 7},
      {FieldKind::kLong, 7.0, 7},
      {FieldKind::kLong, 7.5, std::nullopt},
      {FieldKind::kLong, Text("7"), 7},
      {FieldKind::kLong, Text("7.0"), 7},
      {FieldKind::kLong, Text("7.5"), std::nullopt},
      {FieldKind::kLong, Text("9007199254740993"), 9007199254740993},
      {FieldKind::kByte, Int(128), 128},
      {FieldKind::kInteger, Text("-3"), -3},
      {FieldKind::kDouble, Int(2), DoubleToSortable(2)},
      {FieldKind::kDouble, Text("1e2"), DoubleToSortable(100)},
      {FieldKind::kFloat, 0.1, FloatToSortable(0.1f)},
      {FieldKind::kFloat, 0.1f, FloatToSortable(0.1f)},
      {FieldKind::kDouble, 0.1f, DoubleToSortable(double{0.1f})},
      {FieldKind::kLong, 7.0f, 7},
      {FieldKind::kLong, 7.5f, std::nullopt},
      {FieldKind::kDate, 5.0f, 5},
      {FieldKind::kBoolean, true, 1},
      {FieldKind::kBoolean, Text("false"), 0},
      {FieldKind::kDate, Text("1970-01-02"), 86'400'000},
      {FieldKind::kDate, Int(5), 5},
  };
  for (const Case& c : cases) {
    INFO(KindName(c.kind) << " " << QueryValueToString(c.value));
    const auto n = ExactNumber(Field(c.kind), c.value);
    REQUIRE(n.ok());
    CHECK(*n == c.expected);
  }
  const std::pair<FieldKind, QueryValue> wrong[] = {
      {FieldKind::kLong, Text("abc")},
      {FieldKind::kLong, Text("")},
      {FieldKind::kLong, Text("0x7")},
      {FieldKind::kLong, true},
      {FieldKind::kLong, QueryValue()},
      {FieldKind::kLong, Text("9223372036854775808")},
      {FieldKind::kLong, uint64_t{9223372036854775808u}},
      {FieldKind::kLong, 1e300},
      {FieldKind::kInteger, Int(2147483648)},
      {FieldKind::kShort, Text("x")},
      {FieldKind::kDouble, Text("Infinity")},
      {FieldKind::kDouble, true},
      {FieldKind::kFloat, 1e39},
      {FieldKind::kBoolean, Text("TRUE")},
      {FieldKind::kBoolean, Int(1)},
      {FieldKind::kDate, Text("abc")},
      {FieldKind::kDate, QueryValue()},
  };
  for (const auto& [kind, value] : wrong) {
    INFO(KindName(kind) << " " << QueryValueToString(value));
    const auto n = ExactNumber(Field(kind), value);
    REQUIRE_FALSE(n.ok());
    CHECK(DescribeError(n.status()).rest_status == 400);
    CHECK_THAT(DescribeError(n.status()).reason, Catch::Contains("[f]"));
  }
}

NumberRange Range(FieldKind kind, std::optional<RangeBound> lower, std::optional<RangeBound> upper,
                  const char* zone = "") {
  return ToNumberRange(Field(kind), lower, upper, "", zone, 1'700'000'000'000).value();
}

TEST_CASE("ranges of numbers") {
  const auto is = [](const NumberRange& r, int64_t first, int64_t last) {
    return r.first == first && r.last == last;
  };
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  CHECK(is(Range(FieldKind::kLong, {}, {}), kMin, kMax));
  CHECK(is(Range(FieldKind::kLong, RangeBound{Int(1)}, RangeBound{Int(5)}), 1, 5));
  CHECK(is(Range(FieldKind::kLong, RangeBound{Int(1), false}, RangeBound{Int(5), false}), 2, 4));
  CHECK(is(Range(FieldKind::kLong, RangeBound{0.5}, RangeBound{6.9}), 1, 6));
  CHECK(is(Range(FieldKind::kLong, RangeBound{0.5, false}, RangeBound{7.5, false}), 1, 7));
  CHECK(is(Range(FieldKind::kLong, RangeBound{-1.5}, RangeBound{-0.5}), -1, -1));
  CHECK(is(Range(FieldKind::kByte, RangeBound{Text("1")}, RangeBound{Text("42.5")}), 1, 42));
  CHECK(is(Range(FieldKind::kDouble, RangeBound{1.0, false}, RangeBound{Int(2)}),
           DoubleToSortable(1) + 1, DoubleToSortable(2)));
  CHECK(is(Range(FieldKind::kBoolean, RangeBound{false, false}, {}), 1, kMax));
  NumberRange none = Range(FieldKind::kLong, RangeBound{Int(kMax), false}, {});
  CHECK(none.first > none.last);
  none = Range(FieldKind::kLong, {}, RangeBound{Int(kMin), false});
  CHECK(none.first > none.last);
  CHECK_FALSE(ToNumberRange(Field(FieldKind::kInteger), RangeBound{1e300}, {}, "", "", 0).ok());
  CHECK_FALSE(ToNumberRange(Field(FieldKind::kKeyword), RangeBound{Int(1)}, {}, "", "", 0).ok());
}

TEST_CASE("ranges of dates") {
  const auto show = [](const NumberRange& r) {
    return FormatDateMillis(r.first) + " " + FormatDateMillis(r.last);
  };
  const auto both = [&](const char* text, bool inclusive, const char* zone = "") {
    return show(Range(FieldKind::kDate, RangeBound{Text(text), inclusive},
                      RangeBound{Text(text), inclusive}, zone));
  };
  CHECK(both("2024", true) == "2024-01-01T00:00:00.000Z 2024-01-01T23:59:59.999Z");
  CHECK(both("2024", false) == "2024-01-02T00:00:00.000Z 2023-12-31T23:59:59.999Z");
  CHECK(both("2024-02-15||/M", true) == "2024-02-01T00:00:00.000Z 2024-02-29T23:59:59.999Z");
  CHECK(both("2024-02-15||/M", false) == "2024-03-01T00:00:00.000Z 2024-01-31T23:59:59.999Z");
  CHECK(both("2024-01-01", true, "-05:00") == "2024-01-01T05:00:00.000Z 2024-01-02T04:59:59.999Z");
  // A whole number may have come as a double.
  CHECK(Range(FieldKind::kDate, RangeBound{1704067200000.0}, {}).first == 1704067200000);
  const auto span = DateSpan(Field(FieldKind::kDate), Text("now/d"), 1'700'000'000'000).value();
  CHECK(show(span) == "2023-11-14T00:00:00.000Z 2023-11-14T23:59:59.999Z");
  const auto own = ToNumberRange(Field(FieldKind::kDate), RangeBound{Text("2024/02/03")}, {},
                                 "yyyy/MM/dd", "", 0);
  CHECK(FormatDateMillis(own->first) == "2024-02-03T00:00:00.000Z");
  for (const char* zone : {"EST", "Mars/Phobos"}) {
    CHECK_FALSE(
        ToNumberRange(Field(FieldKind::kDate), RangeBound{Text("2024")}, {}, "", zone, 0).ok());
  }
  const auto wrong = ToNumberRange(Field(FieldKind::kDate), RangeBound{Text("x")}, {}, "", "", 0);
  CHECK(DescribeError(wrong.status()).type == "parse_exception");
  CHECK_THAT(DescribeError(wrong.status()).reason, Catch::Contains("[f]"));
}

}  // namespace
}  // namespace curlew::mapping
