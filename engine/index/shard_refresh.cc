// From the buffer to a segment, from segments to a snapshot.
#include "engine/index/segment_writer.h"
#include "engine/index/shard_impl.h"
#include "engine/store/shortage.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

// OpenSearch judges the age of a tombstone by a clock that is only read every 200 ms.
constexpr std::chrono::milliseconds kTombstoneSlack{200};

// After a shortage a full buffer is not tried again at once.
constexpr std::chrono::milliseconds kShortagePause{1000};

}  // namespace

absl::StatusOr<bool> ShardImpl::Refresh() {
  WaitForMerges();
  absl::StatusOr<bool> refreshed = RefreshAndCapture(nullptr);
  if (refreshed.ok() && *refreshed) StartMerges();
  return refreshed;
}

absl::StatusOr<bool> ShardImpl::RefreshAndCapture(PublishedState* state) {
  std::unique_lock lock(mutex_);
  // Whoever refreshes while this call waits for its turn may do the work for it.
  const bool something = changes_ != visible_changes_;
  lock.unlock();
  std::vector<RefreshWaiter> waiters;
  absl::Status status;
  {
    std::lock_guard refresh(refresh_mutex_);
    lock.lock();
    status = CheckWritable();
    const uint64_t target = changes_;
    const int64_t max_seq_no = seq_nos_.max_seq_no();
    const int64_t checkpoint = seq_nos_.checkpoint();
    if (status.ok() && target != visible_changes_) {
      for (const std::shared_ptr<ShardSegment>& segment : segments_) segment->Freeze();
      status = WriteBuffers(lock);
      if (status.ok()) {
        for (const std::shared_ptr<ShardSegment>& segment : segments_) {
          segment->visible = true;
          segment->Publish();
        }
        visible_changes_ = target;
        ++counters_.refresh_total;
        PublishSnapshot();
        PruneTombstones();
      } else if (failure_.ok()) {
        ArmRefresh(kShortagePause);
      }
    }
    waiters = TakeWaiters(status.ok() ? target : changes_);
    if (status.ok()) {
      visible_max_seq_no_ = max_seq_no;
      visible_checkpoint_ = checkpoint;
      if (state != nullptr) Capture(*state);
    }
    lock.unlock();
  }
  for (RefreshWaiter& waiter : waiters) waiter.done(status);
  if (!status.ok()) return status;
  return something;
}

void ShardImpl::PruneTombstones() {
  const Clock::time_point now = Clock::now();
  if (now - last_prune_ < options_.gc_deletes / 4) return;
  last_prune_ = now;
  tombstones_.PruneBefore(now - options_.gc_deletes - kTombstoneSlack);
}

absl::Status ShardImpl::WriteBuffers(std::unique_lock<std::mutex>& lock) {
  // All in one moment: what a refresh makes visible is the state when it began.
  if (buffer_->max_doc() > 0) {
    flushing_.push_back(std::move(buffer_));
    buffer_ = std::make_shared<RamBuffer>();
  }
  struct Part {
    std::shared_ptr<RamBuffer> buffer;
    std::shared_ptr<codec::LiveDocs> deleted;
    uint32_t deleted_count;
  };
  std::vector<Part> parts;
  for (const auto& buffer : flushing_) {
    parts.push_back({buffer, buffer->CopyLiveDocs(), buffer->deleted_count()});
  }
  for (const Part& part : parts) {
    const std::string name = SegmentName(next_segment_++);
    lock.unlock();
    std::shared_ptr<const SegmentReader> reader;
    absl::StatusOr<SegmentInfo> info =
        WriteSegment(*directory_, name, *part.buffer, part.deleted.get(), options_.stored);
    absl::Status status = info.status();
    if (status.ok()) {
      absl::StatusOr<std::shared_ptr<const SegmentReader>> opened = files_->Open(*info);
      status = opened.status();
      if (status.ok()) reader = *std::move(opened);
    }
    if (!status.ok()) files_->Discard(name);
    lock.lock();
    if (!status.ok()) {
      // The documents stay where they are, so that they can still be read; the log has them.
      if (!store::IsShortage(status)) return FailLocked(status);
      shortage_ = status;
      NoteShortage(kSegments, status);
      write_not_before_ = Clock::now() + kShortagePause;
      return status;
    }
    auto segment = std::make_shared<ShardSegment>(std::move(reader));
    segment->Adopt(part.deleted, part.buffer->deleted_count() != part.deleted_count
                                     ? part.buffer->CopyLiveDocs()
                                     : nullptr);
    segments_.push_back(std::move(segment));
    flushing_.erase(flushing_.begin());
    NoteBuffers();
  }
  shortage_ = absl::OkStatus();
  NoteRelief(kSegments);
  return absl::OkStatus();
}

absl::Status ShardImpl::FlushFullBuffer() {
  WaitForMerges();
  return FlushBuffer(options_.buffer_bytes).status();
}

absl::StatusOr<bool> ShardImpl::FlushBuffer(uint64_t least) {
  {
    std::lock_guard refresh(refresh_mutex_);
    std::unique_lock lock(mutex_);
    CURLEW_RETURN_IF_ERROR(CheckWritable());
    // Another writer may have done it while this one waited; and so it is held back when segments
    // are not written as fast as documents come.
    if (buffer_->max_doc() == 0 || buffer_->memory() < least) return false;
    if (!shortage_.ok() && Clock::now() < write_not_before_) return shortage_;
    CURLEW_RETURN_IF_ERROR(WriteBuffers(lock));
  }
  StartMerges();
  return true;
}

uint64_t ShardImpl::HeldBytes() const {
  uint64_t held = buffer_->memory();
  for (const auto& buffer : flushing_) held += buffer->memory();
  return held;
}

void ShardImpl::NoteBuffers() {
  if (budget_share_ != nullptr) budget_share_->Set(HeldBytes());
}

void ShardImpl::RelieveBuffers() {
  BufferBudget* const budget = options_.buffer_budget.get();
  if (budget != nullptr && budget->Over()) budget->Relieve();
}

void ShardImpl::PublishSnapshot() {
  auto next = std::make_shared<Snapshot>();
  next->generation = ++snapshot_generation_;
  uint32_t doc_base = 0;
  for (const std::shared_ptr<ShardSegment>& segment : segments_) {
    if (!segment->visible) continue;
    next->segments.push_back({segment->reader(), segment->published(), doc_base});
    doc_base += segment->reader()->max_doc();
  }
  std::shared_ptr<const Snapshot> old = std::move(next);
  {
    std::lock_guard lock(snapshot_mutex_);
    snapshot_.swap(old);
  }
}

std::shared_ptr<const Snapshot> ShardImpl::snapshot() const {
  std::lock_guard lock(snapshot_mutex_);
  return snapshot_;
}

void ShardImpl::Capture(PublishedState& state) const {
  for (const std::shared_ptr<ShardSegment>& segment : segments_) {
    if (!segment->visible) continue;
    state.segments.push_back(segment);
    state.live_docs.push_back(segment->published());
  }
  state.max_seq_no = visible_max_seq_no_;
  state.checkpoint = visible_checkpoint_;
  state.snapshot_generation = snapshot_generation_;
  state.next_segment = next_segment_;
}

std::vector<ShardImpl::RefreshWaiter> ShardImpl::TakeWaiters(uint64_t change) {
  std::vector<RefreshWaiter> ready;
  std::erase_if(waiters_, [&](RefreshWaiter& waiter) {
    if (waiter.change > change) return false;
    ready.push_back(std::move(waiter));
    return true;
  });
  return ready;
}

void ShardImpl::OnNextRefresh(std::function<void(absl::Status)> done) {
  bool force = false;
  absl::Status status;
  {
    std::lock_guard lock(mutex_);
    status = CheckWritable();
    if (status.ok() && changes_ != visible_changes_) {
      waiters_.push_back({changes_, done});
      if (refresh_interval_.count() >= 0) {
        ArmRefresh();
        return;
      }
      force = true;
    }
  }
  if (!force) {
    done(status);
  } else if (!PostGuarded([this] { BackgroundRefresh(); })) {
    Refresh().status().IgnoreError();
  }
}

}  // namespace curlew::index
