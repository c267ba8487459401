#include "config/registry.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/util/error.h"

namespace curlew::config {
namespace {

std::string ReasonOf(const absl::Status& status) { return DescribeError(status).reason; }

const Setting& Find(std::string_view key) {
  for (const Setting& setting : AllSettings()) {
    if (setting.key == key) return setting;
  }
  FAIL("no setting " << key);
  return AllSettings()[0];
}

TEST_CASE("every row of the table is whole") {
  std::string_view last;
  for (const Setting& setting : AllSettings()) {
    INFO(setting.key);
    CHECK(last < setting.key);
    last = setting.key;
    CHECK(ParseValue(setting, setting.default_text).ok());
    CHECK(!setting.doc.empty());
    CHECK(setting.doc.find('\n') == std::string_view::npos);
    CHECK(setting.least <= setting.most);
    CHECK((setting.type == Type::kChoice) == !setting.choices.empty());
  }
}

TEST_CASE("the operator's page lists every setting with its default and meaning") {
  std::ifstream file(CURLEW_SOURCE_DIR "/docs/operations.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const Setting& setting : AllSettings()) {
    const std::string shown =
        setting.default_text.empty() ? "" : "`" + std::string(setting.default_text) + "`";
    const std::string row = "| `" + std::string(setting.key) + "` | " + shown + " | " +
                            std::string(setting.doc) + " |\n";
    INFO(row);
    CHECK(page.find(row) != std::string::npos);
  }
}

TEST_CASE("bounds hold at both ends and one beyond") {
  for (const Setting& setting : AllSettings()) {
    if (setting.type != Type::kInteger && setting.type != Type::kBytes &&
        setting.type != Type::kTime) {
      continue;
    }
    INFO(setting.key);
    const std::string unit = setting.type == Type::kTime ? "ms" : "";
    CHECK(ParseValue(setting, std::to_string(setting.least) + unit).value() == setting.least);
    CHECK(ParseValue(setting, std::to_string(setting.most) + unit).value() == setting.most);
    CHECK(!ParseValue(setting, std::to_string(setting.least - 1) + unit).ok());
    CHECK(!ParseValue(setting, std::to_string(setting.most + 1) + unit).ok());
  }
}

TEST_CASE("sizes and times have units") {
  const Setting& size = Find("grpc.max_msg_size");
  CHECK(ParseValue(size, "10mb").value() == 10 << 20);
  CHECK(ParseValue(size, "10MB").value() == 10 << 20);
  CHECK(ParseValue(size, "10m").value() == 10 << 20);
  CHECK(ParseValue(size, "2048").value() == 2048);
  CHECK(ParseValue(size, "2048b").value() == 2048);
  CHECK(ParseValue(size, "1gb").value() == 1 << 30);
  for (const char* wrong : {"", "mb", "1.5mb", "-1", "10 mb", "10xb", "99999999999999999999",
                            "9223372036854775807tb"}) {
    INFO(wrong);
    CHECK(!ParseValue(size, wrong).ok());
  }
  const Setting& time = Find("shutdown.grace_period");
  CHECK(ParseValue(time, "500ms").value() == 500);
  CHECK(ParseValue(time, "30s").value() == 30000);
  CHECK(ParseValue(time, "5m").value() == 300000);
  CHECK(ParseValue(time, "1h").value() == 3600000);
  CHECK(ParseValue(time, "0").value() == 0);
  CHECK(!ParseValue(time, "30").ok());
  CHECK(!ParseValue(time, "s").ok());
}

TEST_CASE("a refused value says key, value and what is allowed") {
  Registry registry;
  CHECK(ReasonOf(registry.Set("action.auto_create_index", "yes", Origin::kFlag)) ==
        "setting [action.auto_create_index] cannot be [yes]: it must be true or false");
  CHECK(ReasonOf(registry.Set("thread_pool.admin.size", "0", Origin::kFlag)) ==
        "setting [thread_pool.admin.size] cannot be [0]: it must be at least 1");
  CHECK(ReasonOf(registry.Set("logger.level", "loud", Origin::kFlag)) ==
        "setting [logger.level] cannot be [loud]: it must be one of trace|debug|info|warn|error");
  CHECK(registry.Text("logger.level") == "info");
}

TEST_CASE("an unknown key is named with the nearest") {
  Registry registry;
  CHECK(ReasonOf(registry.Set("grpc.max_mgs_size", "1mb", Origin::kFlag)) ==
        "unknown setting [grpc.max_mgs_size], did you mean [grpc.max_msg_size]?");
  CHECK(ReasonOf(registry.Set("max_msg_size", "1mb", Origin::kFlag)) ==
        "unknown setting [max_msg_size], did you mean [grpc.max_msg_size]?");
  CHECK(ReasonOf(registry.Set("zzzzzz", "1", Origin::kFlag)) == "unknown setting [zzzzzz]");
  CHECK(ReasonOf(registry.Set("", "1", Origin::kFlag)) == "unknown setting []");
  CHECK(!registry.Set(std::string(100000, 'x'), "1", Origin::kFlag).ok());
}

TEST_CASE("the stronger origin wins whatever the order") {
  Registry registry;
  CHECK(registry.values()[0].origin == Origin::kDefault);
  REQUIRE(registry.Set("node.name", "flag", Origin::kFlag).ok());
  REQUIRE(registry.Set("node.name", "file", Origin::kFile).ok());
  CHECK(registry.Text("node.name") == "flag");
  REQUIRE(registry.Set("node.name", "flag2", Origin::kFlag).ok());
  CHECK(registry.Text("node.name") == "flag2");
  // Wrong is wrong, even where it would not count.
  CHECK(!registry.Set("logger.level", "loud", Origin::kFile).ok());
}

}  // namespace
}  // namespace curlew::config
