// The way a running piece of work learns that nobody waits for it any more.
#ifndef CURLEW_ENGINE_UTIL_CANCEL_H_
#define CURLEW_ENGINE_UTIL_CANCEL_H_

#include <atomic>
#include <chrono>
#include <cstdint>

#include "absl/status/status.h"

namespace curlew {

// Owned by the call; shared with the work it started. Any thread may cancel or look. Loops look at
// least every 50 ms of work (in practice every 65,536 documents or every fetched hit); one look
// costs an atomic load, and a clock call when there is a deadline.
class CancelToken {
 public:
  using Clock = std::chrono::steady_clock;

  CancelToken() = default;
  explicit CancelToken(Clock::time_point deadline) : deadline_(deadline) {}
  CancelToken(const CancelToken&) = delete;
  CancelToken& operator=(const CancelToken&) = delete;

  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  Clock::time_point deadline() const { return deadline_; }

  // OK, or Cancelled, or DeadlineExceeded.
  absl::Status Check() const;

 private:
  std::atomic<bool> cancelled_{false};
  Clock::time_point deadline_ = Clock::time_point::max();
};

// The look at a token from a loop of short steps: once in so many of them, so that a step costs a
// count. Lives on the stack of the loop; the token (null = there is none) has to outlive it. One
// thread.
class PeriodicCheck {
 public:
  // 4,096 steps of up to 10 us each stay within the 50 ms above.
  static constexpr uint64_t kSteps = 4096;

  explicit PeriodicCheck(const CancelToken* token, uint64_t every = kSteps)
      : token_(token), every_(every), left_(every) {}

  // Counts `steps`. True when the loop has to end, and from then on.
  bool Stop(uint64_t steps = 1) {
    if (steps < left_) {
      left_ -= steps;
      return false;
    }
    return Look();
  }
  // Why the loop had to end; OK when it had not.
  absl::Status status() const { return stopped_ ? token_->Check() : absl::OkStatus(); }

 private:
  bool Look();

  const CancelToken* const token_;
  const uint64_t every_;
  uint64_t left_;
  bool stopped_ = false;
};

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_CANCEL_H_
