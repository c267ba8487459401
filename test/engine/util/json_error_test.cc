// What is said of texts that are not JSON.
#include "engine/util/json_error.h"

#include <catch2/catch.hpp>

namespace curlew {
namespace {

// What is said of `json` by both of simdjson's parsers, the one that reads it whole and the one
// that reads it as asked.
std::string Describe(const std::string& json) {
  simdjson::dom::parser parser;
  const simdjson::error_code code = parser.parse(json).error();
  REQUIRE(code != simdjson::SUCCESS);
  const std::string text = DescribeJsonError(code, json);

  simdjson::ondemand::parser lazy;
  const simdjson::padded_string padded(json);
  simdjson::ondemand::document document;
  if (const simdjson::error_code early = lazy.iterate(padded).get(document)) {
    CHECK(DescribeJsonError(early, json) == text);
  }
  return text;
}

TEST_CASE("what follows after the end of a JSON value is named") {
  CHECK(Describe(R"({"n":1} x)") == "[x] follows after its end (byte 8)");
  CHECK(Describe(R"({"n":1}})") == "[}] follows after its end (byte 7)");
  CHECK(Describe("[1]\n[2]") == "[[2]] follows after its end (byte 4)");
  // Brackets inside of strings, and quotes that do not end one.
  CHECK(Describe(R"({"}":"\"}]","a":[{}]} "x")") == R"(["x"] follows after its end (byte 22))");
  CHECK(Describe("\xef\xbb\xbf{} x") == "[x] follows after its end (byte 6)");
  CHECK(Describe("{} " + std::string(100'000, 'x')).size() < 200);
}

TEST_CASE("what really ends early still does, and other errors keep their words") {
  for (const char* json : {R"({"n":1)", R"({"n":[1})", R"([1,{"a":"}"])", "{", "["}) {
    INFO(json);
    CHECK(Describe(json).find("follows") == std::string::npos);
  }
  CHECK(Describe(R"({"n":01})") == simdjson::error_message(simdjson::NUMBER_ERROR));
  CHECK(DescribeJsonError(simdjson::EMPTY, "") == simdjson::error_message(simdjson::EMPTY));
}

}  // namespace
}  // namespace curlew
