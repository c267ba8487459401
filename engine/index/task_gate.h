// Lets background tasks of an object run, and lets the object wait until none does any more.
#ifndef CURLEW_ENGINE_INDEX_TASK_GATE_H_
#define CURLEW_ENGINE_INDEX_TASK_GATE_H_

#include <condition_variable>
#include <mutex>

namespace curlew::index {

// Shared by the object and its tasks, which enter before they touch it. Thread-safe.
class TaskGate {
 public:
  // False once the gate is closed: the object may be gone.
  bool Enter() {
    std::lock_guard lock(mutex_);
    if (closed_) return false;
    ++inside_;
    return true;
  }
  void Leave() {
    std::lock_guard lock(mutex_);
    if (--inside_ == 0) empty_.notify_all();
  }
  void CloseAndWait() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    empty_.wait(lock, [this] { return inside_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable empty_;
  int inside_ = 0;
  bool closed_ = false;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_TASK_GATE_H_
