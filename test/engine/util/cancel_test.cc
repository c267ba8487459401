#include "engine/util/cancel.h"

#include <catch2/catch.hpp>
#include <thread>

namespace curlew {
namespace {

TEST_CASE("a token is OK until it is cancelled, also by another thread") {
  CancelToken token;
  CHECK(token.Check().ok());
  std::thread([&] { token.Cancel(); }).join();
  CHECK(token.cancelled());
  CHECK(token.Check().code() == absl::StatusCode::kCancelled);
}

TEST_CASE("a token expires at its deadline, and cancelling comes first") {
  const auto now = CancelToken::Clock::now();
  CancelToken later(now + std::chrono::hours(1));
  CHECK(later.Check().ok());
  CancelToken passed(now - std::chrono::milliseconds(1));
  CHECK(passed.Check().code() == absl::StatusCode::kDeadlineExceeded);
  passed.Cancel();
  CHECK(passed.Check().code() == absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace curlew
