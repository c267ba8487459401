// Who has refused a call: the server or the channel.
#include "cli/connection.h"

#include <catch2/catch.hpp>

namespace curlew::cli {
namespace {

// The exit code that a failed call ends a command with.
int CodeOf(const grpc::Status& status) {
  try {
    Require(status, Context());
  } catch (const CommandError& error) {
    CHECK(std::string(error.what()).find("details=") == std::string::npos);
    return error.code();
  }
  return kSuccess;
}

TEST_CASE("a server that answers UNAVAILABLE is there") {
  CHECK(CodeOf(grpc::Status::OK) == kSuccess);
  CHECK(CodeOf({grpc::UNAVAILABLE, "failed to connect to all addresses"}) == kUnreachable);
  CHECK(CodeOf({grpc::UNAVAILABLE, "Socket closed"}) == kUnreachable);
  CHECK(CodeOf({grpc::UNAVAILABLE,
                "UnavailableShardsException[no shard]; details={\"status\":503}"}) == kFailed);
  CHECK(CodeOf({grpc::UNAVAILABLE, "UnavailableShardsException[long]"}) == kFailed);
  CHECK(CodeOf({grpc::NOT_FOUND, "IndexNotFoundException[x]; details={}"}) == kFailed);
}

}  // namespace
}  // namespace curlew::cli
