// A fixed number of threads behind a bounded queue.
#ifndef CURLEW_ENGINE_UTIL_THREAD_POOL_H_
#define CURLEW_ENGINE_UTIL_THREAD_POOL_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace curlew {

// Thread-safe. Tasks start in the order in which they were posted. A task must not throw.
class ThreadPool {
 public:
  struct Stats {
    int threads = 0;
    int active = 0;
    size_t queue = 0;
    uint64_t completed = 0;
    uint64_t rejected = 0;
  };

  // `name` (at most 15 characters) is what the system shows for the threads.
  ThreadPool(std::string name, int threads, size_t queue_limit);
  // Runs what is queued, then joins.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // False, and the task is not kept, when the queue is full or the pool is stopping: the caller
  // answers RESOURCE_EXHAUSTED.
  bool Post(std::function<void()> task);

  // The same, but only when a thread has nothing to do: for help that is not worth waiting for.
  bool PostIfIdle(std::function<void()> task);

  // Refuses new tasks, runs what is queued, joins. Idempotent.
  void Stop();

  Stats stats() const;

 private:
  void Run();

  const std::string name_;
  const size_t queue_limit_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> queue_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
  int active_ = 0;
  uint64_t completed_ = 0;
  uint64_t rejected_ = 0;
};

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_THREAD_POOL_H_
