#include "engine/util/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "engine/util/other_cpu.h"

namespace curlew {
namespace {

// Shared with tasks that may start long after the loop is over, and then must not touch `fn`.
class Loop {
 public:
  Loop(size_t count, const std::function<void(size_t)>& fn) : count_(count), fn_(fn) {}

  void TakeTurns() {
    for (size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) fn_(i);
  }

  void Help() {
    {
      std::lock_guard lock(mutex_);
      if (closed_) return;
      ++helpers_;
    }
    const OnOtherCpu other(caller_cpu_);
    TakeTurns();
    std::lock_guard lock(mutex_);
    if (--helpers_ == 0) left_.notify_all();
  }

  // After its own turns: nobody new, and those who are there have finished.
  void Close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    left_.wait(lock, [this] { return helpers_ == 0; });
  }

 private:
  const size_t count_;
  const std::function<void(size_t)>& fn_;  // lives until Close returns
  const int caller_cpu_ = CurrentCpu();
  std::atomic<size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable left_;
  int helpers_ = 0;
  bool closed_ = false;
};

// Threads beyond the processors would only take turns from each other.
size_t MostHelpers() {
  static const size_t most = std::max(2u, std::thread::hardware_concurrency()) - 1;
  return most;
}

}  // namespace

void ParallelFor(ThreadPool* pool, size_t count, const std::function<void(size_t)>& fn) {
  if (pool == nullptr || count < 2) {
    for (size_t i = 0; i < count; ++i) fn(i);
    return;
  }
  const auto loop = std::make_shared<Loop>(count, fn);
  const size_t helpers = std::min(count - 1, MostHelpers());
  for (size_t i = 0; i < helpers && pool->PostIfIdle([loop] { loop->Help(); }); ++i) {
  }
  loop->TakeTurns();
  loop->Close();
}

}  // namespace curlew
