// A shard's write-ahead log: what was acknowledged since the last commit point.
//
// Files `translog-<generation>.log`, preallocated; records are length, type, CRC-32C (seeded with
// the file's random seed from its header, so that stale bytes of a recycled block never pass) and
// payload. A torn tail of the last generation (bytes of a group commit that was never acknowledged)
// is cut at the last whole record; anything else that does not check is Corruption naming file and
// offset. A small checkpoint file names the oldest generation that is still needed.
#ifndef CURLEW_ENGINE_TRANSLOG_TRANSLOG_H_
#define CURLEW_ENGINE_TRANSLOG_TRANSLOG_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store/directory.h"
#include "engine/translog/log_writer.h"
#include "engine/translog/operation.h"

namespace curlew::translog {

struct TranslogOptions {
  uint64_t generation_bytes = 64ull << 20;  // a generation is closed at this size
  // A file grows in steps of this, ahead of need. A step costs a sync of its own in which nobody
  // gets served (0.4 ms for 512 KB, 10 ms for 4 MB on a virtio disk).
  uint64_t preallocate_bytes = 512ull << 10;
  // The log was there before: one that is not is Corruption, not a new log.
  bool must_exist = false;
  // The largest operation (id, routing and source together) that Append takes; at most 1 GiB, which
  // keeps lengths far from 32 bits.
  uint64_t max_operation_bytes = 1ull << 30;
  // How long WaitDurable waits for a shortage to pass.
  std::chrono::milliseconds shortage_wait{10000};
};

struct TranslogStats {
  uint64_t operations = 0;  // in all generations that are kept
  uint64_t bytes = 0;
  uint64_t oldest_generation = 0;
  uint64_t generation = 0;  // the one being written
  uint64_t open_files = 0;  // file descriptors that are held
};

// Identifies everything appended so far; a later ticket covers all earlier ones.
using Ticket = uint64_t;

// Thread-safe. After the first failed write or sync every call fails with that error (a log that
// may have lost bytes is not written any further). A shortage of descriptors, memory or room before
// a sync is no such failure (store::IsShortage): nothing is lost, the writing is tried again every
// now and then, and until it succeeds Roll fails with it and shortage() tells of it.
class Translog {
 public:
  // Opens the log in `directory` (an empty folder gives an empty log) and cuts a torn tail. All
  // that is in it then is durable. Appends go to a new generation unless the last one is empty. One
  // log a folder at a time.
  static absl::StatusOr<std::shared_ptr<Translog>> Open(std::shared_ptr<store::Directory> directory,
                                                        std::shared_ptr<LogWriter> writer,
                                                        const TranslogOptions& options);
  virtual ~Translog() = default;

  // Calls `visit` for every operation of generations >= `from_generation` (0: all that are kept),
  // oldest first; stops at its first error. Only before the first Append. Corruption when the log
  // does not reach back, or up, to that generation.
  virtual absl::Status Replay(uint64_t from_generation,
                              const std::function<absl::Status(const Operation&)>& visit) = 0;

  // OK, or IllegalArgument when Append would not take an operation of these. Asked before a number
  // is spent on it.
  virtual absl::Status CheckSize(std::string_view id, std::string_view routing,
                                 std::string_view source) const = 0;

  // Copies the operation into the pending bytes; nothing is on disk yet. Order of calls = order in
  // the log.
  virtual absl::StatusOr<Ticket> Append(const Operation& operation) = 0;

  // Returns when everything up to `ticket` is on stable storage; joins the running group commit. In
  // a shortage that lasts: translog_exception (503), and the operations go on waiting.
  virtual absl::Status WaitDurable(Ticket ticket) = 0;

  // Starts a new generation and returns its number: operations appended from now on are in it or a
  // later one, those before in earlier ones. A commit point may name it: its file is durable, and
  // so is all that was appended before. The current one, when it is still empty.
  virtual absl::StatusOr<uint64_t> Roll() = 0;

  // Deletes the generations before `generation` (after the commit that makes them needless).
  virtual absl::Status TrimBefore(uint64_t generation) = 0;

  // Of what has been appended so far; 0 = nothing has.
  virtual Ticket last_ticket() const = 0;
  // The first failure, which every call reports from then on.
  virtual absl::Status status() const = 0;
  // What keeps the log from being written for now; OK = nothing. Operations that are appended all
  // the same gather in memory.
  virtual absl::Status shortage() const = 0;
  virtual TranslogStats stats() const = 0;

  // Makes everything durable and closes the files; waits for no shortage. A log that is dropped
  // without loses what nobody has waited for; it has let go of its files when it is gone.
  virtual absl::Status Close() = 0;
};

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_TRANSLOG_H_
