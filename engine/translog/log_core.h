// The part of a translog that the writer thread works on: pending bytes, the file being written,
// and what is durable of it.
#ifndef CURLEW_ENGINE_TRANSLOG_LOG_CORE_H_
#define CURLEW_ENGINE_TRANSLOG_LOG_CORE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store/directory.h"
#include "engine/translog/generation_scan.h"
#include "engine/translog/log_writer.h"
#include "engine/translog/recovery.h"
#include "engine/translog/translog.h"

namespace curlew::translog {

// Thread-safe. Knows nothing of the LogWriter that calls it, so that the writer thread may be the
// last to let go of it; calls that return `schedule` ask their caller to schedule it.
class LogCore : public Syncable {
 public:
  // Opens the log (see Translog::Open).
  static absl::StatusOr<std::shared_ptr<LogCore>> Open(std::shared_ptr<store::Directory> directory,
                                                       const TranslogOptions& options);

  absl::Status CheckSize(std::string_view id, std::string_view routing,
                         std::string_view source) const;
  absl::StatusOr<Ticket> Append(const Operation& operation, bool& schedule);

  // Each asks for a write, if one is needed, with the first call, and waits with the second.
  bool Request(Ticket ticket);
  absl::Status WaitDurable(Ticket ticket);
  absl::StatusOr<uint64_t> RequestRoll(bool& schedule);
  absl::Status WaitGeneration(uint64_t generation);
  bool RequestClose();
  absl::Status WaitClosed();

  absl::Status Replay(uint64_t from_generation, const OperationVisitor& visit);
  absl::Status TrimBefore(uint64_t generation);
  Ticket last_ticket() const;
  absl::Status status() const;
  absl::Status shortage() const;
  TranslogStats stats() const;

  // Nobody has the log any more. Returns when the writer's thread has done what it was asked for
  // and let go of the files, so that they can be opened anew; it does not come back to them.
  void Abandon();

  bool WriteAndSync() override;

 private:
  using Clock = std::chrono::steady_clock;

  // Operations that wait to be written, all for one generation. The bytes start with room for the
  // sync mark of the batch.
  struct Batch {
    uint64_t generation = 0;
    uint32_t seed = 0;
    uint64_t operations = 0;
    std::string bytes;
  };

  LogCore(std::shared_ptr<store::Directory> directory, const TranslogOptions& options);

  // With mutex_ held.
  void StartBatch(uint64_t generation, uint32_t seed);
  void StartGeneration();
  bool Schedule();

  // What WriteAndSync does between its beginning and its end.
  bool WritePending();
  // On the writer's thread, without mutex_. `written` counts the batches that are durable.
  absl::Status Write(std::vector<Batch>& batches, bool close, size_t& written);
  // Puts what could not be written back before what has been appended since.
  void Postpone(std::vector<Batch> batches, absl::Status shortage);
  absl::Status WriteBatch(Batch& batch, bool end);
  absl::Status CreateFile(uint64_t generation, uint32_t seed);
  absl::Status ReserveAhead();
  void Poison(absl::Status status);

  const std::shared_ptr<store::Directory> directory_;
  const TranslogOptions options_;

  std::mutex trim_mutex_;  // one trim at a time; taken before mutex_
  mutable std::mutex mutex_;
  std::condition_variable changed_;          // anything below that somebody may wait for
  absl::Status status_;                      // of the first failure: poisoned
  std::vector<GenerationInfo> generations_;  // kept ones; the last takes appends
  std::vector<Batch> pending_;               // never empty; the last takes appends
  std::string spare_;                        // a written batch's memory, for the next one
  Ticket appended_ = 0;
  Ticket durable_ = 0;
  uint64_t created_ = 0;  // the newest generation whose file durably exists
  absl::Status shortage_;
  Clock::time_point short_since_;
  uint64_t postponed_ = 0;          // so many times
  std::atomic<bool> short_{false};  // shortage_ is not OK: to be asked before every operation
  bool scheduled_ = false;
  bool closing_ = false;
  bool closed_ = false;
  bool writing_ = false;  // the writer's thread is at it
  bool abandoned_ = false;

  // Of the writer's thread (and of Open, before there is one).
  std::unique_ptr<store::LogFile> file_;
  uint64_t file_generation_ = 0;
  uint64_t file_operations_ = 0;
  uint64_t tail_ = 0;  // where the next batch goes
};

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_LOG_CORE_H_
