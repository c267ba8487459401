#include "server/running_calls.h"

#include <utility>
#include <vector>

#include "engine/util/error.h"

namespace curlew::server {

void RunningCalls::Add(const std::shared_ptr<Call>& call) {
  std::lock_guard lock(mutex_);
  calls_.emplace(call.get(), call);
  count_.fetch_add(1, std::memory_order_relaxed);
}

void RunningCalls::Remove(Call* call) {
  std::lock_guard lock(mutex_);
  calls_.erase(call);
  count_.fetch_sub(1, std::memory_order_relaxed);
}

absl::Status RunningCalls::Stopping() {
  return MakeError("node_closed_exception", 503, "the server is stopping");
}

void RunningCalls::EndAll() {
  std::vector<std::shared_ptr<Call>> calls;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [pointer, call] : calls_) {
      if (std::shared_ptr<Call> held = call.lock()) calls.push_back(std::move(held));
    }
  }
  // Without the lock: gRPC may run the end of a call within its answer.
  for (const auto& call : calls) call->End(Stopping());
}

}  // namespace curlew::server
