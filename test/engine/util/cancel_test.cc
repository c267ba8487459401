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

TEST_CASE("a loop looks at its token every so many steps") {
  CancelToken token;
  PeriodicCheck check(&token, 10);
  int steps = 0;
  for (; !check.Stop() && steps < 1000; ++steps) {
    if (steps == 25) token.Cancel();
  }
  CHECK(steps == 29);  // the thirtieth step looks
  CHECK(check.Stop());
  CHECK(check.status().code() == absl::StatusCode::kCancelled);

  PeriodicCheck large(&token, 10);
  CHECK_FALSE(large.Stop(9));
  CHECK(large.Stop(1'000'000));
  PeriodicCheck none(nullptr, 10);
  CHECK_FALSE(none.Stop(1'000'000));
  CHECK(none.status().ok());
}

}  // namespace
}  // namespace curlew
