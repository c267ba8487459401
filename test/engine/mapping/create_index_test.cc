// The mappings of recorded create-index and put-mapping calls: accepted, refused and shown as
// OpenSearch 3.8 does. The file holds those whose types and parameters are served.
#include <catch2/catch.hpp>

#include "test/engine/mapping/support.h"

namespace curlew::mapping::test {
namespace {

TEST_CASE("mappings come out as OpenSearch shows them") {
  const std::vector<std::string> lines = ReadLines("create-index-basic.jsonl");
  REQUIRE(lines.size() > 60);
  for (const std::string& line : lines) {
    const JsonValue record = ParseJsonValue(line).value();
    INFO(record.Find("name")->text);
    const JsonValue* given = record.Find("body")->Find("mappings");
    auto mapping = ParseMapping(given == nullptr ? "" : ToJson(*given));
    const JsonValue* put = record.Find("put_mapping");
    if (put != nullptr && mapping.ok()) mapping = (*mapping)->Merge(ToJson(*put), Analyzers(), {});
    if (const JsonValue* type = record.Find("type")) {
      CHECK(TypeOf(mapping.status()) == type->text);
      CHECK(DescribeError(mapping.status()).rest_status == 400);
      continue;
    }
    INFO(mapping.status().ToString());
    REQUIRE(mapping.ok());
    const JsonValue* shown =
        put != nullptr ? record.Find("mappings") : record.Find("get")->Find("mappings");
    const std::string json = (*mapping)->ToJson();
    INFO(json);
    CHECK(SameJson(ParseJsonValue(json).value(), *shown));
    // What is shown is read back as the same.
    CHECK(ParseMapping(json).value()->ToJson() == json);
  }
}

}  // namespace
}  // namespace curlew::mapping::test
