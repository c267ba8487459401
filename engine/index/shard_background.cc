// What a shard does by itself, and its end.
#include <utility>

#include "engine/index/shard_impl.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

// When the background pool has no room, its queue is looked at again after this time.
constexpr std::chrono::milliseconds kRetryDelay{100};

}  // namespace

ShardImpl::ShardImpl(std::shared_ptr<store::Directory> directory, const ShardOptions& options,
                     mapping::MapperService* mapper, ThreadPool* background)
    : directory_(std::move(directory)),
      options_(options),
      mapper_(mapper),
      background_(background),
      files_(std::make_shared<SegmentFiles>(directory_)),
      buffer_(std::make_shared<RamBuffer>()),
      refresh_interval_(options.refresh_interval) {}

ShardImpl::~ShardImpl() { Close(/*flush=*/false).IgnoreError(); }

bool ShardImpl::PostGuarded(std::function<void()> task) {
  return background_->Post([gate = gate_, task = std::move(task)] {
    if (!gate->Enter()) return;
    task();
    gate->Leave();
  });
}

void ShardImpl::ArmRefresh(std::chrono::milliseconds delay) {
  if (refresh_armed_ || refresh_interval_.count() < 0 || closing_.load()) return;
  refresh_armed_ = true;
  // Refreshes fall on multiples of the interval since the start, so that one write does not wait a
  // whole interval and many writes share one refresh.
  const Clock::time_point now = Clock::now();
  Clock::time_point due = now;
  if (refresh_interval_.count() > 0) {
    due = opened_ + ((now - opened_) / refresh_interval_ + 1) * refresh_interval_;
  }
  scheduler_->At(std::max(due, now + delay), [gate = gate_, this, timer = refresh_timer_] {
    if (!gate->Enter()) return;
    RefreshDue(timer);
    gate->Leave();
  });
}

void ShardImpl::RefreshDue(uint64_t timer) {
  {
    std::lock_guard lock(mutex_);
    if (timer != refresh_timer_) return;
  }
  if (PostGuarded([this] { BackgroundRefresh(); })) return;
  std::lock_guard lock(mutex_);
  refresh_armed_ = false;
  ArmRefresh(kRetryDelay);
}

void ShardImpl::BackgroundRefresh(bool again) {
  bool postpone = false;
  {
    std::lock_guard lock(mutex_);
    if (MergesBehind() && !closing_.load()) {
      if (refresh_postponed_ && !again) return;  // there is one that comes again
      const Clock::time_point now = Clock::now();
      if (!std::exchange(refresh_postponed_, true)) refresh_postponed_since_ = now;
      postpone = now - refresh_postponed_since_ < options_.merge_wait;
    }
    if (!postpone) {
      refresh_postponed_ = false;
      // Changes from here on ask for a timer of their own.
      refresh_armed_ = false;
    }
  }
  if (postpone) {
    // Merges need this thread more.
    StartMerges();
    RefreshAgain();
    return;
  }
  RefreshAndCapture(nullptr).status().IgnoreError();  // an error stays with the shard
  StartMerges();
}

void ShardImpl::RefreshAgain() {
  scheduler_->At(Clock::now() + kRetryDelay, [gate = gate_, this] {
    if (!gate->Enter()) return;
    if (!PostGuarded([this] { BackgroundRefresh(/*again=*/true); })) RefreshAgain();
    gate->Leave();
  });
}

void ShardImpl::SetRefreshInterval(std::chrono::milliseconds interval) {
  bool waiting = false;
  {
    std::lock_guard lock(mutex_);
    refresh_interval_ = interval;
    ++refresh_timer_;
    refresh_armed_ = false;
    if (changes_ != visible_changes_) ArmRefresh();
    waiting = interval.count() < 0 && !waiters_.empty();
  }
  // Nobody would come for those who wait for a timer that is now off.
  if (waiting && !PostGuarded([this] { BackgroundRefresh(); })) {
    Refresh().status().IgnoreError();
  }
}

void ShardImpl::StartFlushIfDue() {
  {
    std::lock_guard lock(mutex_);
    if (flush_posted_ || closing_.load() || !failure_.ok()) return;
    if (short_of_ != 0 && Clock::now() < commit_not_before_) return;
    if (translog_->stats().bytes < options_.flush_translog_bytes) return;
    flush_posted_ = true;
  }
  PostFlush();
}

void ShardImpl::PostFlush() {
  if (PostGuarded([this] { Flush().IgnoreError(); })) return;
  std::lock_guard lock(mutex_);
  flush_posted_ = false;
}

void ShardImpl::ArmIdleCommit() {
  if (idle_commit_armed_ || closing_.load()) return;
  idle_commit_armed_ = true;
  idle_changes_ = changes_;
  scheduler_->At(Clock::now() + options_.commit_idle, [gate = gate_, this] {
    if (!gate->Enter()) return;
    IdleCommit();
    gate->Leave();
  });
}

void ShardImpl::IdleCommit() {
  {
    std::lock_guard lock(mutex_);
    idle_commit_armed_ = false;
    if (merged_away_bytes_ == 0 || flush_posted_ || !failure_.ok()) return;
    // Merges of others may hold its thread; and while documents come commits do, too.
    if (changes_ != idle_changes_ || merges_running_ > 0) return ArmIdleCommit();
    flush_posted_ = true;
  }
  PostFlush();
}

absl::Status ShardImpl::Close(bool flush) {
  {
    std::lock_guard lock(mutex_);
    if (closing_.exchange(true)) return absl::OkStatus();
    merge_done_.notify_all();
  }
  gate_->CloseAndWait();
  absl::Status status;
  if (translog_ != nullptr && flush) status = Flush();
  std::vector<RefreshWaiter> waiters;
  absl::Status closed;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    budget_share_.reset();
    waiters.swap(waiters_);
    closed = CheckWritable();
  }
  for (RefreshWaiter& waiter : waiters) waiter.done(closed);
  if (translog_ != nullptr) {
    const absl::Status log_status = translog_->Close();
    if (status.ok()) status = log_status;
  }
  // The folder may belong to somebody else soon; readers that live on delete nothing.
  files_->Detach();
  return status;
}

}  // namespace curlew::index
