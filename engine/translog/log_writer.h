// The one thread that writes and syncs all translogs of the process (group commit): while a sync is
// on its way to the disk, every request that arrives joins the next one.
#ifndef CURLEW_ENGINE_TRANSLOG_LOG_WRITER_H_
#define CURLEW_ENGINE_TRANSLOG_LOG_WRITER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace curlew::translog {

// What a log that wants to be synced offers the writer thread.
class Syncable {
 public:
  virtual ~Syncable() = default;
  // Writes and syncs all that is pending and wakes its waiters. Called on the writer's thread only,
  // never twice at a time for one log. True when it could not be done for now, and should be called
  // again after a pause.
  virtual bool WriteAndSync() = 0;
};

// Thread-safe. Must outlive every log that uses it (logs hold it by shared_ptr).
class LogWriter {
 public:
  // `pause`: before what could not be written is tried again. Whoever asks for a write does not
  // wait for it.
  explicit LogWriter(std::chrono::milliseconds pause = std::chrono::milliseconds(250));
  ~LogWriter();  // serves what is pending (what needs a pause, once more), then joins
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // Has `log` written and synced soon. A log that is already waiting is not queued twice.
  void Schedule(std::shared_ptr<Syncable> log);

 private:
  using Clock = std::chrono::steady_clock;

  void Run();
  void QueueLocked(std::shared_ptr<Syncable> log);

  const std::chrono::milliseconds pause_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<std::shared_ptr<Syncable>> queue_;
  std::deque<std::pair<Clock::time_point, std::shared_ptr<Syncable>>> later_;  // in order of time
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_LOG_WRITER_H_
