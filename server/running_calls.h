// The calls that run now, so that a server that stops can end them itself: what gRPC ends for it,
// the clients see as CANCELLED, as if they had given up.
#ifndef CURLEW_SERVER_RUNNING_CALLS_H_
#define CURLEW_SERVER_RUNNING_CALLS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "absl/status/status.h"

namespace curlew::server {

// Thread-safe; outlives its calls.
class RunningCalls {
 public:
  class Call {
   public:
    virtual ~Call() = default;
    // Answers with `status`, if nothing has been answered yet, and tells the work to stop.
    virtual void End(const absl::Status& status) = 0;
  };

  // From the start of a call until its client has the answer, or is gone.
  void Add(const std::shared_ptr<Call>& call);
  void Remove(Call* call);
  int64_t count() const { return count_.load(std::memory_order_relaxed); }

  // From now on new calls are to be refused with Stopping(): they may ask.
  void Stop() { stopping_ = true; }
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }
  // node_closed_exception (503): nothing of the call was done, or not all; another node, or this
  // one once it is back, can be asked.
  static absl::Status Stopping();

  // Ends all that run now, with Stopping().
  void EndAll();

 private:
  std::atomic<int64_t> count_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::unordered_map<Call*, std::weak_ptr<Call>> calls_;
};

}  // namespace curlew::server

#endif  // CURLEW_SERVER_RUNNING_CALLS_H_
