#include "engine/translog/log_core.h"

#include <fmt/format.h>

#include <iterator>
#include <random>
#include <utility>

#include "engine/store/shortage.h"
#include "engine/translog/checkpoint.h"
#include "engine/translog/generation_file.h"
#include "engine/translog/generation_scan.h"
#include "engine/util/error.h"

namespace curlew::translog {
namespace {

// So much is written before anybody waits for it, to keep memory small.
constexpr size_t kMostPendingBytes = 1 << 20;

// The memory of a larger batch is not kept for the next one.
constexpr size_t kMostSpareBytes = 4 << 20;

uint32_t NewSeed() { return std::random_device{}(); }

absl::Status AlreadyClosed() {
  return MakeError("already_closed_exception", 500, "the translog is closed");
}

}  // namespace

LogCore::LogCore(std::shared_ptr<store::Directory> directory, const TranslogOptions& options)
    : directory_(std::move(directory)), options_(options) {}

absl::StatusOr<std::shared_ptr<LogCore>> LogCore::Open(std::shared_ptr<store::Directory> directory,
                                                       const TranslogOptions& options) {
  CURLEW_ASSIGN_OR_RETURN(RecoveredLog recovered, RecoverLog(*directory, options.must_exist));
  std::shared_ptr<LogCore> core(new LogCore(std::move(directory), options));
  core->generations_ = std::move(recovered.generations);
  // A generation that has records is never appended to again: what a crash left behind its end
  // would have to be wiped first.
  if (recovered.last_is_blank) {
    const uint64_t generation = core->generations_.back().generation;
    CURLEW_ASSIGN_OR_RETURN(core->file_, core->directory_->OpenLog(GenerationName(generation), 0));
    core->file_generation_ = generation;
    core->tail_ = kHeaderSize;
    core->StartBatch(generation, recovered.last_seed);
  } else {
    core->StartGeneration();
    const Batch& batch = core->pending_.back();
    CURLEW_RETURN_IF_ERROR(core->CreateFile(batch.generation, batch.seed));
  }
  core->created_ = core->file_generation_;
  return core;
}

void LogCore::StartBatch(uint64_t generation, uint32_t seed) {
  Batch& batch = pending_.emplace_back();
  batch.generation = generation;
  batch.seed = seed;
  batch.bytes = std::exchange(spare_, {});
  batch.bytes.assign(kMarkSize, '\0');
}

void LogCore::StartGeneration() {
  const uint64_t generation = generations_.empty() ? 1 : generations_.back().generation + 1;
  generations_.push_back({generation, 0, 0});
  StartBatch(generation, NewSeed());
}

bool LogCore::Schedule() { return !std::exchange(scheduled_, true); }

absl::Status LogCore::CheckSize(std::string_view id, std::string_view routing,
                                std::string_view source) const {
  const uint64_t size = uint64_t{id.size()} + routing.size() + source.size();
  if (size <= options_.max_operation_bytes) return absl::OkStatus();
  return IllegalArgument(
      fmt::format("the operation on [{}] is too large for the translog: {} bytes, at most {}",
                  Clip(id), size, options_.max_operation_bytes));
}

absl::StatusOr<Ticket> LogCore::Append(const Operation& operation, bool& schedule) {
  CURLEW_RETURN_IF_ERROR(CheckSize(operation.id, operation.routing, operation.source));
  std::lock_guard lock(mutex_);
  if (!status_.ok()) return status_;
  if (closing_) return AlreadyClosed();
  Batch& batch = pending_.back();
  const size_t start = batch.bytes.size();
  batch.bytes.resize(start + kFrameSize);
  EncodeOperation(operation, batch.bytes);
  const size_t size = batch.bytes.size() - start;
  SealRecord(batch.bytes.data() + start, size, RecordType::kOperation, batch.seed);
  ++batch.operations;
  GenerationInfo& info = generations_.back();
  ++info.operations;
  info.bytes += size;
  if (batch.bytes.size() >= kMostPendingBytes) schedule = Schedule();
  if (info.bytes >= options_.generation_bytes) StartGeneration();
  return ++appended_;
}

bool LogCore::Request(Ticket ticket) {
  std::lock_guard lock(mutex_);
  return durable_ < ticket && ticket <= appended_ && status_.ok() && Schedule();
}

absl::Status LogCore::WaitDurable(Ticket ticket) {
  std::unique_lock lock(mutex_);
  if (ticket > appended_) {
    return IllegalArgument(fmt::format("ticket {} has not been given out", ticket));
  }
  while (durable_ < ticket && status_.ok()) {
    if (shortage_.ok()) {
      changed_.wait(lock);
      continue;
    }
    const Clock::time_point end = short_since_ + options_.shortage_wait;
    if (Clock::now() >= end) {
      return WithCause(
          MakeError(
              "translog_exception", 503,
              fmt::format("the log cannot be written for now, and what became of the operation "
                          "is open until it can: {}",
                          DescribeError(shortage_).reason)),
          shortage_);
    }
    changed_.wait_until(lock, end);
  }
  return durable_ >= ticket ? absl::OkStatus() : status_;
}

absl::StatusOr<uint64_t> LogCore::RequestRoll(bool& schedule) {
  std::lock_guard lock(mutex_);
  if (!status_.ok()) return status_;
  if (closing_) return AlreadyClosed();
  // One without operations is as good as a new one.
  if (generations_.back().operations > 0) StartGeneration();
  const uint64_t generation = generations_.back().generation;
  if (created_ < generation) schedule = Schedule();
  return generation;
}

absl::Status LogCore::WaitGeneration(uint64_t generation) {
  std::unique_lock lock(mutex_);
  const uint64_t postponed = postponed_;
  changed_.wait(lock,
                [&] { return created_ >= generation || !status_.ok() || postponed_ != postponed; });
  if (created_ >= generation) return absl::OkStatus();
  return status_.ok() ? shortage_ : status_;
}

bool LogCore::RequestClose() {
  std::lock_guard lock(mutex_);
  closing_ = true;
  return !closed_ && status_.ok() && Schedule();
}

absl::Status LogCore::WaitClosed() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || !status_.ok(); });
  return status_;
}

absl::Status LogCore::Replay(uint64_t from_generation, const OperationVisitor& visit) {
  std::vector<GenerationInfo> generations;
  {
    std::lock_guard lock(mutex_);
    if (!status_.ok()) return status_;
    if (appended_ > 0) return IllegalArgument("a translog is replayed before it is appended to");
    generations = generations_;
  }
  if (from_generation > generations.back().generation ||
      (from_generation > 0 && from_generation < generations.front().generation)) {
    return Corruption(fmt::format("[{}] has generations {} to {}, asked for those from {}",
                                  directory_->path(), generations.front().generation,
                                  generations.back().generation, from_generation));
  }
  for (const GenerationInfo& info : generations) {
    if (info.generation < from_generation || info.operations == 0) continue;
    const std::string name = GenerationName(info.generation);
    CURLEW_ASSIGN_OR_RETURN(const auto file, directory_->Open(name));
    CURLEW_RETURN_IF_ERROR(ScanGeneration(file->view(), info.generation, /*last=*/false,
                                          directory_->path() + "/" + name, visit)
                               .status());
  }
  return absl::OkStatus();
}

absl::Status LogCore::TrimBefore(uint64_t generation) {
  std::lock_guard trim_lock(trim_mutex_);
  std::vector<uint64_t> needless;
  {
    std::lock_guard lock(mutex_);
    if (!status_.ok()) return status_;
    if (closing_) return AlreadyClosed();
    if (generation > created_) {
      return IllegalArgument(fmt::format("generation {} does not exist yet", generation));
    }
    for (const GenerationInfo& info : generations_) {
      if (info.generation < generation) needless.push_back(info.generation);
    }
  }
  if (needless.empty()) return absl::OkStatus();
  CURLEW_RETURN_IF_ERROR(WriteCheckpoint(*directory_, generation));
  {
    std::lock_guard lock(mutex_);
    std::erase_if(generations_, [&](const auto& info) { return info.generation < generation; });
  }
  // What stays behind through an error or a crash goes when the log is opened.
  absl::Status first;
  for (const uint64_t old : needless) {
    const absl::Status status = directory_->Delete(GenerationName(old));
    if (first.ok()) first = status;
  }
  return first;
}

Ticket LogCore::last_ticket() const {
  std::lock_guard lock(mutex_);
  return appended_;
}

absl::Status LogCore::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

absl::Status LogCore::shortage() const {
  if (!short_.load(std::memory_order_relaxed)) return absl::OkStatus();
  std::lock_guard lock(mutex_);
  return shortage_;
}

TranslogStats LogCore::stats() const {
  std::lock_guard lock(mutex_);
  TranslogStats stats;
  for (const GenerationInfo& info : generations_) {
    stats.operations += info.operations;
    stats.bytes += info.bytes;
  }
  stats.oldest_generation = generations_.front().generation;
  stats.generation = generations_.back().generation;
  stats.open_files = closed_ ? 0 : 1;
  return stats;
}

void LogCore::Abandon() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !scheduled_ && !writing_; });
  abandoned_ = true;
}

bool LogCore::WriteAndSync() {
  {
    std::lock_guard lock(mutex_);
    if (abandoned_) return false;
    writing_ = true;
  }
  const bool again = WritePending();
  {
    std::lock_guard lock(mutex_);
    writing_ = false;
  }
  changed_.notify_all();
  return again;
}

bool LogCore::WritePending() {
  std::vector<Batch> batches;
  bool close = false;
  {
    std::lock_guard lock(mutex_);
    scheduled_ = false;
    if (!status_.ok() || closed_) return false;
    const Batch& open = pending_.back();
    const uint64_t generation = open.generation;
    const uint32_t seed = open.seed;
    batches.swap(pending_);
    StartBatch(generation, seed);
    close = closing_;
  }
  size_t written = 0;
  absl::Status status = Write(batches, close, written);
  {
    std::lock_guard lock(mutex_);
    for (size_t i = 0; i < written; ++i) durable_ += batches[i].operations;
    created_ = file_generation_;
    if (status.ok()) {
      closed_ = close;
      shortage_ = absl::OkStatus();
      short_ = false;
      if (batches.back().bytes.capacity() <= kMostSpareBytes) {
        spare_ = std::move(batches.back().bytes);
      }
    }
  }
  if (!status.ok()) {
    // One that is being closed does not wait for better times.
    if (close || !store::IsShortage(status)) {
      Poison(std::move(status));
      return false;
    }
    batches.erase(batches.begin(), batches.begin() + static_cast<ptrdiff_t>(written));
    Postpone(std::move(batches), std::move(status));
    return true;
  }
  changed_.notify_all();
  if (close) return false;
  // After the waiters are served, so that none of them pays for it. Without room it is left to the
  // write that needs it.
  status = ReserveAhead();
  if (!status.ok() && !store::IsShortage(status)) Poison(std::move(status));
  return false;
}

void LogCore::Postpone(std::vector<Batch> batches, absl::Status shortage) {
  {
    std::lock_guard lock(mutex_);
    // The last of them and the first of those begun since go to one generation, and make one batch.
    if (!batches.empty()) {
      Batch& last = batches.back();
      const Batch& next = pending_.front();
      last.bytes.append(next.bytes, kMarkSize);
      last.operations += next.operations;
      pending_.erase(pending_.begin());
      pending_.insert(pending_.begin(), std::make_move_iterator(batches.begin()),
                      std::make_move_iterator(batches.end()));
    }
    if (shortage_.ok()) short_since_ = Clock::now();
    shortage_ = std::move(shortage);
    short_ = true;
    ++postponed_;
  }
  changed_.notify_all();
}

absl::Status LogCore::Write(std::vector<Batch>& batches, bool close, size_t& written) {
  while (written < batches.size()) {
    Batch& batch = batches[written];
    const bool last = written + 1 == batches.size();
    if (batch.generation != file_generation_) {
      CURLEW_RETURN_IF_ERROR(CreateFile(batch.generation, batch.seed));
    }
    // An empty generation is left blank by Close, so that the next opening uses it.
    const bool end = last ? close && file_operations_ + batch.operations > 0 : true;
    if (batch.operations > 0 || end) CURLEW_RETURN_IF_ERROR(WriteBatch(batch, end));
    ++written;
    if (!last || close) CURLEW_RETURN_IF_ERROR(file_->Close());
  }
  return absl::OkStatus();
}

absl::Status LogCore::WriteBatch(Batch& batch, bool end) {
  const size_t size = batch.bytes.size();
  const uint64_t operations = file_operations_ + batch.operations;
  WriteMark(batch.bytes.data(), RecordType::kSyncMark, tail_, batch.seed);
  if (end) {
    batch.bytes.resize(size + kMarkSize);
    WriteMark(batch.bytes.data() + size, RecordType::kEnd, operations, batch.seed);
  }
  if (absl::Status status = file_->WriteAt(tail_, batch.bytes); !status.ok()) {
    // If it is tried again, with the same bytes at the same place, there may be more of them.
    batch.bytes.resize(size);
    return status;
  }
  CURLEW_RETURN_IF_ERROR(file_->DataSync());
  tail_ += batch.bytes.size();
  file_operations_ = operations;
  return absl::OkStatus();
}

absl::Status LogCore::CreateFile(uint64_t generation, uint32_t seed) {
  CURLEW_ASSIGN_OR_RETURN(
      file_, CreateGeneration(*directory_, generation, seed, options_.preallocate_bytes));
  file_generation_ = generation;
  file_operations_ = 0;
  tail_ = kHeaderSize;
  return absl::OkStatus();
}

absl::Status LogCore::ReserveAhead() {
  const uint64_t allocated = file_->allocated();
  if (allocated >= tail_ + options_.preallocate_bytes / 2) return absl::OkStatus();
  return file_->Reserve(std::max(allocated, tail_) + options_.preallocate_bytes);
}

void LogCore::Poison(absl::Status status) {
  {
    std::lock_guard lock(mutex_);
    if (status_.ok()) status_ = std::move(status);
  }
  changed_.notify_all();
}

}  // namespace curlew::translog
