// One thread that starts things at a time: the refreshes of all shards of the process.
#ifndef CURLEW_ENGINE_INDEX_SCHEDULER_H_
#define CURLEW_ENGINE_INDEX_SCHEDULER_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace curlew::index {

// Thread-safe. Sleeps until the next task is due; without tasks it sleeps for good. Tasks run on
// its thread and must be short: they post the work to a pool.
class Scheduler {
 public:
  using Clock = std::chrono::steady_clock;

  // The process's own: made for its first user, gone with its last.
  static std::shared_ptr<Scheduler> Shared();

  Scheduler();
  ~Scheduler();  // drops what is still waiting
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  void At(Clock::time_point time, std::function<void()> task);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<Clock::time_point, std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SCHEDULER_H_
