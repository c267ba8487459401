// The one thread that writes and syncs all translogs of the process (group commit): while a sync is
// on its way to the disk, every request that arrives joins the next one.
#ifndef CURLEW_ENGINE_TRANSLOG_LOG_WRITER_H_
#define CURLEW_ENGINE_TRANSLOG_LOG_WRITER_H_

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace curlew::translog {

// What a log that wants to be synced offers the writer thread.
class Syncable {
 public:
  virtual ~Syncable() = default;
  // Writes and syncs all that is pending and wakes its waiters. Called on the writer's thread only,
  // never twice at a time for one log.
  virtual void WriteAndSync() = 0;
};

// Thread-safe. Must outlive every log that uses it (logs hold it by shared_ptr).
class LogWriter {
 public:
  LogWriter();
  ~LogWriter();  // serves what is pending, then joins
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // Has `log` written and synced soon. A log that is already waiting is not queued twice.
  void Schedule(std::shared_ptr<Syncable> log);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<std::shared_ptr<Syncable>> queue_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_LOG_WRITER_H_
