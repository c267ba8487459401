#include "engine/index/merge/merge_policy.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace curlew::index {

namespace {

double LiveRatio(const MergeCandidate& s) {
  return s.max_doc == 0 ? 0 : 1.0 - static_cast<double>(s.deleted) / s.max_doc;
}

// What the segment will weigh in a merge.
uint64_t LiveBytes(const MergeCandidate& s) {
  return static_cast<uint64_t>(static_cast<double>(s.bytes) * LiveRatio(s));
}

bool TooManyDeletes(const MergeCandidate& s, const MergeSettings& settings) {
  return static_cast<double>(s.deleted) > settings.segment_deletes_allowed * s.max_doc;
}

// How many segments of these sizes (largest first) the tiers hold.
size_t AllowedSegments(uint64_t total_bytes, uint64_t smallest, const MergeSettings& settings) {
  double level = static_cast<double>(std::max(smallest, settings.floor_bytes));
  double left = static_cast<double>(total_bytes);
  const double per_tier = settings.segments_per_tier;
  const auto largest = static_cast<double>(settings.max_merged_bytes);
  double allowed = 0;
  for (;;) {
    const double count = left / level;
    if (count < per_tier || level >= largest) {
      allowed += std::ceil(count);
      break;
    }
    allowed += per_tier;
    left -= per_tier * level;
    level = std::min(largest, level * per_tier);
  }
  return static_cast<size_t>(std::max(allowed, per_tier));
}

// Lower is better: balanced, small, with much to reclaim (Lucene's MergeScore).
double Score(std::span<const MergeCandidate> segments, std::span<const size_t> merge,
             const MergeSettings& settings) {
  double before = 0;
  double after = 0;
  double after_floored = 0;
  double largest = 0;
  for (const size_t i : merge) {
    const auto live = static_cast<double>(LiveBytes(segments[i]));
    const double floored = std::max(live, static_cast<double>(settings.floor_bytes));
    before += static_cast<double>(segments[i].bytes);
    after += live;
    after_floored += floored;
    largest = std::max(largest, floored);
  }
  const double skew = largest / after_floored;
  const double live_ratio = before > 0 ? after / before : 0;
  return skew * std::pow(std::max(after, 1.0), 0.05) * live_ratio * live_ratio;
}

}  // namespace

std::vector<size_t> FindMerge(std::span<const MergeCandidate> segments,
                              const MergeSettings& settings) {
  uint64_t docs = 0;
  uint64_t deleted = 0;
  for (const MergeCandidate& s : segments) {
    docs += s.max_doc;
    deleted += s.deleted;
  }
  const bool too_many_deletes =
      static_cast<double>(deleted) > settings.deletes_allowed * static_cast<double>(docs);

  // Segments at least half as large as a merge's result may be are left alone, unless they hold
  // much that is deleted.
  std::vector<size_t> order;
  uint64_t total = 0;
  uint64_t smallest = UINT64_MAX;
  for (size_t i = 0; i < segments.size(); ++i) {
    if (LiveBytes(segments[i]) > settings.max_merged_bytes / 2 &&
        !(too_many_deletes && segments[i].deleted > 0) && !TooManyDeletes(segments[i], settings)) {
      continue;
    }
    order.push_back(i);
    total += LiveBytes(segments[i]);
    smallest = std::min(smallest, segments[i].bytes);
  }
  if (order.empty()) return {};
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return LiveBytes(segments[a]) > LiveBytes(segments[b]);
  });

  std::vector<size_t> best;
  double best_score = 0;
  const bool too_many_segments = order.size() > AllowedSegments(total, smallest, settings);
  if (too_many_segments) {
    for (size_t start = 0; start < order.size(); ++start) {
      std::vector<size_t> merge;
      uint64_t bytes = 0;
      for (size_t i = start; i < order.size() && merge.size() < settings.segments_per_tier; ++i) {
        const uint64_t live = LiveBytes(segments[order[i]]);
        if (bytes + live > settings.max_merged_bytes) continue;
        merge.push_back(order[i]);
        bytes += live;
      }
      if (merge.size() < 2) continue;
      const double score = Score(segments, merge, settings);
      if (best.empty() || score < best_score) {
        best = std::move(merge);
        best_score = score;
      }
    }
  }
  if (best.empty()) {
    // Deletions alone: the worst segment by itself, if it is bad enough or the shard is.
    double worst = 0;
    for (const size_t i : order) {
      const double share = 1.0 - LiveRatio(segments[i]);
      const bool reason = TooManyDeletes(segments[i], settings) ||
                          (too_many_deletes && share > settings.deletes_allowed);
      if (reason && segments[i].deleted > 0 && share > worst) {
        worst = share;
        best = {i};
      }
    }
  }
  std::sort(best.begin(), best.end());
  return best;
}

std::vector<size_t> FindExpungeMerge(std::span<const MergeCandidate> segments,
                                     const MergeSettings& settings) {
  std::vector<size_t> order;
  for (size_t i = 0; i < segments.size(); ++i) {
    const MergeCandidate& s = segments[i];
    if (static_cast<double>(s.deleted) > settings.expunge_deletes_allowed * s.max_doc) {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return LiveBytes(segments[a]) > LiveBytes(segments[b]);
  });
  std::vector<size_t> merge;
  uint64_t bytes = 0;
  for (const size_t i : order) {
    if (merge.size() >= settings.segments_per_tier) break;
    if (!merge.empty() && bytes + LiveBytes(segments[i]) > settings.max_merged_bytes) continue;
    merge.push_back(i);
    bytes += LiveBytes(segments[i]);
  }
  std::sort(merge.begin(), merge.end());
  return merge;
}

std::vector<size_t> FindForcedMerge(std::span<const MergeCandidate> segments, size_t max_segments,
                                    const MergeSettings& settings) {
  max_segments = std::max<size_t>(max_segments, 1);
  std::vector<size_t> order(segments.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return LiveBytes(segments[a]) < LiveBytes(segments[b]);
  });
  std::vector<size_t> merge;
  if (segments.size() > max_segments) {
    const size_t count = std::min<size_t>(segments.size() - max_segments + 1,
                                          std::max<uint32_t>(settings.segments_per_tier, 2));
    merge.assign(order.begin(), order.begin() + static_cast<ptrdiff_t>(count));
  } else {
    for (size_t i = 0; i < segments.size() && merge.empty(); ++i) {
      if (segments[i].deleted > 0) merge.push_back(i);
    }
  }
  std::sort(merge.begin(), merge.end());
  return merge;
}

}  // namespace curlew::index
