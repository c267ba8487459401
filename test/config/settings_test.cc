#include "config/settings.h"

#include <catch2/catch.hpp>

#include "engine/util/error.h"

namespace curlew::config {
namespace {

TEST_CASE("listen addresses") {
  CHECK(ParseListenAddress("127.0.0.1:9400")->port == 9400);
  CHECK(ParseListenAddress("localhost:0")->host == "localhost");
  CHECK(ParseListenAddress("[::1]:65535")->host == "::1");
  for (const char* wrong : {"", ":", "127.0.0.1", "127.0.0.1:", ":9400", "::1:9400", "h:65536",
                            "h:-1", "h:9400x", "[]:1"}) {
    INFO(wrong);
    CHECK(!ParseListenAddress(wrong).ok());
  }
}

TEST_CASE("defaults are whole and depend on the machine where they should") {
  const auto settings = MakeSettings(Registry());
  REQUIRE(settings.ok());
  CHECK(!settings->node_name.empty());
  CHECK(settings->grpc.max_message_bytes == 10 << 20);
  CHECK(settings->search_pool.threads >= 2);
  CHECK(settings->write_pool.threads >= 8);
  CHECK(settings->background_pool.threads >= 2);
  CHECK(settings->engine.auto_create_index);
  CHECK(settings->shutdown_grace == std::chrono::seconds(20));
}

TEST_CASE("the engine's memory is as it was set") {
  Registry registry;
  CHECK(MakeSettings(registry)->engine.index_buffer_bytes == 512 << 20);
  REQUIRE(registry.Set("indices.memory.index_buffer_size", "3mb", Origin::kFlag).ok());
  REQUIRE(registry.Set("indices.memory.shard_buffer_size", "2mb", Origin::kFlag).ok());
  CHECK(MakeSettings(registry)->engine.index_buffer_bytes == 3 << 20);
  CHECK(MakeSettings(registry)->engine.shard_buffer_bytes == 2 << 20);
}

TEST_CASE("settings that contradict each other are refused") {
  Registry registry;
  REQUIRE(registry.Set("admission.max_in_flight_bytes", "5mb", Origin::kFlag).ok());
  CHECK(DescribeError(MakeSettings(registry).status()).reason ==
        "setting [admission.max_in_flight_bytes] cannot be [5mb]: it must be at least "
        "[grpc.max_msg_size], which is [10mb]");
  Registry other;
  REQUIRE(other.Set("listen", "nonsense", Origin::kFlag).ok());
  CHECK(!MakeSettings(other).ok());
}

}  // namespace
}  // namespace curlew::config
