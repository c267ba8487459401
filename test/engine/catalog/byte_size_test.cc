// Sizes in bytes as settings write them.
#include <catch2/catch.hpp>

#include "engine/catalog/index_settings.h"
#include "test/engine/catalog/catalog_fixture.h"

namespace curlew::catalog {
namespace {

TEST_CASE("sizes with every unit") {
  const std::vector<std::pair<std::string, uint64_t>> sizes = {
      {"0", 0},
      {"0b", 0},
      {"512b", 512},
      {"1k", 1 << 10},
      {"1kb", 1 << 10},
      {"64m", 64 << 20},
      {"64MB", 64 << 20},
      {" 64 mb ", 64 << 20},
      {"2g", 2ull << 30},
      {"2Gb", 2ull << 30},
      {"3t", 3ull << 40},
      {"3tb", 3ull << 40},
      {"4p", 4ull << 50},
      {"4pb", 4ull << 50},
      {"9223372036854775807b", 9223372036854775807ull}};
  for (const auto& [text, bytes] : sizes) {
    const auto parsed = ParseByteSize(text, "s");
    INFO(text << ": " << parsed.status());
    REQUIRE(parsed.ok());
    CHECK(*parsed == bytes);
  }
}

TEST_CASE("sizes that are none") {
  for (const char* text : {"", "64", "1.5mb", "mb", "b", "0x1mb", "1 m b", "12eb", "+1mb", "--1",
                           "9223372036854775808b", "9007199254740993kb", "1mb\xff"}) {
    const auto status = ParseByteSize(text, "index.x").status();
    INFO(text);
    REQUIRE(!status.ok());
    CHECK(ErrorType(status) == "parse_exception");
    CHECK(DescribeError(status).rest_status == 400);
    CHECK(Reason(status).find("failed to parse setting [index.x] with value [") == 0);
  }
  for (const char* text : {"-1", "-1b", "-5mb"}) {
    CHECK(ErrorType(ParseByteSize(text, "index.x").status()) == "illegal_argument_exception");
  }
}

}  // namespace
}  // namespace curlew::catalog
