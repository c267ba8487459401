// Start: the newest commit point that is whole, and the log's operations behind it.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/codec/live_docs/live_docs_file.h"
#include "engine/index/shard_impl.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

// A damaged or missing file: an older commit point may still be whole. Anything else (no
// descriptors left, say) is no reason to go back in time.
bool Damaged(const absl::Status& status) {
  return absl::IsDataLoss(status) || absl::IsNotFound(status);
}

absl::Status WithCommit(const absl::Status& status, const std::string& file,
                        const store::Directory& directory) {
  return WithCause(Corruption(fmt::format("commit point {} in {} cannot be used: {}", file,
                                          directory.path(), DescribeError(status).reason)),
                   status);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Shard>> Shard::Open(std::shared_ptr<store::Directory> directory,
                                                   const ShardOptions& options,
                                                   mapping::MapperService* mapper,
                                                   std::shared_ptr<translog::LogWriter> writer,
                                                   ThreadPool* background) {
  auto shard = std::make_unique<ShardImpl>(std::move(directory), options, mapper, background);
  CURLEW_RETURN_IF_ERROR(shard->Start(std::move(writer)));
  return shard;
}

absl::Status ShardImpl::Start(std::shared_ptr<translog::LogWriter> writer) {
  CURLEW_ASSIGN_OR_RETURN(const std::vector<uint64_t> commits, ListCommits(*directory_));
  if (commits.empty() && options_.must_exist) {
    return Corruption(
        fmt::format("there is no commit point (segments_N) in {}, although the shard "
                    "was created before",
                    directory_->path()));
  }
  CURLEW_ASSIGN_OR_RETURN(std::shared_ptr<store::Directory> log, directory_->Sub("translog"));
  if (options_.buffer_budget != nullptr) {
    std::lock_guard lock(mutex_);
    budget_share_ = BufferBudget::Join(options_.buffer_budget, [gate = gate_, this] {
      if (!gate->Enter()) return false;
      const bool wrote = FlushBuffer(1).value_or(false);
      gate->Leave();
      return wrote;
    });
  }
  translog::TranslogOptions log_options = options_.translog;
  // The first commit point follows the log.
  log_options.must_exist = !commits.empty();
  CURLEW_ASSIGN_OR_RETURN(translog_,
                          translog::Translog::Open(std::move(log), std::move(writer), log_options));
  bool found = false;
  CURLEW_RETURN_IF_ERROR(RecoverCommit(found));
  {
    std::lock_guard refresh(refresh_mutex_);
    std::lock_guard lock(mutex_);
    PublishSnapshot();
    committed_snapshot_ = snapshot_generation_;
  }
  if (!found) {
    // From here on a missing commit point is a loss and not a new shard.
    PublishedState empty;
    empty.snapshot_generation = snapshot_generation_;
    std::lock_guard commit(commit_mutex_);
    CURLEW_RETURN_IF_ERROR(Commit(empty, translog_->stats().generation));
    std::lock_guard lock(mutex_);
    recovered_ = true;
    return absl::OkStatus();
  }
  CURLEW_RETURN_IF_ERROR(ReplayTranslog());
  CURLEW_RETURN_IF_ERROR(RefreshAndCapture(nullptr).status());
  {
    std::lock_guard lock(mutex_);
    recovered_ = true;
    if (merged_away_bytes_ > 0) ArmIdleCommit();
  }
  StartMerges();
  StartFlushIfDue();
  return absl::OkStatus();
}

absl::Status ShardImpl::RecoverCommit(bool& found) {
  CURLEW_ASSIGN_OR_RETURN(const std::vector<uint64_t> generations, ListCommits(*directory_));
  if (generations.empty()) {
    CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> files, directory_->List());
    const bool segments = std::any_of(files.begin(), files.end(), [](const std::string& file) {
      return SegmentNumberOfFile(file).has_value();
    });
    if (segments || translog_->stats().operations > 0) {
      return Corruption(
          fmt::format("there is no commit point (segments_N) in {}, but there are "
                      "segments or a log with operations",
                      directory_->path()));
    }
    return RemoveLeftovers({});
  }
  absl::Status newest_status;
  for (const uint64_t generation : generations) {
    absl::StatusOr<CommitPoint> commit = ReadCommit(*directory_, generation);
    absl::Status status = commit.status();
    if (status.ok()) status = OpenCommit(*commit);
    // A commit point that is not the newest one needs the log since then.
    if (status.ok() && translog_->stats().oldest_generation > commit->translog_generation) {
      status = Corruption(
          fmt::format("the log no longer holds generation {}", commit->translog_generation));
    }
    if (status.ok()) {
      found = true;
      commit_generation_ = generations.front();
      committed_max_seq_no_ = commit->max_seq_no;
      seq_nos_ = CheckpointTracker(commit->max_seq_no, commit->local_checkpoint);
      replay_from_ = commit->translog_generation;
      next_segment_ = commit->next_segment;
      visible_max_seq_no_ = commit->max_seq_no;
      visible_checkpoint_ = commit->local_checkpoint;
      // Numbers of segments that did not make it into the commit point are not used again.
      CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> files, directory_->List());
      for (const std::string& file : files) {
        if (const std::optional<uint64_t> number = SegmentNumberOfFile(file)) {
          next_segment_ = std::max(next_segment_, *number + 1);
        }
      }
      // What a damaged newer commit point names may be wanted for repair.
      return generation == generations.front() ? RemoveLeftovers(*commit) : absl::OkStatus();
    }
    segments_.clear();
    if (!Damaged(status)) return status;
    if (newest_status.ok()) {
      newest_status = WithCommit(status, CommitFileName(generation), *directory_);
    }
  }
  return newest_status;
}

absl::Status ShardImpl::OpenCommit(const CommitPoint& commit) {
  std::set<std::string> names;
  for (const CommittedSegment& committed : commit.segments) names.insert(committed.info.name);
  files_->AddCommitted(names);
  for (const CommittedSegment& committed : commit.segments) {
    CURLEW_ASSIGN_OR_RETURN(std::shared_ptr<const SegmentReader> reader,
                            files_->Open(committed.info));
    auto segment = std::make_shared<ShardSegment>(std::move(reader));
    if (committed.live_docs_generation != 0) {
      CURLEW_ASSIGN_OR_RETURN(
          segment->committed,
          codec::ReadLiveDocs(*directory_, committed.info.name, committed.live_docs_generation,
                              committed.info.max_doc));
      segment->live_docs_generation = committed.live_docs_generation;
      segment->Adopt(segment->committed, nullptr);
    }
    segment->visible = true;
    segment->synced = true;
    segments_.push_back(std::move(segment));
  }
  return absl::OkStatus();
}

absl::Status ShardImpl::RemoveLeftovers(const CommitPoint& commit) {
  std::set<std::string> live_docs;
  std::set<std::optional<uint64_t>> segments;
  for (const CommittedSegment& segment : commit.segments) {
    segments.insert(SegmentNumberOfFile(segment.info.name + "."));
    live_docs.insert(codec::LiveDocsFileName(segment.info.name, segment.live_docs_generation));
  }
  CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> files, directory_->List());
  for (const std::string& file : files) {
    const std::optional<uint64_t> segment = SegmentNumberOfFile(file);
    const std::optional<uint64_t> generation = CommitGenerationOfFile(file);
    const bool is_live_docs = segment.has_value() && file.find('_', 1) != std::string::npos;
    const bool needless = (segment.has_value() && !segments.contains(segment)) ||
                          (is_live_docs && !live_docs.contains(file)) ||
                          (generation.has_value() && *generation < commit.generation) ||
                          IsPendingCommitFile(file);
    // One that cannot be deleted is in nobody's way: its name is not used again, or overwritten.
    if (needless) directory_->Delete(file).IgnoreError();
  }
  return absl::OkStatus();
}

absl::Status ShardImpl::ReplayTranslog() {
  WorkspaceLease workspace(*this);
  return translog_->Replay(replay_from_, [&](const translog::Operation& operation) {
    return Replay(operation, *workspace);
  });
}

absl::Status ShardImpl::Replay(const translog::Operation& operation, Workspace& workspace) {
  using Kind = translog::Operation::Kind;
  if (seq_nos_.Processed(operation.seq_no)) return absl::OkStatus();
  const DocumentMeta meta{operation.seq_no, operation.primary_term, operation.version};
  if (operation.kind == Kind::kIndex) {
    // It was parsed once: only a mapping that got lost or changed can make it fail now.
    if (absl::Status status = ParseDocument(operation.source, workspace); !status.ok()) {
      return WithCause(
          MakeError("translog_corrupted_exception", 500,
                    fmt::format("operation {} of the log in {} (document [{}]) cannot be applied "
                                "again: {}",
                                operation.seq_no, directory_->path(), Clip(operation.id),
                                DescribeError(status).reason)),
          status);
    }
  }
  bool full = false;
  {
    std::lock_guard lock(mutex_);
    CURLEW_RETURN_IF_ERROR(CheckWritable());
    if (operation.kind == Kind::kNoop) {
      seq_nos_.MarkProcessed(operation.seq_no);
      return absl::OkStatus();
    }
    CURLEW_ASSIGN_OR_RETURN(const Located current, Locate(operation.id));
    if (operation.kind == Kind::kIndex) {
      AddLocked({operation.id, operation.routing, operation.source}, meta, workspace, current);
    } else {
      DeleteLocated(current);
      tombstones_.Put(operation.id, meta, Clock::now());
      seq_nos_.MarkProcessed(operation.seq_no);
      ++changes_;
    }
    full = buffer_->memory() >= options_.buffer_bytes;
    NoteBuffers();
  }
  if (full) CURLEW_RETURN_IF_ERROR(FlushFullBuffer());
  RelieveBuffers();
  return absl::OkStatus();
}

}  // namespace curlew::index
