#include "config/command_line.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "config/sources.h"
#include "engine/util/error.h"

namespace curlew::config {
namespace {

absl::StatusOr<CommandLine> Parse(std::vector<const char*> arguments,
                                  std::vector<const char*> environment = {}) {
  arguments.insert(arguments.begin(), "curlewd");
  environment.push_back(nullptr);
  return ParseCommandLine(static_cast<int>(arguments.size()), arguments.data(), environment.data(),
                          "curlewd 1.2.3");
}

TEST_CASE("flags win over the environment, which wins over the file") {
  const std::string path = "command_line_test." + std::to_string(getpid()) + ".yml";
  std::ofstream(path) << "node.name: file\ndata.path: file\nlisten: 127.0.0.1:1\n";
  const auto line = Parse({"--config", path.c_str(), "--data", "flag", "--set", "node.name=x=y",
                           "--set", "grpc.max_connections=9"},
                          {"CURLEW_DATA=env", "CURLEW_LISTEN=127.0.0.1:2"});
  std::remove(path.c_str());
  REQUIRE(line.ok());
  CHECK(line->action == CommandLine::Action::kServe);
  CHECK(line->registry.Text("data.path") == "flag");
  CHECK(line->registry.Text("listen") == "127.0.0.1:2");
  CHECK(line->registry.Text("node.name") == "x=y");
  CHECK(line->registry.Number("grpc.max_connections") == 9);
}

TEST_CASE("actions") {
  CHECK(Parse({"--check-config"})->action == CommandLine::Action::kCheckConfig);
  CHECK(Parse({"--print-config"})->action == CommandLine::Action::kPrintConfig);
  CHECK(Parse({"--version"})->text == "curlewd 1.2.3\n");
  const auto help = Parse({"--help"});
  CHECK(help->text.find("--listen") != std::string::npos);
  CHECK(help->text.find("CURLEW_DATA") != std::string::npos);
}

TEST_CASE("wrong command lines") {
  CHECK(!Parse({"--lisen", "x"}).ok());
  CHECK(!Parse({"extra"}).ok());
  CHECK(!Parse({"--config", "/nowhere.yml"}).ok());
  CHECK(DescribeError(Parse({"--set", "node.name"}).status()).reason ==
        "--set takes KEY=VALUE, such as --set grpc.max_msg_size=20mb, but got [node.name]");
  CHECK(DescribeError(Parse({"--set", "nodename=1"}).status()).reason ==
        "unknown setting [nodename], did you mean [node.name]?");
}

TEST_CASE("a printed configuration gives the same settings back") {
  const auto line = Parse({"--set", "node.name=a \"b\" \\ # c", "--listen", "[::1]:7"});
  REQUIRE(line.ok());
  Registry again;
  const std::string text = DescribeAsYaml(line->registry);
  INFO(text);
  REQUIRE(LoadYaml(text, "printed", again).ok());
  for (const Registry::Value& value : line->registry.values()) {
    CHECK(again.Text(value.setting->key) == value.text);
  }
}

}  // namespace
}  // namespace curlew::config
