// Counts matches, exactly up to a limit.
#ifndef CURLEW_ENGINE_SEARCH_COLLECT_TOTAL_HITS_H_
#define CURLEW_ENGINE_SEARCH_COLLECT_TOTAL_HITS_H_

#include <cstdint>

#include "engine/search/collect/collector.h"
#include "engine/search/shard_search.h"

namespace curlew::search {

// `limit` is SearchRequest::track_total_hits. Done once more than that are counted, or at once in a
// segment whose count is known. One thread at a time.
class TotalHitsCollector : public Collector, public LeafCollector {
 public:
  explicit TotalHitsCollector(int64_t limit) : limit_(limit) {}

  ScoreMode score_mode() const override { return ScoreMode::kNone; }
  absl::StatusOr<LeafCollector*> StartSegment(const index::SnapshotSegment& segment,
                                              int64_t known_count) override;
  // More than the limit are counted.
  bool enough() const { return count_ > limit_; }
  // The limit, and not exact, when there are more.
  TotalHits total() const;

 private:
  void Collect(std::span<const DocId> docs, std::span<const float>) override {
    count_ += static_cast<int64_t>(docs.size());
  }
  bool done() const override { return segment_known_ || count_ > limit_; }

  const int64_t limit_;
  int64_t count_ = 0;
  bool segment_known_ = false;
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_COLLECT_TOTAL_HITS_H_
