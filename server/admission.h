// How much work the process holds at one time: calls, and the bytes of their requests (as received
// and as parsed), of what handlers are about to take for them, and of their responses.
//
// gRPC 1.51 has no such limit of its own: a finished response stays in memory until its call ends,
// and a request is buffered whole before anybody has asked for it.
#ifndef CURLEW_SERVER_ADMISSION_H_
#define CURLEW_SERVER_ADMISSION_H_

#include <atomic>
#include <cstdint>

#include "server/running_calls.h"

namespace curlew::server {

// Thread-safe; outlives every call that it counts.
class Admission {
 public:
  struct Stats {
    int64_t calls = 0;     // not finished yet
    int64_t bytes = 0;     // held for them
    int64_t rejected = 0;  // calls refused since the start, here or by a full queue
  };

  explicit Admission(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // False when `bytes` more would be over the limit; nothing is counted then.
  bool TryTake(int64_t bytes) {
    if (bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit_bytes_) return true;
    Give(bytes);
    return false;
  }
  // For what is in memory already, whatever the limit says.
  void Take(int64_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void Give(int64_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  RunningCalls& running() { return running_; }
  void CallRejected() { rejected_.fetch_add(1, std::memory_order_relaxed); }

  int64_t limit_bytes() const { return limit_bytes_; }
  Stats stats() const { return {running_.count(), bytes_.load(), rejected_.load()}; }

 private:
  const int64_t limit_bytes_;
  std::atomic<int64_t> bytes_{0};
  RunningCalls running_;
  std::atomic<int64_t> rejected_{0};
};

}  // namespace curlew::server

#endif  // CURLEW_SERVER_ADMISSION_H_
