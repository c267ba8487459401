// Names that an index may have, by OpenSearch's rules.
#include <catch2/catch.hpp>

#include "test/engine/catalog/catalog_fixture.h"

namespace curlew::catalog {
namespace {

TEST_CASE("names of indexes that are allowed") {
  for (const std::string& name :
       {std::string("a"), std::string("dot.name"), std::string(".hidden"), std::string("a-b_c"),
        std::string("a+b"), std::string("..."), std::string("0"), std::string("a_"),
        std::string("b\xc3\xbc"
                    "cher"),
        std::string("\xe6\x97\xa5\xe6\x9c\xac"), std::string("a=b;c&d%e"), std::string(255, 'x')}) {
    INFO(name);
    CHECK(CheckIndexName(name).ok());
  }
}

TEST_CASE("names of indexes that are refused, and why") {
  const std::string characters =
      "must not contain the following characters [ , \", *, \\, <, |, ,, >, /, ?]";
  const std::string start = "must not start with '_', '-', or '+'";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "must not be empty"},
      {"with space", characters},
      {"a,b", characters},
      {"a?b", characters},
      {"a|b", characters},
      {"a\"b", characters},
      {"a/b", characters},
      {"a\\b", characters},
      {"a*b", characters},
      {"a<b", characters},
      {"a>b", characters},
      {"a\tb", characters},
      {"a\nb", characters},
      {std::string("a\0b", 3), characters},
      {"a\x7f", characters},
      {"a#b", "must not contain '#'"},
      {"a:b", "must not contain ':'"},
      {"_lead", start},
      {"-lead", start},
      {"+lead", start},
      {".", "must not be '.' or '..'"},
      {"..", "must not be '.' or '..'"},
      {std::string(256, 'x'), "index name is too long, (256 > 255)"},
      {"Upper", "must be lowercase"}};
  for (const auto& [name, why] : wrong) {
    INFO(name);
    const absl::Status status = CheckIndexName(name);
    REQUIRE(!status.ok());
    CHECK(ErrorType(status) == "invalid_index_name_exception");
    CHECK(DescribeError(status).rest_status == 400);
    CHECK(Reason(status) == "Invalid index name [" + name + "], " + why);
    CHECK(Fact(status, "index") == name);
  }
}

TEST_CASE("a very long name is cut in the message") {
  const absl::Status status = CheckIndexName(std::string(100000, 'x'));
  CHECK(Reason(status).size() < 500);
}

TEST_CASE("names that are not UTF-8 are refused") {
  for (const std::string& name : {std::string("a\xff"), std::string("\xc3"),
                                  std::string("\xed\xa0\x80"), std::string("a\xc0\xaf")}) {
    CHECK(ErrorType(CheckIndexName(name)) == "invalid_index_name_exception");
  }
}

}  // namespace
}  // namespace curlew::catalog
