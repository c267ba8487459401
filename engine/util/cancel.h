// The way a running piece of work learns that nobody waits for it any more.
#ifndef CURLEW_ENGINE_UTIL_CANCEL_H_
#define CURLEW_ENGINE_UTIL_CANCEL_H_

#include <atomic>
#include <chrono>

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

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_CANCEL_H_
