// Merges: chosen by the policy, written beside everything else, swapped in at the end.
#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "engine/codec/stored/stored_merge.h"
#include "engine/index/shard_impl.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

// After a merge that failed (a full disk, say) the next one waits, so that the shard does not spend
// its time on merges that fail.
constexpr std::chrono::seconds kPauseAfterFailure{30};

// Of all shards together: large merges leave one thread of the background pool to what is short.
std::atomic<int> running_merges{0};
std::atomic<int> running_large_merges{0};

using codec::DocId;
using codec::LiveDocs;

// Deletes in `target` what is deleted in `now` and was not in `then`. Returns whether there was
// any.
bool CarryOver(const LiveDocs* then, const LiveDocs* now, const std::vector<DocId>& map,
               std::shared_ptr<LiveDocs>& target, DocId max_doc) {
  if (now == nullptr || now == then) return false;
  bool any = false;
  for (size_t w = 0; w < now->words().size(); ++w) {
    uint64_t bits = ~now->words()[w];
    if (then != nullptr) bits &= then->words()[w];
    for (; bits != 0; bits &= bits - 1) {
      const size_t doc = w * 64 + static_cast<size_t>(std::countr_zero(bits));
      if (doc >= map.size() || map[doc] == codec::kNoMoreDocs) continue;
      if (target == nullptr) target = std::make_shared<LiveDocs>(max_doc);
      target->Delete(map[doc]);
      any = true;
    }
  }
  return any;
}

// What will be left of the segment, with its documents uncompressed. Their bytes are counted one by
// one: those that died in the buffer have hardly any.
uint64_t LiveBytesUncompressed(const MergeInput& input, const std::vector<DocId>& map) {
  const codec::StoredDocuments& stored = input.reader->stored();
  const uint64_t bytes = input.reader->info().size_bytes;
  const uint64_t others = bytes - std::min(stored.stored_bytes(), bytes);
  const uint64_t live =
      input.live_docs == nullptr ? map.size() : uint64_t{input.live_docs->live_count()};
  return others * live / std::max<uint64_t>(map.size(), 1) + codec::LiveRawBytes({&stored, map});
}

}  // namespace

// A thread of the background pool, for one merge. Given back at the latest when it goes, so also
// when the task never runs.
class ShardImpl::MergePermit {
 public:
  // Null when there is none to be had.
  static std::shared_ptr<MergePermit> Take(int threads, bool large) {
    std::shared_ptr<MergePermit> permit(new MergePermit(large));
    const int all = running_merges.fetch_add(1);
    const int larges = large ? running_large_merges.fetch_add(1) : 0;
    permit->taken_ = true;
    if (all < std::max(1, threads) && (!large || larges < std::max(1, threads - 1))) return permit;
    return nullptr;
  }
  ~MergePermit() { Return(); }
  MergePermit(const MergePermit&) = delete;
  MergePermit& operator=(const MergePermit&) = delete;

  void Return() {
    if (!std::exchange(taken_, false)) return;
    running_merges.fetch_sub(1);
    if (large_) running_large_merges.fetch_sub(1);
  }

 private:
  explicit MergePermit(bool large) : large_(large) {}

  const bool large_;
  bool taken_ = false;
};

void ShardImpl::StartMerges() {
  while (!closing_.load()) {
    SegmentList inputs;
    std::shared_ptr<MergePermit> permit;
    {
      std::lock_guard lock(mutex_);
      if (gathering_ || !failure_.ok() || Clock::now() < merge_not_before_) return;
      inputs = ChooseMerge();
      if (inputs.empty()) return;
      uint64_t bytes = 0;
      for (const auto& segment : inputs) bytes += segment->reader()->info().size_bytes;
      // Where it does not go now, the end of another merge or the next refresh tries again.
      permit = MergePermit::Take(static_cast<int>(background_->stats().threads),
                                 bytes >= options_.large_merge_bytes);
      if (permit == nullptr) return;
      for (const auto& segment : inputs) segment->merging = true;
      ++merges_running_;
    }
    if (!PostGuarded([this, inputs, permit] { RunMerge(inputs, *permit); })) {
      return EndMerge(inputs);
    }
  }
}

void ShardImpl::RunMerge(const SegmentList& inputs, MergePermit& permit) {
  if (!closing_.load()) {
    const absl::Status status = MergeOnce(inputs, /*owned=*/false).status();
    if (!status.ok() && !closing_.load()) Tell(ShardEvent::kMergeFailed, status);
  }
  permit.Return();
  EndMerge(inputs);
  StartMerges();
}

void ShardImpl::EndMerge(const SegmentList& inputs) {
  std::lock_guard lock(mutex_);
  for (const auto& segment : inputs) segment->merging = false;
  --merges_running_;
  merge_done_.notify_all();
}

bool ShardImpl::MergesBehind() const {
  if (segments_.size() <= options_.max_unmerged_segments) return false;
  // Those that wait for a refresh are merged among themselves, and nobody waits for that.
  const auto small = std::count_if(segments_.begin(), segments_.end(), [&](const auto& segment) {
    return segment->visible &&
           segment->reader()->info().size_bytes <= merge_settings_.max_merged_bytes / 2;
  });
  return static_cast<size_t>(small) > options_.max_unmerged_segments;
}

void ShardImpl::WaitForMerges() {
  // Merges of other shards may have been in the way of this one's: look again every now and then.
  constexpr std::chrono::milliseconds kLook{100};
  std::unique_lock lock(mutex_);
  const Clock::time_point end = Clock::now() + options_.merge_wait;
  while (MergesBehind() && failure_.ok() && !closing_.load() && Clock::now() < end) {
    lock.unlock();
    StartMerges();
    lock.lock();
    if (!MergesBehind()) break;
    merge_done_.wait_until(lock, std::min(end, Clock::now() + kLook));
  }
}

absl::Status ShardImpl::ForceMerge(const ForceMergeOptions& options) {
  if (options.max_segments < 0) {
    return IllegalArgument(
        fmt::format("max_num_segments must be at least 0, not [{}]", options.max_segments));
  }
  if (!gate_->Enter()) return Cancelled();
  absl::Status status = ForceMergeEntered(options);
  gate_->Leave();
  return status;
}

absl::Status ShardImpl::ForceMergeEntered(const ForceMergeOptions& options) {
  CURLEW_RETURN_IF_ERROR(Refresh().status());
  SegmentList owned;
  {
    std::unique_lock lock(mutex_);
    merge_done_.wait(lock, [this] { return !force_merging_ || closing_.load(); });
    if (closing_.load()) return Cancelled();
    force_merging_ = true;
    gathering_ = true;
    merge_done_.wait(lock, [this] { return merges_running_ == 0 || closing_.load(); });
    gathering_ = false;
    for (const auto& segment : segments_) {
      if (segment->visible && !segment->merging) owned.push_back(segment);
    }
    for (const auto& segment : owned) segment->merging = true;
  }
  const absl::Status status = ForceMergeOwned(owned, options);
  {
    std::lock_guard lock(mutex_);
    for (const auto& segment : owned) segment->merging = false;
    force_merging_ = false;
    merge_done_.notify_all();
  }
  CURLEW_RETURN_IF_ERROR(status);
  return Flush();
}

absl::Status ShardImpl::ForceMergeOwned(SegmentList& owned, const ForceMergeOptions& options) {
  // Sizes and deletions as of now. A result counts as without deletions, so that this ends although
  // documents go on being deleted.
  std::vector<MergeCandidate> candidates;
  {
    std::lock_guard lock(mutex_);
    for (const auto& segment : owned) {
      const SegmentInfo& info = segment->reader()->info();
      candidates.push_back({info.size_bytes, info.max_doc, segment->deleted_published()});
    }
  }
  for (;;) {
    const std::vector<size_t> chosen =
        options.only_expunge_deletes ? FindExpungeMerge(candidates, merge_settings_)
        : options.max_segments == 0
            ? FindMerge(candidates, merge_settings_)
            : FindForcedMerge(candidates, static_cast<size_t>(options.max_segments),
                              merge_settings_);
    if (chosen.empty()) return absl::OkStatus();
    if (closing_.load()) return Cancelled();
    SegmentList inputs;
    for (const size_t i : chosen) inputs.push_back(owned[i]);
    CURLEW_ASSIGN_OR_RETURN(std::shared_ptr<ShardSegment> merged,
                            MergeOnce(inputs, /*owned=*/true));
    for (size_t i = chosen.size(); i-- > 0;) {
      owned.erase(owned.begin() + static_cast<ptrdiff_t>(chosen[i]));
      candidates.erase(candidates.begin() + static_cast<ptrdiff_t>(chosen[i]));
    }
    if (merged == nullptr) continue;
    const auto at = static_cast<ptrdiff_t>(chosen.front());
    const SegmentInfo& info = merged->reader()->info();
    candidates.insert(candidates.begin() + at, {info.size_bytes, info.max_doc, 0});
    owned.insert(owned.begin() + at, std::move(merged));
  }
}

ShardImpl::SegmentList ShardImpl::ChooseMerge() {
  // Those that wait for a refresh (there may be many without one, or while the log is replayed) are
  // merged among themselves: the result waits as well.
  SegmentList inputs;
  for (const bool visible : {true, false}) {
    SegmentList free;
    std::vector<MergeCandidate> candidates;
    for (const std::shared_ptr<ShardSegment>& segment : segments_) {
      if (segment->visible != visible || segment->merging) continue;
      free.push_back(segment);
      const SegmentInfo& info = segment->reader()->info();
      // As OpenSearch keeps operations since the last commit for its replicas, a deletion counts as
      // a reason to merge only once it is committed.
      candidates.push_back({info.size_bytes, info.max_doc, segment->deleted_committed()});
    }
    for (const size_t i : FindMerge(candidates, merge_settings_)) inputs.push_back(free[i]);
    if (!inputs.empty()) break;
  }
  return inputs;
}

absl::StatusOr<std::shared_ptr<ShardSegment>> ShardImpl::MergeOnce(const SegmentList& inputs,
                                                                   bool owned) {
  std::vector<MergeInput> merge;
  std::string name;
  {
    std::lock_guard lock(mutex_);
    // Only what nobody sees any more is left out: deletions that wait for a refresh are carried
    // over.
    for (const auto& segment : inputs) merge.push_back({segment->reader(), segment->published()});
    name = SegmentName(next_segment_++);
  }
  DocumentMap map;
  const DocId max_doc = MapDocuments(merge, map);
  uint64_t expected_bytes = 0;
  for (size_t i = 0; i < merge.size(); ++i) {
    expected_bytes += LiveBytesUncompressed(merge[i], map[i]);
  }

  std::shared_ptr<ShardSegment> merged;
  if (max_doc > 0) {
    const codec::StoredFormat& stored = expected_bytes >= options_.merged_stored_threshold
                                            ? options_.merged_stored
                                            : options_.stored;
    absl::StatusOr<SegmentInfo> info =
        MergeSegments(*directory_, name, merge, map, max_doc, stored, closing_);
    absl::Status status = info.status();
    absl::StatusOr<std::shared_ptr<const SegmentReader>> reader;
    if (status.ok()) {
      reader = files_->Open(*info);
      status = reader.status();
    }
    if (!status.ok()) {
      files_->Discard(name);
      std::lock_guard lock(mutex_);
      merge_not_before_ = Clock::now() + kPauseAfterFailure;
      return status;
    }
    merged = std::make_shared<ShardSegment>(*std::move(reader));
  }

  std::unique_lock refresh(refresh_mutex_);
  std::unique_lock lock(mutex_);
  if (merged != nullptr) {
    std::shared_ptr<LiveDocs> published;
    std::shared_ptr<LiveDocs> newest;
    bool pending = false;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const LiveDocs* then = merge[i].live_docs.get();
      CarryOver(then, inputs[i]->published().get(), map[i], published, max_doc);
      CarryOver(then, inputs[i]->Newest().get(), map[i], newest, max_doc);
      pending = pending || inputs[i]->Newest() != inputs[i]->published();
    }
    merged->visible = inputs.front()->visible;
    merged->merging = owned;
    merged->Adopt(std::move(published), pending ? std::move(newest) : nullptr);
    ++counters_.merge_total;
    counters_.merge_bytes += merged->reader()->info().size_bytes;
  }
  // The result takes the place of the oldest input.
  SegmentList rest;
  for (const std::shared_ptr<ShardSegment>& segment : segments_) {
    if (std::find(inputs.begin(), inputs.end(), segment) == inputs.end()) {
      rest.push_back(segment);
    } else if (segment == inputs.front() && merged != nullptr) {
      rest.push_back(merged);
    }
  }
  segments_ = std::move(rest);
  if (inputs.front()->visible) PublishSnapshot();
  // What no commit point names goes with its last reader.
  for (const auto& segment : inputs) {
    if (segment->synced) merged_away_bytes_ += segment->reader()->info().size_bytes;
  }
  const bool commit =
      merged_away_bytes_ >= options_.commit_merged_bytes && !flush_posted_ && !owned;
  if (commit) {
    flush_posted_ = true;
  } else if (merged_away_bytes_ > 0) {
    ArmIdleCommit();
  }
  lock.unlock();
  refresh.unlock();
  if (commit) PostFlush();
  return merged;
}

}  // namespace curlew::index
