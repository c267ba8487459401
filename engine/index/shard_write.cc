// Operations: planning against what is there, logging, indexing into the buffer.
#include <fmt/format.h>

#include "engine/index/buffer/check_terms.h"
#include "engine/index/shard_impl.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

// A document's mapping update is applied and the document parsed again; one round is enough unless
// somebody else changes the same fields meanwhile.
constexpr int kMaxMappingRounds = 8;

OperationResult Failed(absl::Status status) {
  OperationResult result;
  result.status = std::move(status);
  return result;
}

OperationResult Done(ResultKind kind, const DocumentMeta& meta) {
  OperationResult result;
  result.kind = kind;
  result.version = meta.version;
  result.seq_no = meta.seq_no;
  result.primary_term = meta.primary_term;
  return result;
}

}  // namespace

ShardImpl::WorkspaceLease::WorkspaceLease(ShardImpl& shard) : shard_(shard) {
  {
    std::lock_guard lock(shard_.mutex_);
    if (!shard_.workspaces_.empty()) {
      workspace_ = std::move(shard_.workspaces_.back());
      shard_.workspaces_.pop_back();
    }
  }
  if (workspace_ == nullptr) workspace_ = std::make_unique<Workspace>();
}

ShardImpl::WorkspaceLease::~WorkspaceLease() {
  std::lock_guard lock(shard_.mutex_);
  shard_.workspaces_.push_back(std::move(workspace_));
}

ApplyOutcome ShardImpl::Apply(std::span<const Operation> operations,
                              std::span<OperationResult> results) {
  ApplyOutcome outcome;
  WorkspaceLease workspace(*this);
  for (size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    switch (operation.type) {
      case OpType::kIndex:
      case OpType::kCreate:
        results[i] = ApplyIndex(operation, *workspace, outcome);
        break;
      case OpType::kDelete:
        results[i] = ApplyDelete(operation, outcome);
        break;
      case OpType::kUpdate:
        results[i] = ApplyUpdate(operation, *workspace, outcome);
        break;
    }
  }
  StartFlushIfDue();
  return outcome;
}

absl::Status ShardImpl::WaitDurable(translog::Ticket ticket) {
  absl::Status status = translog_->WaitDurable(ticket);
  if (status.ok()) return absl::OkStatus();
  if (const absl::Status broken = translog_->status(); !broken.ok()) return Fail(broken);
  if (const absl::Status shortage = translog_->shortage(); !shortage.ok()) {
    std::lock_guard lock(mutex_);
    NoteShortage(kLog, shortage);
  }
  return status;
}

absl::Status ShardImpl::CheckWritable() const {
  if (!failure_.ok()) return failure_;
  if (closed_) {
    return MakeError("index_closed_exception", 400,
                     fmt::format("shard [{}][{}] is closed", options_.index, options_.shard));
  }
  return absl::OkStatus();
}

absl::Status ShardImpl::CheckRoom() const {
  if (shortage_.ok()) return absl::OkStatus();
  if (HeldBytes() < 2 * options_.buffer_bytes) return absl::OkStatus();
  return WithCause(
      MakeError("rejected_execution_exception", 429,
                fmt::format("shard [{}][{}] cannot write its documents to a segment for now: {}",
                            options_.index, options_.shard, DescribeError(shortage_).reason)),
      shortage_);
}

absl::Status ShardImpl::CheckLog() {
  const absl::Status shortage = translog_->shortage();
  if (shortage.ok()) {
    NoteRelief(kLog);
    return absl::OkStatus();
  }
  NoteShortage(kLog, shortage);
  return WithCause(
      MakeError("rejected_execution_exception", 429,
                fmt::format("shard [{}][{}] cannot write its log for now: {}", options_.index,
                            options_.shard, DescribeError(shortage).reason)),
      shortage);
}

absl::Status ShardImpl::FailLocked(const absl::Status& status) {
  if (failure_.ok()) {
    failure_ = status;
    Tell(ShardEvent::kWritesStopped, status);
  }
  return status;
}

void ShardImpl::NoteShortage(Short what, const absl::Status& cause) {
  if (std::exchange(short_of_, short_of_ | what) == 0) Tell(ShardEvent::kShortage, cause);
}

void ShardImpl::NoteRelief(Short what) {
  if ((short_of_ & what) == 0) return;
  short_of_ &= static_cast<uint8_t>(~what);
  if (short_of_ == 0) Tell(ShardEvent::kShortageOver, absl::OkStatus());
}

void ShardImpl::Tell(ShardEvent event, const absl::Status& cause) const {
  if (options_.on_event) options_.on_event(event, cause);
}

absl::Status ShardImpl::Fail(const absl::Status& status) {
  std::lock_guard lock(mutex_);
  return FailLocked(status);
}

absl::Status ShardImpl::ParseDocument(std::string_view source, Workspace& workspace) {
  for (int round = 0; round < kMaxMappingRounds; ++round) {
    workspace.mapping = mapper_->current();
    CURLEW_RETURN_IF_ERROR(workspace.parser.Parse(source, *workspace.mapping,
                                                  options_.mapping_limits, workspace.document));
    if (workspace.document.mapping_update.empty()) return absl::OkStatus();
    CURLEW_RETURN_IF_ERROR(mapper_->Update(workspace.document.mapping_update));
  }
  return MakeError(
      "illegal_state_exception", 500,
      fmt::format("the mapping of [{}] does not take up the fields of a document after "
                  "{} updates",
                  options_.index, kMaxMappingRounds));
}

absl::StatusOr<ShardImpl::Located> ShardImpl::Locate(std::string_view id) const {
  Located found;
  if (const DocumentMeta* tombstone = tombstones_.Find(id)) {
    found.place = Located::Place::kTombstone;
    found.meta = *tombstone;
    return found;
  }
  RamBuffer* buffer = buffer_.get();
  for (size_t older = flushing_.size();; buffer = flushing_[--older].get()) {
    if (const std::optional<codec::DocId> doc = buffer->FindId(id)) {
      // Deleted, and the tombstone is forgotten already: nothing older can be alive.
      if (!buffer->Live(*doc)) return found;
      found.place = Located::Place::kBuffer;
      found.doc = *doc;
      found.buffer = buffer;
      found.meta = buffer->meta(*doc);
      return found;
    }
    if (older == 0) break;
  }
  for (auto it = segments_.rbegin(); it != segments_.rend(); ++it) {
    CURLEW_ASSIGN_OR_RETURN(const std::optional<codec::DocId> doc, (*it)->FindLive(id));
    if (!doc.has_value()) continue;
    found.place = Located::Place::kSegment;
    found.doc = *doc;
    found.segment = it->get();
    CURLEW_ASSIGN_OR_RETURN(found.meta, (*it)->Meta(*doc));
    return found;
  }
  return found;
}

void ShardImpl::DeleteLocated(const Located& located) {
  switch (located.place) {
    case Located::Place::kNowhere:
    case Located::Place::kTombstone:
      return;
    case Located::Place::kBuffer:
      located.buffer->Delete(located.doc);
      return;
    case Located::Place::kSegment:
      located.segment->Delete(located.doc);
      return;
  }
}

absl::Status ShardImpl::Log(const translog::Operation& operation, ApplyOutcome& outcome) {
  absl::StatusOr<translog::Ticket> ticket = translog_->Append(operation);
  if (!ticket.ok()) {
    // Only a log that may have lost bytes is the end of the shard's writes.
    const absl::Status broken = translog_->status();
    return broken.ok() ? ticket.status() : FailLocked(broken);
  }
  outcome.ticket = *ticket;
  outcome.wrote = true;
  return absl::OkStatus();
}

OperationResult ShardImpl::ApplyIndex(const Operation& operation, Workspace& workspace,
                                      ApplyOutcome& outcome) {
  if (absl::Status status = translog_->CheckSize(operation.id, operation.routing, operation.source);
      !status.ok()) {
    return Failed(std::move(status));
  }
  // Analysis of JSON and the mapping's part happen before the lock is taken.
  if (absl::Status status = ParseDocument(operation.source, workspace); !status.ok()) {
    return Failed(std::move(status));
  }
  const absl::Status terms_status = CheckTerms(workspace.document, workspace.streams);
  OperationResult result;
  bool full;
  {
    std::lock_guard lock(mutex_);
    result = IndexLocked(operation, terms_status, workspace, outcome);
    full = buffer_->memory() >= options_.buffer_bytes;
    NoteBuffers();
  }
  if (full) FlushFullBuffer().IgnoreError();  // an error stays with the shard
  RelieveBuffers();
  return result;
}

OperationResult ShardImpl::IndexLocked(const Operation& operation, const absl::Status& terms_status,
                                       Workspace& workspace, ApplyOutcome& outcome) {
  if (absl::Status status = CheckWritable(); !status.ok()) return Failed(std::move(status));
  if (absl::Status status = CheckRoom(); !status.ok()) return Failed(std::move(status));
  if (absl::Status status = CheckLog(); !status.ok()) return Failed(std::move(status));
  Located current;
  DocumentMeta meta;
  meta.version = 1;
  // A generated id cannot be there: nothing to look up, nothing to be in conflict with.
  if (!operation.auto_id) {
    absl::StatusOr<Located> located = Locate(operation.id);
    if (!located.ok()) return Failed(std::move(located).status());
    current = *located;
    CurrentVersion known;
    known.live = current.live();
    if (current.place != Located::Place::kNowhere) known.meta = current.meta;
    absl::StatusOr<int64_t> version = PlanVersion(operation, known);
    if (!version.ok()) {
      CoverAll(outcome);  // a conflict names the version that is there
      return Failed(std::move(version).status());
    }
    meta.version = *version;
  }
  meta.seq_no = seq_nos_.Next();
  meta.primary_term = kPrimaryTerm;

  translog::Operation record;
  record.seq_no = meta.seq_no;
  record.primary_term = meta.primary_term;
  record.version = meta.version;
  if (!terms_status.ok()) {
    // OpenSearch finds out only now: the number is spent, and the log says on what.
    const std::string reason = DescribeError(terms_status).reason;
    record.kind = translog::Operation::Kind::kNoop;
    record.source = reason;
    if (absl::Status status = Log(record, outcome); !status.ok()) return Failed(status);
    seq_nos_.MarkProcessed(meta.seq_no);
    return Failed(terms_status);
  }
  record.kind = translog::Operation::Kind::kIndex;
  record.id = operation.id;
  record.routing = operation.routing;
  record.source = operation.source;
  if (absl::Status status = Log(record, outcome); !status.ok()) return Failed(status);

  AddLocked({operation.id, operation.routing, operation.source}, meta, workspace, current);
  ++counters_.index_total;
  return Done(current.live() ? ResultKind::kUpdated : ResultKind::kCreated, meta);
}

void ShardImpl::AddLocked(const codec::StoredDocument& stored, const DocumentMeta& meta,
                          Workspace& workspace, const Located& replaced) {
  DeleteLocated(replaced);
  if (replaced.place == Located::Place::kTombstone) tombstones_.Erase(stored.id);
  buffer_->Add(stored, meta, workspace.document, workspace.mapping, workspace.streams);
  seq_nos_.MarkProcessed(meta.seq_no);
  ++changes_;
  ArmRefresh();
}

OperationResult ShardImpl::ApplyDelete(const Operation& operation, ApplyOutcome& outcome) {
  if (absl::Status status = translog_->CheckSize(operation.id, operation.routing, {});
      !status.ok()) {
    return Failed(std::move(status));
  }
  std::lock_guard lock(mutex_);
  if (absl::Status status = CheckWritable(); !status.ok()) return Failed(std::move(status));
  if (absl::Status status = CheckLog(); !status.ok()) return Failed(std::move(status));
  const absl::StatusOr<Located> located = Locate(operation.id);
  if (!located.ok()) return Failed(located.status());
  const Located& current = *located;
  CurrentVersion known;
  known.live = current.live();
  if (current.place != Located::Place::kNowhere) known.meta = current.meta;
  absl::StatusOr<int64_t> version = PlanVersion(operation, known);
  if (!version.ok()) {
    CoverAll(outcome);
    return Failed(std::move(version).status());
  }

  const DocumentMeta meta{seq_nos_.Next(), kPrimaryTerm, *version};
  translog::Operation record;
  record.kind = translog::Operation::Kind::kDelete;
  record.seq_no = meta.seq_no;
  record.primary_term = meta.primary_term;
  record.version = meta.version;
  record.id = operation.id;
  record.routing = operation.routing;
  if (absl::Status status = Log(record, outcome); !status.ok()) return Failed(status);

  DeleteLocated(current);
  tombstones_.Put(operation.id, meta, Clock::now());
  seq_nos_.MarkProcessed(meta.seq_no);
  ++changes_;
  ++counters_.delete_total;
  ArmRefresh();
  return Done(current.live() ? ResultKind::kDeleted : ResultKind::kNotFound, meta);
}

absl::StatusOr<GetResult> ShardImpl::Get(std::string_view id) {
  GetResult result;
  std::shared_ptr<const SegmentReader> reader;
  codec::DocId doc = 0;
  {
    std::lock_guard lock(mutex_);
    ++counters_.get_total;
    CURLEW_ASSIGN_OR_RETURN(const Located found, Locate(id));
    if (!found.live()) return result;
    result.found = true;
    result.version = found.meta.version;
    result.seq_no = found.meta.seq_no;
    result.primary_term = found.meta.primary_term;
    doc = found.doc;
    if (found.place == Located::Place::kSegment) {
      reader = found.segment->reader();
    } else {
      result.source = found.buffer->stored(doc).source;
      result.routing = found.buffer->stored(doc).routing;
      return result;
    }
  }
  const std::unique_ptr<codec::StoredCursor> cursor = reader->stored().NewCursor();
  CURLEW_ASSIGN_OR_RETURN(const codec::StoredDocument stored, cursor->Read(doc));
  result.source = stored.source;
  result.routing = stored.routing;
  return result;
}

}  // namespace curlew::index
