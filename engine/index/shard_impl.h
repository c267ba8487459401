// The shard behind shard.h. Its parts stand in files of their own: shard_open.cc (start and
// recovery), shard_write.cc and shard_update.cc (operations), shard_refresh.cc, shard_commit.cc,
// shard_merge.cc, shard_background.cc (timers, closing), shard_stats.cc.
//
// Locks, in the order in which they are taken: commit_mutex_ (one commit at a time), refresh_mutex_
// (who changes the list of segments), mutex_ (everything else, held briefly: never while files are
// written), snapshot_mutex_. A merge owns its inputs by ShardSegment::merging.
#ifndef CURLEW_ENGINE_INDEX_SHARD_IMPL_H_
#define CURLEW_ENGINE_INDEX_SHARD_IMPL_H_

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/index/buffer/ram_buffer.h"
#include "engine/index/buffer/token_streams.h"
#include "engine/index/checkpoint_tracker.h"
#include "engine/index/commit_point.h"
#include "engine/index/merge/merge_policy.h"
#include "engine/index/merge/merger.h"
#include "engine/index/scheduler.h"
#include "engine/index/segment_files.h"
#include "engine/index/shard.h"
#include "engine/index/shard_segment.h"
#include "engine/index/task_gate.h"
#include "engine/index/tombstones.h"
#include "engine/index/version_rules.h"

namespace curlew::index {

class ShardImpl : public Shard {
 public:
  ShardImpl(std::shared_ptr<store::Directory> directory, const ShardOptions& options,
            mapping::MapperService* mapper, ThreadPool* background);
  ~ShardImpl() override;

  // shard_open.cc. Once, before anything else.
  absl::Status Start(std::shared_ptr<translog::LogWriter> writer);

  ApplyOutcome Apply(std::span<const Operation> operations,
                     std::span<OperationResult> results) override;
  absl::Status WaitDurable(translog::Ticket ticket) override;
  absl::StatusOr<bool> Refresh() override;
  void OnNextRefresh(std::function<void(absl::Status)> done) override;
  absl::Status Flush() override;
  absl::Status ForceMerge(const ForceMergeOptions& options) override;
  std::shared_ptr<const Snapshot> snapshot() const override;
  absl::StatusOr<GetResult> Get(std::string_view id) override;
  void SetRefreshInterval(std::chrono::milliseconds interval) override;
  ShardStats stats() const override;
  absl::Status Close(bool flush) override;

 private:
  using Clock = std::chrono::steady_clock;
  using SegmentList = std::vector<std::shared_ptr<ShardSegment>>;

  // Replication will tell terms apart; a shard that stands alone stays in its first.
  static constexpr int64_t kPrimaryTerm = 1;

  // What one thread needs to turn sources into documents; kept for reuse.
  struct Workspace {
    mapping::DocumentParser parser;
    mapping::ParsedDocument document;
    std::shared_ptr<const mapping::Mapping> mapping;  // `document` points into it
    TokenStreams streams;
  };
  class WorkspaceLease;

  // Where the newest document of an id is, and what is known of the id.
  struct Located {
    enum class Place : uint8_t { kNowhere, kTombstone, kBuffer, kSegment };
    Place place = Place::kNowhere;
    codec::DocId doc = 0;
    RamBuffer* buffer = nullptr;
    ShardSegment* segment = nullptr;
    DocumentMeta meta;

    bool live() const { return place >= Place::kBuffer; }
  };

  // A snapshot's worth of segments, and which operations they hold: what a commit point records.
  struct PublishedState {
    SegmentList segments;
    std::vector<std::shared_ptr<const codec::LiveDocs>> live_docs;  // parallel
    int64_t max_seq_no = -1;
    int64_t checkpoint = -1;
    uint64_t snapshot_generation = 0;
    uint64_t next_segment = 0;
  };

  struct RefreshWaiter {
    uint64_t change;  // the change that has to be visible
    std::function<void(absl::Status)> done;
  };

  // shard_open.cc
  absl::Status OpenCommit(const CommitPoint& commit);
  absl::Status RecoverCommit(bool& found);
  absl::Status RemoveLeftovers(const CommitPoint& commit);
  absl::Status Replay(const translog::Operation& operation, Workspace& workspace);
  absl::Status ReplayTranslog();

  // shard_write.cc
  absl::Status ParseDocument(std::string_view source, Workspace& workspace);
  OperationResult ApplyIndex(const Operation& operation, Workspace& workspace,
                             ApplyOutcome& outcome);
  OperationResult ApplyDelete(const Operation& operation, ApplyOutcome& outcome);
  // Indexes a parsed document; `operation` is of type index or create.
  OperationResult IndexLocked(const Operation& operation, const absl::Status& terms_status,
                              Workspace& workspace, ApplyOutcome& outcome);
  void AddLocked(const codec::StoredDocument& stored, const DocumentMeta& meta,
                 Workspace& workspace, const Located& replaced);
  // Corruption where a segment is damaged that may have it.
  absl::StatusOr<Located> Locate(std::string_view id) const;
  void DeleteLocated(const Located& located);
  absl::Status Log(const translog::Operation& operation, ApplyOutcome& outcome);
  // The results tell of what is there, which somebody else may have written just now.
  void CoverAll(ApplyOutcome& outcome) const { outcome.ticket = translog_->last_ticket(); }
  absl::Status CheckWritable() const;
  absl::Status CheckRoom() const;
  absl::Status CheckLog();
  // Tragic: no more writes. Returns `status`.
  absl::Status FailLocked(const absl::Status& status);
  absl::Status Fail(const absl::Status& status);
  // With mutex_ held. Keeps count of what is short, and tells of the first and the last.
  enum Short : uint8_t { kSegments = 1, kCommits = 2, kLog = 4 };
  void NoteShortage(Short what, const absl::Status& cause);
  void NoteRelief(Short what);
  void Tell(ShardEvent event, const absl::Status& cause) const;

  // shard_update.cc
  OperationResult ApplyUpdate(const Operation& operation, Workspace& workspace,
                              ApplyOutcome& outcome);

  // shard_refresh.cc
  absl::StatusOr<bool> RefreshAndCapture(PublishedState* state);
  absl::Status FlushFullBuffer();
  // Writes the buffer when it holds at least so much; whether it did.
  absl::StatusOr<bool> FlushBuffer(uint64_t least);
  // What the buffers hold, those on their way to segments included.
  uint64_t HeldBytes() const;
  void NoteBuffers();
  void RelieveBuffers();
  // The buffer, behind those that could not be written before, as segments. With refresh_mutex_ and
  // `lock` (of mutex_) held; gives the lock up while it writes.
  absl::Status WriteBuffers(std::unique_lock<std::mutex>& lock);
  void PruneTombstones();
  void PublishSnapshot();  // with refresh_mutex_ and mutex_ held
  void Capture(PublishedState& state) const;
  std::vector<RefreshWaiter> TakeWaiters(uint64_t change);

  // shard_commit.cc
  absl::Status Commit(const PublishedState& state, uint64_t translog_generation);

  // A commit that failed: put off if it can be tried again, else Fail. Returns `status`.
  absl::Status FailCommit(const absl::Status& status);
  void RetryCommit();
  absl::Status SyncSegments(const PublishedState& state, CommitPoint& commit);
  void RemoveOldCommit(const CommitPoint& commit);

  // shard_merge.cc
  class MergePermit;
  void StartMerges();  // as many as the policy wants and the pool has room for
  void RunMerge(const SegmentList& inputs, MergePermit& permit);
  absl::Status ForceMergeEntered(const ForceMergeOptions& options);
  absl::Status ForceMergeOwned(SegmentList& owned, const ForceMergeOptions& options);
  // The segment that replaces the inputs; null when all their documents are deleted. It is
  // `merging` if they stay with their owner.
  absl::StatusOr<std::shared_ptr<ShardSegment>> MergeOnce(const SegmentList& inputs, bool owned);
  SegmentList ChooseMerge();
  void EndMerge(const SegmentList& inputs);
  bool MergesBehind() const;  // with mutex_ held
  void WaitForMerges();

  // shard_background.cc
  void ArmRefresh(std::chrono::milliseconds delay = std::chrono::milliseconds(0));
  void RefreshDue(uint64_t timer);
  void BackgroundRefresh(bool again = false);
  void RefreshAgain();
  void StartFlushIfDue();
  void PostFlush();
  void ArmIdleCommit();
  void IdleCommit();
  bool PostGuarded(std::function<void()> task);

  const std::shared_ptr<store::Directory> directory_;
  const ShardOptions options_;
  mapping::MapperService* const mapper_;
  ThreadPool* const background_;
  const std::shared_ptr<Scheduler> scheduler_ = Scheduler::Shared();
  const std::shared_ptr<TaskGate> gate_ = std::make_shared<TaskGate>();
  const std::shared_ptr<SegmentFiles> files_;
  const MergeSettings merge_settings_;
  const Clock::time_point opened_ = Clock::now();
  std::shared_ptr<translog::Translog> translog_;

  std::mutex commit_mutex_;
  uint64_t commit_generation_ = 0;  // by commit_mutex_
  int64_t committed_max_seq_no_ = -1;
  uint64_t committed_snapshot_ = 0;  // generation of the snapshot that the last commit holds

  std::mutex refresh_mutex_;

  mutable std::mutex mutex_;
  absl::Status failure_;  // why there are no more writes
  bool closed_ = false;
  SegmentList segments_;  // older documents first
  std::shared_ptr<RamBuffer> buffer_;
  // Being written to segments, oldest first; between two writes those that could not be written.
  std::vector<std::shared_ptr<RamBuffer>> flushing_;
  absl::Status shortage_;               // why the last write has to be tried again
  Clock::time_point write_not_before_;  // by writers, after that
  Tombstones tombstones_;
  Clock::time_point last_prune_ = Clock::now();
  CheckpointTracker seq_nos_;
  uint64_t next_segment_ = 0;
  uint64_t replay_from_ = 0;  // the log's generation
  // Changes (documents, deletions) made, and how many of them the newest snapshot shows.
  uint64_t changes_ = 0;
  uint64_t visible_changes_ = 0;
  std::vector<RefreshWaiter> waiters_;
  std::chrono::milliseconds refresh_interval_;
  bool refresh_armed_ = false;
  uint64_t refresh_timer_ = 0;  // the timer that counts; older ones find that they do not
  bool flush_posted_ = false;
  Clock::time_point commit_not_before_;                // after one that was put off
  std::unique_ptr<BufferBudget::Share> budget_share_;  // null = no bound, or closed
  uint8_t short_of_ = 0;                               // Short
  bool recovered_ = false;  // the log is replayed; until then there is no commit
  int merges_running_ = 0;  // those that the policy chose
  bool force_merging_ = false;
  bool gathering_ = false;              // a forced merge waits for the others to end
  std::condition_variable merge_done_;  // also at the end
  uint64_t merged_away_bytes_ = 0;      // since the last commit
  bool idle_commit_armed_ = false;
  uint64_t idle_changes_ = 0;
  bool refresh_postponed_ = false;
  Clock::time_point refresh_postponed_since_;
  Clock::time_point merge_not_before_;  // after a failed one
  uint64_t snapshot_generation_ = 0;
  int64_t visible_max_seq_no_ = -1;  // what the newest snapshot holds
  int64_t visible_checkpoint_ = -1;
  ShardStats counters_;  // the totals
  std::vector<std::unique_ptr<Workspace>> workspaces_;

  std::atomic<bool> closing_{false};

  mutable std::mutex snapshot_mutex_;
  std::shared_ptr<const Snapshot> snapshot_;
};

// A workspace for the duration of a call.
class ShardImpl::WorkspaceLease {
 public:
  explicit WorkspaceLease(ShardImpl& shard);
  ~WorkspaceLease();
  WorkspaceLease(const WorkspaceLease&) = delete;
  WorkspaceLease& operator=(const WorkspaceLease&) = delete;
  Workspace& operator*() { return *workspace_; }

 private:
  ShardImpl& shard_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SHARD_IMPL_H_
