// A moment of a shard: what one search, or a point in time, sees.
#ifndef CURLEW_ENGINE_INDEX_SNAPSHOT_H_
#define CURLEW_ENGINE_INDEX_SNAPSHOT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/codec/live_docs/live_docs.h"
#include "engine/index/segment_reader.h"

namespace curlew::index {

struct SnapshotSegment {
  std::shared_ptr<const SegmentReader> reader;
  std::shared_ptr<const codec::LiveDocs> live_docs;  // null = none deleted
  uint32_t doc_base = 0;  // of the shard-wide numbering: sum of max_doc before it

  bool Live(codec::DocId doc) const { return live_docs == nullptr || live_docs->Live(doc); }
  uint32_t live_count() const {
    return live_docs == nullptr ? reader->max_doc() : live_docs->live_count();
  }
};

// Immutable and shared by reference count; segments in index order (older documents first).
struct Snapshot {
  std::vector<SnapshotSegment> segments;
  uint64_t generation = 0;  // grows with every refresh that changed something

  uint32_t max_doc() const {
    return segments.empty() ? 0 : segments.back().doc_base + segments.back().reader->max_doc();
  }
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SNAPSHOT_H_
