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

TEST_CASE("what a search failed of is said too") {
  const std::string search =
      "SearchPhaseExecutionException[all shards failed]; details={\"error\":{\"root_cause\":[{"
      "\"type\":\"illegal_argument_exception\",\"reason\":\"sort on [t.keyword]\"}]}}";
  CHECK(Readable(search) ==
        "SearchPhaseExecutionException[all shards failed]\n  sort on [t.keyword]");
  CHECK(Readable("X[no such index]; details={\"error\":{\"root_cause\":[{\"reason\":\"no such "
                 "index\"}]}}") == "X[no such index]");
  CHECK(Readable("X[y]; details={\"cut") == "X[y]");
  CHECK(Readable("plain") == "plain");
}

}  // namespace
}  // namespace curlew::cli
