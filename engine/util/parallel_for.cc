#include "engine/util/parallel_for.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

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
  std::atomic<size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable left_;
  int helpers_ = 0;
  bool closed_ = false;
};

}  // namespace

void ParallelFor(ThreadPool* pool, size_t count, const std::function<void(size_t)>& fn) {
  if (pool == nullptr || count < 2) {
    for (size_t i = 0; i < count; ++i) fn(i);
    return;
  }
  const auto loop = std::make_shared<Loop>(count, fn);
  for (size_t i = 1; i < count && pool->PostIfIdle([loop] { loop->Help(); }); ++i) {
  }
  loop->TakeTurns();
  loop->Close();
}

}  // namespace curlew
