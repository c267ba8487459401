// A shard: the write path, its segments, and their life on disk.
//
// A write is planned against the version map, indexed into the RAM buffer and appended to the
// translog, all under the shard's lock, and is durable once the log is. Refresh turns the buffer
// into a segment and publishes a new snapshot; Flush makes segments durable with a commit point and
// trims the log; merges keep the number of segments bounded. The semantics (sequence numbers,
// versions, tombstones) are those of OpenSearch's InternalEngine.
//
// Several merges may run beside each other, on segments of their own. When they do not keep up,
// refreshes and writers wait for them: see ShardOptions::max_unmerged_segments. A shortage of file
// descriptors, memory or room on the disk (store::IsShortage) ends nothing. While segments cannot
// be written the documents stay in memory, and when two buffers' worth has gathered new ones are
// refused (429); while the log cannot be written all operations are; a commit is put off. All of it
// is tried again.
#ifndef CURLEW_ENGINE_INDEX_SHARD_H_
#define CURLEW_ENGINE_INDEX_SHARD_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/index/buffer_budget.h"
#include "engine/index/operation.h"
#include "engine/index/snapshot.h"
#include "engine/mapping/mapping.h"
#include "engine/store/directory.h"
#include "engine/translog/log_writer.h"
#include "engine/translog/translog.h"
#include "engine/util/thread_pool.h"

namespace curlew::index {

// What whoever runs the node has to know of a shard.
enum class ShardEvent : uint8_t {
  kWritesStopped,  // for good: until the shard is opened again
  kShortage,       // something cannot be written for now
  kShortageOver,
  kMergeFailed,  // a merge in the background; another one is tried later
};

struct ShardOptions {
  std::string index;  // for messages
  int shard = 0;
  // The interval of the background refresh; negative = none. (OpenSearch's default 1 s.)
  std::chrono::milliseconds refresh_interval{1000};
  uint64_t buffer_bytes = 64ull << 20;  // the RAM buffer is turned into a segment at this size
  // What the buffers of all shards that have the same one hold together; null = no bound.
  std::shared_ptr<BufferBudget> buffer_budget;
  uint64_t flush_translog_bytes = 512ull << 20;  // a commit follows when the log has grown by this
  std::chrono::milliseconds gc_deletes{60000};   // tombstones are kept at least this long
  codec::StoredFormat stored{"none"};            // of segments from the buffer and small merges
  codec::StoredFormat merged_stored{"zstd"};     // of merges whose result passes the threshold
  // In bytes that the result would take with its documents uncompressed: so what was compressed
  // once is not taken for small.
  uint64_t merged_stored_threshold = 64ull << 20;
  // With more segments than this that are small enough for the merge policy, Refresh, and writers
  // whose documents fill the buffer, wait until merges have caught up, `merge_wait` at most each;
  // the background refresh is put off for as long. Closing the shard ends the wait.
  uint32_t max_unmerged_segments = 300;
  std::chrono::milliseconds merge_wait{10000};
  // Merges of at least this size leave one thread of the background pool to smaller ones.
  uint64_t large_merge_bytes = 64ull << 20;
  // Segments that were merged away are deleted with the next commit: it comes when there are so
  // many bytes of them (OpenSearch's flush_after_merge), or when nothing was written for that long.
  uint64_t commit_merged_bytes = 512ull << 20;
  std::chrono::milliseconds commit_idle{30000};
  // Before a commit that a shortage kept from being written is tried again.
  std::chrono::milliseconds commit_pause{5000};
  // Told of each event with its cause. Called on any thread, perhaps with the shard's locks held:
  // has to be quick, and must not call the shard. May be null.
  std::function<void(ShardEvent, const absl::Status& cause)> on_event;
  // The shard was there before: without a commit point it has lost its files and does not open.
  bool must_exist = false;
  translog::TranslogOptions translog;
  mapping::MappingLimits mapping_limits;
};

struct ShardStats {
  uint64_t docs_count = 0;  // live, as of the last refresh
  uint64_t docs_deleted = 0;
  uint64_t store_bytes = 0;
  uint64_t segments_count = 0;
  uint64_t translog_operations = 0;
  uint64_t translog_bytes = 0;
  uint64_t index_total = 0;
  uint64_t delete_total = 0;
  uint64_t get_total = 0;
  uint64_t refresh_total = 0;
  uint64_t flush_total = 0;
  uint64_t merge_total = 0;
  uint64_t merge_bytes = 0;
  int64_t max_seq_no = -1;
  int64_t local_checkpoint = -1;
  uint64_t stored_raw_bytes = 0;
  uint64_t stored_bytes = 0;
  uint64_t buffer_bytes = 0;  // memory of documents that are not in a segment yet
  // Of the segments' files that are mapped: those of the newest snapshot, and those that a search,
  // a merge or the write path still holds.
  uint64_t mapped_files = 0;
  uint64_t mapped_bytes = 0;
  uint64_t open_files = 0;  // file descriptors that are held: a mapped file needs none
  // Memory besides the mapped files: live docs, and what readers work out and keep (bit sets and
  // bounds of frequent terms, the order of ids).
  uint64_t reader_heap_bytes = 0;
  absl::Status failure;  // what ended its writes; OK = nothing
};

struct GetResult {
  bool found = false;
  std::string source;
  std::string routing;
  int64_t version = -1;
  int64_t seq_no = -1;
  int64_t primary_term = 0;
};

struct ForceMergeOptions {
  // Until at most so many segments are left, without the deletions there are now; 0 = as far as
  // the merge policy wants by itself.
  int max_segments = 0;
  // Instead only segments more than a tenth of whose documents are deleted (OpenSearch's
  // index.merge.policy.expunge_deletes_allowed).
  bool only_expunge_deletes = false;
};

// What Apply hands back besides the results: where the log has to be for them to be durable, and
// for what they tell of other writes (an update that changed nothing names the document's version).
struct ApplyOutcome {
  translog::Ticket ticket = 0;  // 0 = nothing to wait for
  bool wrote = false;           // something was appended
};

// Thread-safe. Owns its files. After a failed write to disk ("tragic") all writes fail with that
// error; searches go on.
class Shard {
 public:
  // Opens or creates the shard in `directory` (segments, commit points; the log in its sub-folder
  // "translog"), replaying the log. `background` runs refreshes, flushes and merges and must
  // outlive the shard; `mapper` is the index's.
  static absl::StatusOr<std::unique_ptr<Shard>> Open(std::shared_ptr<store::Directory> directory,
                                                     const ShardOptions& options,
                                                     mapping::MapperService* mapper,
                                                     std::shared_ptr<translog::LogWriter> writer,
                                                     ThreadPool* background);
  virtual ~Shard() = default;

  // Applies the operations in order, one result each. Mapping updates that documents ask for are
  // made on the way. Not durable yet: call WaitDurable(outcome.ticket) before telling anybody.
  virtual ApplyOutcome Apply(std::span<const Operation> operations,
                             std::span<OperationResult> results) = 0;
  virtual absl::Status WaitDurable(translog::Ticket ticket) = 0;

  // Makes everything applied so far visible. True if there was something to do. Concurrent calls
  // share the work.
  virtual absl::StatusOr<bool> Refresh() = 0;
  // Calls `done` after the next refresh that covers everything applied so far (at once when there
  // is nothing to wait for). With refresh_interval < 0 it forces one, as OpenSearch does when too
  // many wait. `done` runs on a background thread or inside the call.
  virtual void OnNextRefresh(std::function<void(absl::Status)> done) = 0;
  // Commit point: refresh, sync, commit, trim the log.
  virtual absl::Status Flush() = 0;
  // Merges the segments there are now. What is written meanwhile is no part of it. The result is
  // durable when this returns; segments that are merged away need never be written to the disk.
  virtual absl::Status ForceMerge(const ForceMergeOptions& options) = 0;

  virtual std::shared_ptr<const Snapshot> snapshot() const = 0;
  // Real-time: sees what is in the buffer. Not found = found false.
  virtual absl::StatusOr<GetResult> Get(std::string_view id) = 0;

  virtual void SetRefreshInterval(std::chrono::milliseconds interval) = 0;
  virtual ShardStats stats() const = 0;

  // Makes the log durable and stops background work; with `flush` a commit point first, so that the
  // next start replays nothing. Further calls fail.
  virtual absl::Status Close(bool flush) = 0;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SHARD_H_
