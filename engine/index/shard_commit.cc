// Commit points: making what is published durable, and letting go of what that replaces.
#include <algorithm>
#include <set>

#include "engine/codec/live_docs/live_docs_file.h"
#include "engine/index/shard_impl.h"
#include "engine/store/shortage.h"
#include "engine/util/error.h"

namespace curlew::index {

absl::Status ShardImpl::Flush() {
  std::lock_guard commit(commit_mutex_);
  {
    std::lock_guard lock(mutex_);
    flush_posted_ = false;
    CURLEW_RETURN_IF_ERROR(CheckWritable());
    // Merges during the replay may ask for a commit, but that would let go of a log that is only
    // half in the segments.
    if (!recovered_) return absl::OkStatus();
    if (changes_ == visible_changes_ && snapshot_generation_ == committed_snapshot_ &&
        seq_nos_.max_seq_no() == committed_max_seq_no_ && translog_->stats().operations == 0) {
      return absl::OkStatus();
    }
  }
  // Rolled before the state is taken: what comes between is in both, and replay skips it by its
  // sequence number.
  absl::StatusOr<uint64_t> generation = translog_->Roll();
  if (!generation.ok()) {
    if (const absl::Status broken = translog_->status(); !broken.ok()) return Fail(broken);
    // Else it is being closed.
    return store::IsShortage(generation.status()) ? FailCommit(generation.status())
                                                  : generation.status();
  }
  PublishedState state;
  if (absl::Status status = RefreshAndCapture(&state).status(); !status.ok()) {
    return store::IsShortage(status) ? FailCommit(status) : status;
  }
  CURLEW_RETURN_IF_ERROR(Commit(state, *generation));
  StartMerges();
  return absl::OkStatus();
}

absl::Status ShardImpl::FailCommit(const absl::Status& status) {
  std::lock_guard lock(mutex_);
  // A sync that failed may have lost data that a second try would not find missing: no more writes.
  if (!store::IsShortage(status)) return FailLocked(status);
  NoteShortage(kCommits, status);
  commit_not_before_ = Clock::now() + options_.commit_pause;
  scheduler_->At(commit_not_before_, [gate = gate_, this] {
    if (!gate->Enter()) return;
    RetryCommit();
    gate->Leave();
  });
  return status;
}

void ShardImpl::RetryCommit() {
  {
    std::lock_guard lock(mutex_);
    const bool wanted = (short_of_ & kCommits) != 0 && failure_.ok() && !closing_.load();
    if (!wanted || flush_posted_) return;
    flush_posted_ = true;
  }
  PostFlush();
}

absl::Status ShardImpl::SyncSegments(const PublishedState& state, CommitPoint& commit) {
  for (size_t i = 0; i < state.segments.size(); ++i) {
    ShardSegment& segment = *state.segments[i];
    const SegmentInfo& info = segment.reader()->info();
    bool synced;
    std::shared_ptr<const codec::LiveDocs> committed;
    uint64_t generation;
    {
      std::lock_guard lock(mutex_);
      synced = segment.synced;
      committed = segment.committed;
      generation = segment.live_docs_generation;
    }
    if (!synced) {
      CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                              FilesOfSegment(*directory_, info.name));
      for (const std::string& file : files) {
        CURLEW_RETURN_IF_ERROR(directory_->SyncFile(file));
      }
    }
    const std::shared_ptr<const codec::LiveDocs>& live = state.live_docs[i];
    if (live != committed) {
      ++generation;
      CURLEW_RETURN_IF_ERROR(codec::WriteLiveDocs(*directory_, info.name, generation, *live));
      CURLEW_RETURN_IF_ERROR(directory_->SyncFile(codec::LiveDocsFileName(info.name, generation)));
    }
    commit.segments.push_back({info, generation});
  }
  // The names have to be durable before the commit point that uses them.
  return directory_->SyncDirectory();
}

absl::Status ShardImpl::Commit(const PublishedState& state, uint64_t translog_generation) {
  CommitPoint commit;
  commit.generation = commit_generation_ + 1;
  commit.next_segment = state.next_segment;
  commit.max_seq_no = state.max_seq_no;
  commit.local_checkpoint = state.checkpoint;
  commit.translog_generation = translog_generation;
  if (absl::Status status = SyncSegments(state, commit); !status.ok()) return FailCommit(status);
  std::set<std::string> names;
  for (const CommittedSegment& segment : commit.segments) names.insert(segment.info.name);
  files_->AddCommitted(names);
  if (absl::Status status = WriteCommit(*directory_, commit); !status.ok()) {
    const absl::StatusOr<bool> there = directory_->Exists(CommitFileName(commit.generation));
    if (!there.ok() || *there) {
      // A crash may bring it back, with its live docs: the next attempt uses other names.
      commit_generation_ = commit.generation;
      std::lock_guard lock(mutex_);
      for (size_t i = 0; i < state.segments.size(); ++i) {
        state.segments[i]->live_docs_generation = commit.segments[i].live_docs_generation;
      }
    }
    return FailCommit(status);
  }
  {
    std::lock_guard lock(mutex_);
    NoteRelief(kCommits);
    for (size_t i = 0; i < state.segments.size(); ++i) {
      state.segments[i]->synced = true;
      state.segments[i]->committed = state.live_docs[i];
      state.segments[i]->live_docs_generation = commit.segments[i].live_docs_generation;
    }
    ++counters_.flush_total;
    // Those that were merged away while this commit was written are named by it all the same.
    merged_away_bytes_ = 0;
    for (const auto& segment : state.segments) {
      if (std::find(segments_.begin(), segments_.end(), segment) != segments_.end()) continue;
      merged_away_bytes_ += segment->reader()->info().size_bytes;
    }
    if (merged_away_bytes_ > 0) ArmIdleCommit();
  }
  commit_generation_ = commit.generation;
  committed_max_seq_no_ = commit.max_seq_no;
  committed_snapshot_ = state.snapshot_generation;
  RemoveOldCommit(commit);
  files_->SetCommitted(std::move(names));
  absl::Status trimmed = translog_->TrimBefore(translog_generation);
  // Else the next commit trims.
  if (store::IsShortage(trimmed) || store::IsSyncError(trimmed)) return FailCommit(trimmed);
  return trimmed;
}

void ShardImpl::RemoveOldCommit(const CommitPoint& commit) {
  // What cannot be deleted now goes at the next start.
  absl::StatusOr<std::vector<std::string>> files = directory_->List();
  if (!files.ok()) return;
  std::set<std::string> live_docs;
  for (const CommittedSegment& segment : commit.segments) {
    if (segment.live_docs_generation == 0) continue;
    live_docs.insert(codec::LiveDocsFileName(segment.info.name, segment.live_docs_generation));
  }
  for (const std::string& file : *files) {
    const std::optional<uint64_t> generation = CommitGenerationOfFile(file);
    const bool old_commit = generation.has_value() && *generation < commit.generation;
    const bool old_live_docs = SegmentNumberOfFile(file).has_value() &&
                               file.find('_', 1) != std::string::npos && !live_docs.contains(file);
    if (old_commit || old_live_docs) directory_->Delete(file).IgnoreError();
  }
}

}  // namespace curlew::index
