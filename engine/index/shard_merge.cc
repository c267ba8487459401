// Merges: chosen by the policy, written beside everything else, swapped in at the end.
#include <algorithm>
#include <bit>

#include "engine/index/shard_impl.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

// After a merge that failed (a full disk, say) the next one waits, so that the shard does not spend
// its time on merges that fail.
constexpr std::chrono::seconds kPauseAfterFailure{30};

// Merges of all shards together leave one thread of the background pool to refreshes and commits.
std::atomic<int> running_merges{0};

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

}  // namespace

void ShardImpl::StartMerges() {
  if (closing_.load()) return;
  {
    std::lock_guard lock(mutex_);
    if (merging_ || !failure_.ok() || Clock::now() < merge_not_before_) return;
    if (ChooseMerge(std::nullopt).empty()) return;
    merging_ = true;
  }
  const int limit = std::max(1, background_->stats().threads - 1);
  const bool allowed = running_merges.fetch_add(1) < limit;
  // Given back with the last copy of the task, also when the task never runs.
  std::shared_ptr<void> permit(nullptr, [](void*) { running_merges.fetch_sub(1); });
  // Where it does not go now, the next refresh tries again.
  if (!allowed || !PostGuarded([this, permit] { RunMerges(); })) ReturnMergeSlot();
}

void ShardImpl::RunMerges() {
  while (!closing_.load()) {
    SegmentList inputs;
    {
      std::lock_guard lock(mutex_);
      inputs = ChooseMerge(std::nullopt);
    }
    if (inputs.empty() || !MergeOnce(inputs).ok()) break;
  }
  ReturnMergeSlot();
}

absl::Status ShardImpl::ForceMerge(int max_segments) {
  if (max_segments < 1) return IllegalArgument("max_num_segments must be at least 1");
  if (!gate_->Enter()) return Cancelled();
  const absl::Status status = ForceMergeEntered(max_segments);
  gate_->Leave();
  return status;
}

absl::Status ShardImpl::ForceMergeEntered(int max_segments) {
  CURLEW_RETURN_IF_ERROR(Flush());
  if (!TakeMergeSlot()) return Cancelled();
  absl::Status status;
  while (status.ok()) {
    SegmentList inputs;
    {
      std::lock_guard lock(mutex_);
      inputs = ChooseMerge(static_cast<size_t>(max_segments));
    }
    if (inputs.empty()) break;
    status = closing_.load() ? Cancelled() : MergeOnce(inputs);
  }
  ReturnMergeSlot();
  CURLEW_RETURN_IF_ERROR(status);
  return Flush();
}

bool ShardImpl::TakeMergeSlot() {
  std::unique_lock lock(mutex_);
  merge_done_.wait(lock, [this] { return !merging_ || closing_.load(); });
  if (closing_.load()) return false;
  merging_ = true;
  return true;
}

void ShardImpl::ReturnMergeSlot() {
  std::lock_guard lock(mutex_);
  merging_ = false;
  merge_done_.notify_all();
}

ShardImpl::SegmentList ShardImpl::ChooseMerge(std::optional<size_t> force_to) {
  SegmentList visible;
  std::vector<MergeCandidate> candidates;
  for (const std::shared_ptr<ShardSegment>& segment : segments_) {
    if (!segment->visible) continue;
    visible.push_back(segment);
    const SegmentInfo& info = segment->reader()->info();
    // As OpenSearch keeps operations since the last commit for its replicas, a deletion counts as a
    // reason to merge only once it is committed.
    candidates.push_back(
        {info.size_bytes, info.max_doc,
         force_to.has_value() ? segment->deleted_published() : segment->deleted_committed()});
  }
  const std::vector<size_t> chosen = force_to.has_value()
                                         ? FindForcedMerge(candidates, *force_to, merge_settings_)
                                         : FindMerge(candidates, merge_settings_);
  SegmentList inputs;
  for (const size_t i : chosen) inputs.push_back(visible[i]);
  return inputs;
}

absl::Status ShardImpl::MergeOnce(const SegmentList& inputs) {
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
  for (const MergeInput& input : merge) {
    const uint64_t live =
        input.live_docs == nullptr ? input.reader->max_doc() : input.live_docs->live_count();
    expected_bytes += input.reader->info().size_bytes * live / input.reader->max_doc();
  }

  std::shared_ptr<ShardSegment> merged;
  if (max_doc > 0) {
    const std::string& stored_codec = expected_bytes >= options_.stored_codec_threshold
                                          ? options_.merged_stored_codec
                                          : options_.stored_codec;
    absl::StatusOr<SegmentInfo> info =
        MergeSegments(*directory_, name, merge, map, max_doc, stored_codec, closing_);
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

  std::lock_guard refresh(refresh_mutex_);
  std::lock_guard lock(mutex_);
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
    merged->visible = true;
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
  PublishSnapshot();
  return absl::OkStatus();
}

}  // namespace curlew::index
