#include "config/sources.h"

#include <catch2/catch.hpp>
#include <string>

#include "engine/util/error.h"

namespace curlew::config {
namespace {

std::string YamlError(const std::string& text) {
  Registry registry;
  return DescribeError(LoadYaml(text, "f.yml", registry)).reason;
}

TEST_CASE("yaml keys may be nested or dotted") {
  Registry registry;
  REQUIRE(LoadYaml("node.name: n1\n"
                   "grpc:\n"
                   "  max_msg_size: 20mb\n"
                   "  max_connections: 7\n"
                   "thread_pool.search:\n"
                   "  size: 3\n"
                   "action:\n"
                   "  auto_create_index: false\n",
                   "f.yml", registry)
              .ok());
  CHECK(registry.Text("node.name") == "n1");
  CHECK(registry.Number("grpc.max_msg_size") == 20 << 20);
  CHECK(registry.Number("grpc.max_connections") == 7);
  CHECK(registry.Number("thread_pool.search.size") == 3);
  CHECK(!registry.Bool("action.auto_create_index"));
  CHECK(LoadYaml("", "f.yml", registry).ok());
  CHECK(LoadYaml("# nothing\n", "f.yml", registry).ok());
}

TEST_CASE("yaml errors name file, line and key") {
  CHECK(YamlError("listen: 127.0.0.1:1\nnod.name: x\n") ==
        "f.yml:2: unknown setting [nod.name], did you mean [node.name]?");
  CHECK(YamlError("grpc:\n  max_connections: many\n") ==
        "f.yml:2: setting [grpc.max_connections] cannot be [many]: it must be a whole number");
  CHECK(YamlError("node.name: [a, b]\n") ==
        "f.yml:1: setting [node.name] must have one plain value");
  CHECK(YamlError("node.name: a\nnode:\n  name: b\n") ==
        "f.yml:3: setting [node.name] is given twice");
  CHECK(YamlError("node.name:\n") == "f.yml:1: setting [node.name] must have one plain value");
  CHECK(YamlError("- a\n") == "f.yml: settings must be lines of key: value");
  CHECK(YamlError("a: b: c\n").starts_with("f.yml:1: "));
  CHECK(YamlError("? [a]\n: b\n") == "f.yml:1: a key must be plain text");
  Registry registry;
  CHECK(DescribeError(LoadYamlFile("/nowhere/f.yml", registry)).reason ==
        "cannot read the settings file [/nowhere/f.yml]");
}

TEST_CASE("environment variables") {
  Registry registry;
  const char* good[] = {"PATH=/bin",
                        "CURLEW_DATA=/d",
                        "CURLEW_LISTEN=127.0.0.1:1",
                        "CURLEW_TEST_SEED=7",
                        "CURLEW__GRPC__MAX_MSG_SIZE=1mb",
                        "CURLEW__THREAD_POOL__SEARCH__QUEUE_SIZE=5",
                        "ODD",
                        nullptr};
  REQUIRE(LoadEnvironment(good, registry).ok());
  CHECK(registry.Text("data.path") == "/d");
  CHECK(registry.Text("listen") == "127.0.0.1:1");
  CHECK(registry.Number("grpc.max_msg_size") == 1 << 20);
  CHECK(registry.Number("thread_pool.search.queue_size") == 5);

  const char* bad[] = {"CURLEW__NODE__NAMES=x", nullptr};
  CHECK(DescribeError(LoadEnvironment(bad, registry)).reason ==
        "environment variable CURLEW__NODE__NAMES: unknown setting [node.names], did you mean "
        "[node.name]?");
}

}  // namespace
}  // namespace curlew::config
