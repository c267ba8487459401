// Takes a shard's matches, segment after segment.
#ifndef CURLEW_ENGINE_SEARCH_COLLECT_COLLECTOR_H_
#define CURLEW_ENGINE_SEARCH_COLLECT_COLLECTOR_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/index/snapshot.h"
#include "engine/search/scorer.h"

namespace curlew::search {

// One thread at a time. Segments come in index order, each: StartSegment, Collect through the leaf,
// FinishSegment.
class Collector {
 public:
  virtual ~Collector() = default;
  virtual ScoreMode score_mode() const = 0;
  // The leaf is the collector's and valid until FinishSegment. `known_count` is the number of
  // matches in the segment when that is known beforehand, else -1.
  virtual absl::StatusOr<LeafCollector*> StartSegment(const index::SnapshotSegment& segment,
                                                      int64_t known_count) = 0;
  virtual absl::Status FinishSegment() { return absl::OkStatus(); }
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_COLLECT_COLLECTOR_H_
