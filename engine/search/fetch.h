// Reads the documents that won: the fetch phase on one shard.
#ifndef CURLEW_ENGINE_SEARCH_FETCH_H_
#define CURLEW_ENGINE_SEARCH_FETCH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/codec/stored/stored.h"
#include "engine/index/snapshot.h"
#include "engine/search/hit.h"
#include "engine/search/request.h"
#include "engine/search/source_filter.h"

namespace curlew::search {

// One cursor a segment is kept, so that a stored block is inflated once however many of its
// documents won. One request, one thread at a time.
class Fetcher {
 public:
  explicit Fetcher(std::shared_ptr<const index::Snapshot> snapshot);

  // See ShardSearch. `docs` are shard-wide.
  uint64_t RecordBytes(std::span<const uint32_t> docs) const;
  // Fills everything but index, score and sort. A whole source is a view into the stored block.
  absl::Status Fetch(uint32_t doc, const SearchRequest& request, Hit& hit);

 private:
  size_t SegmentOf(uint32_t doc) const;

  const std::shared_ptr<const index::Snapshot> snapshot_;
  std::vector<std::unique_ptr<codec::StoredCursor>> cursors_;  // by segment, made when needed
  std::optional<SourceFilterer> filterer_;                     // of the first filtered fetch
  std::string filtered_;                                       // the last filtered source
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_FETCH_H_
