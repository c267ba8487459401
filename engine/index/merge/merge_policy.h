// Which segments to merge: a tiered policy (the one of Lucene's TieredMergePolicy, as OpenSearch
// sets it), as a pure function of sizes.
//
// Segments of about the same size form a tier of up to ten; when there are more than the tiers
// allow, the ten that merge best (near in size, small, many deletions) are merged. So a document is
// rewritten about log10(size) times, and the number of segments stays logarithmic.
#ifndef CURLEW_ENGINE_INDEX_MERGE_MERGE_POLICY_H_
#define CURLEW_ENGINE_INDEX_MERGE_MERGE_POLICY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace curlew::index {

struct MergeSettings {
  uint32_t segments_per_tier = 10;
  uint64_t floor_bytes = 16ull << 20;      // smaller segments count as this size
  uint64_t max_merged_bytes = 5ull << 30;  // of the result
  // Deletions beyond this share of the shard, or the other share of one segment, are a reason to
  // merge by themselves.
  double deletes_allowed = 0.20;
  double segment_deletes_allowed = 0.33;
  double expunge_deletes_allowed = 0.10;  // of one segment, where deletions are to be expunged
};

struct MergeCandidate {
  uint64_t bytes = 0;
  uint32_t max_doc = 0;
  uint32_t deleted = 0;
};

// Indexes into `segments` of the next merge, ascending; empty = nothing to do. Applying it again
// and again ends.
std::vector<size_t> FindMerge(std::span<const MergeCandidate> segments,
                              const MergeSettings& settings);

// The next merge on the way to at most `max_segments` (at least 1) without deletions: smallest
// segments first, `segments_per_tier` at a time, the size limit ignored.
std::vector<size_t> FindForcedMerge(std::span<const MergeCandidate> segments, size_t max_segments,
                                    const MergeSettings& settings);

// The next merge on the way to no segment with more than `expunge_deletes_allowed`: the largest of
// those first, up to `segments_per_tier` whose result is not too large.
std::vector<size_t> FindExpungeMerge(std::span<const MergeCandidate> segments,
                                     const MergeSettings& settings);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_MERGE_MERGE_POLICY_H_
