#include "engine/mapping/java_numbers.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "test/support/random.h"

namespace curlew::mapping {
namespace {

TEST_CASE("Double.parseDouble") {
  const auto check = [](std::string_view text, double expected) {
    INFO(text);
    REQUIRE(ParseJavaDouble(text).has_value());
    CHECK(*ParseJavaDouble(text) == expected);
  };
  check("5", 5);
  check(" 5", 5);
  check("5 \n", 5);
  check("+5", 5);
  check("-0.5", -0.5);
  check(".5", 0.5);
  check("5.", 5);
  check("010", 10);
  check("1e2", 100);
  check("1.5d", 1.5);
  check("1.5F", 1.5);
  check("0x1p3", 8);
  check("0x.8P1d", 1);
  check("-Infinity", -std::numeric_limits<double>::infinity());
  check("1e400", std::numeric_limits<double>::infinity());
  check("-1e400", -std::numeric_limits<double>::infinity());
  check("1e-400", 0);
  CHECK(std::isnan(*ParseJavaDouble("NaN")));
  for (const char* text : {"", " ", "abc", "0x10", "1,5", "1_0", "5L", "e5", ".", "1e", "--5", "+",
                           "inf", "nan", "5dd", "٣", "1 2"}) {
    INFO(text);
    CHECK_FALSE(ParseJavaDouble(text).has_value());
  }
  CHECK(*ParseJavaFloat("0.1234567890123") == 0.12345679f);
  CHECK(*ParseJavaFloat("1e39") == std::numeric_limits<float>::infinity());
  CHECK(*ParseJavaFloat("1e-46") == 0.0f);
}

TEST_CASE("decimal text to long") {
  const auto check = [](std::string_view text, WholeResult result, int64_t expected = 0) {
    INFO(text);
    int64_t value = 0;
    REQUIRE(ParseDecimalToLong(text, value) == result);
    if (result == WholeResult::kOk || result == WholeResult::kHasFraction) CHECK(value == expected);
  };
  check("9223372036854775807", WholeResult::kOk, std::numeric_limits<int64_t>::max());
  check("-9223372036854775808", WholeResult::kOk, std::numeric_limits<int64_t>::min());
  check("9223372036854775808", WholeResult::kOutOfRange);
  check("-9223372036854775809", WholeResult::kOutOfRange);
  check("9223372036854775807.5", WholeResult::kHasFraction, std::numeric_limits<int64_t>::max());
  check("1.9", WholeResult::kHasFraction, 1);
  check("-0.9", WholeResult::kHasFraction, 0);
  check("1.50e1", WholeResult::kOk, 15);
  check("1e18", WholeResult::kOk, 1'000'000'000'000'000'000);
  check("1e19", WholeResult::kOutOfRange);
  check("1e1000000000000", WholeResult::kOutOfRange);
  check("0e1000000000000", WholeResult::kOk, 0);
  check("1e-1000000000000", WholeResult::kHasFraction, 0);
  check("+5", WholeResult::kOk, 5);
  check("٣٤", WholeResult::kOk, 34);
  check(" 5", WholeResult::kNotANumber);
  check("", WholeResult::kNotANumber);
  check("5d", WholeResult::kNotANumber);
  check("NaN", WholeResult::kNotANumber);
  check("\xff", WholeResult::kNotANumber);
}

TEST_CASE("Double.toString") {
  CHECK(JavaToString(3.0) == "3.0");
  CHECK(JavaToString(-0.0) == "-0.0");
  CHECK(JavaToString(0.001) == "0.001");
  CHECK(JavaToString(0.00099) == "9.9E-4");
  CHECK(JavaToString(9999999.0) == "9999999.0");
  CHECK(JavaToString(1e7) == "1.0E7");
  CHECK(JavaToString(1.25e10) == "1.25E10");
  CHECK(JavaToString(4.9e-324) == "4.9E-324");
  CHECK(JavaToString(123.456) == "123.456");
  CHECK(JavaToString(0.1f) == "0.1");
  CHECK(JavaToString(std::numeric_limits<double>::infinity()) == "Infinity");
  test::Random random;
  INFO("seed " << random.seed());
  for (int i = 0; i < 2000; ++i) {
    const double v = std::ldexp(random.Unit() - 0.5, static_cast<int>(random.Between(-300, 300)));
    CHECK(*ParseJavaDouble(JavaToString(v)) == v);
  }
}

}  // namespace
}  // namespace curlew::mapping
