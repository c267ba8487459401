#include "engine/translog/log_core.h"

#include <fmt/format.h>

#include <random>
#include <utility>

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
  changed_.wait(lock, [&] { return durable_ >= ticket || !status_.ok(); });
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
  changed_.wait(lock, [&] { return created_ >= generation || !status_.ok(); });
  return created_ >= generation ? absl::OkStatus() : status_;
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

TranslogStats LogCore::stats() const {
  std::lock_guard lock(mutex_);
  TranslogStats stats;
  for (const GenerationInfo& info : generations_) {
    stats.operations += info.operations;
    stats.bytes += info.bytes;
  }
  stats.oldest_generation = generations_.front().generation;
  stats.generation = generations_.back().generation;
  return stats;
}

void LogCore::WriteAndSync() {
  std::vector<Batch> batches;
  Ticket target = 0;
  bool close = false;
  {
    std::lock_guard lock(mutex_);
    scheduled_ = false;
    if (!status_.ok() || closed_) return;
    const Batch& open = pending_.back();
    const uint64_t generation = open.generation;
    const uint32_t seed = open.seed;
    batches.swap(pending_);
    StartBatch(generation, seed);
    target = appended_;
    close = closing_;
  }
  absl::Status status = Write(batches, close);
  if (!status.ok()) return Poison(std::move(status));
  {
    std::lock_guard lock(mutex_);
    durable_ = target;
    created_ = file_generation_;
    closed_ = close;
    if (batches.back().bytes.capacity() <= kMostSpareBytes) {
      spare_ = std::move(batches.back().bytes);
    }
  }
  changed_.notify_all();
  if (close) return;
  // After the waiters are served, so that none of them pays for it.
  status = ReserveAhead();
  if (!status.ok()) Poison(std::move(status));
}

absl::Status LogCore::Write(std::vector<Batch>& batches, bool close) {
  for (size_t i = 0; i < batches.size(); ++i) {
    Batch& batch = batches[i];
    const bool last = i + 1 == batches.size();
    if (batch.generation != file_generation_) {
      CURLEW_RETURN_IF_ERROR(CreateFile(batch.generation, batch.seed));
    }
    file_operations_ += batch.operations;
    // An empty generation is left blank by Close, so that the next opening uses it.
    const bool end = last ? close && file_operations_ > 0 : true;
    if (batch.operations > 0 || end) CURLEW_RETURN_IF_ERROR(WriteBatch(batch, end));
    if (!last || close) CURLEW_RETURN_IF_ERROR(file_->Close());
  }
  return absl::OkStatus();
}

absl::Status LogCore::WriteBatch(Batch& batch, bool end) {
  WriteMark(batch.bytes.data(), RecordType::kSyncMark, tail_, batch.seed);
  if (end) {
    const size_t start = batch.bytes.size();
    batch.bytes.resize(start + kMarkSize);
    WriteMark(batch.bytes.data() + start, RecordType::kEnd, file_operations_, batch.seed);
  }
  CURLEW_RETURN_IF_ERROR(file_->WriteAt(tail_, batch.bytes));
  CURLEW_RETURN_IF_ERROR(file_->DataSync());
  tail_ += batch.bytes.size();
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
