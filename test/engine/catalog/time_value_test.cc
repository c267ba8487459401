// Time values as OpenSearch reads them.
#include <catch2/catch.hpp>
#include <chrono>

#include "engine/catalog/index_settings.h"
#include "engine/util/error.h"

namespace curlew::catalog {
namespace {

using namespace std::chrono_literals;

TEST_CASE("time values with units") {
  const std::vector<std::pair<std::string, std::chrono::nanoseconds>> expected = {
      {"1s", 1s},
      {"500ms", 500ms},
      {"1m", 60s},
      {"2h", 7200s},
      {"1d", 86400s},
      {"100micros", 100us},
      {"7nanos", 7ns},
      {"0", 0ns},
      {"00", 0ns},
      {"0s", 0ns},
      {"-1", -1ms},
      {"-1ms", -1ms},
      {"10S", 10s},
      {"1 m", 60s},
      {" 5s ", 5s},
      {"20MS", 20ms},
      {"106751d", std::chrono::hours(24 * 106751)}};
  for (const auto& [text, value] : expected) {
    INFO(text);
    const auto parsed = ParseTimeValue(text, "index.refresh_interval");
    REQUIRE(parsed.ok());
    CHECK(*parsed == value);
  }
}

TEST_CASE("time values that are none") {
  const std::vector<std::string> wrong = {
      "",     "5",     "s",    "1.5s",    "1w",
      "-2s",  "-5",    "1ss",  "one s",   "1s2",
      "+1s",  "1M",    "--1s", "106752d", "9223372036854775808nanos",
      "1\0s", "1e3ms", "ms",   "0x10s",   std::string(5000, '9')};
  for (const std::string& text : wrong) {
    INFO(text);
    const auto parsed = ParseTimeValue(text, "index.gc_deletes");
    REQUIRE(!parsed.ok());
    const ErrorDetails details = DescribeError(parsed.status());
    CHECK(details.type == "illegal_argument_exception");
    CHECK(details.rest_status == 400);
    CHECK(details.reason.find("failed to parse setting [index.gc_deletes] with value [" +
                              Clip(text)) == 0);
    CHECK(details.reason.size() < 500);
  }
}

TEST_CASE("a time value without a unit says so") {
  CHECK(DescribeError(ParseTimeValue("10", "index.refresh_interval").status()).reason ==
        "failed to parse setting [index.refresh_interval] with value [10] as a time value: unit is "
        "missing or unrecognized");
}

}  // namespace
}  // namespace curlew::catalog
