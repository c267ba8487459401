#include "engine/search/collect/total_hits.h"

namespace curlew::search {

absl::StatusOr<LeafCollector*> TotalHitsCollector::StartSegment(const index::SnapshotSegment&,
                                                                int64_t known_count) {
  segment_known_ = known_count >= 0;
  if (segment_known_) count_ += known_count;
  return this;
}

TotalHits TotalHitsCollector::total() const {
  if (count_ > limit_) return {limit_, false};
  return {count_, true};
}

}  // namespace curlew::search
