// Reads the documents that won: the fetch phase on one shard.
#ifndef CURLEW_ENGINE_SEARCH_FETCH_H_
#define CURLEW_ENGINE_SEARCH_FETCH_H_

#include <array>
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
#include "engine/search/shard_search.h"
#include "engine/search/source_filter.h"

namespace curlew::search {

// One cursor a segment is kept, so that a stored block is inflated once however many of its
// documents won. One request, one thread at a time.
class Fetcher {
 public:
  explicit Fetcher(std::shared_ptr<const index::Snapshot> snapshot);

  // See ShardSearch. `docs` are shard-wide.
  uint64_t RecordBytes(std::span<const uint32_t> docs) const;
  // Everything but index, score and sort. A whole source is a view into the stored block.
  absl::Status Fetch(std::span<const uint32_t> docs, const SearchRequest& request, Hit* hits);

 private:
  // A run of documents, one after the other in a request, of one segment.
  struct Run {
    size_t segment;
    size_t begin;
    std::array<codec::DocId, kFetchBatch> docs;  // in the segment's numbering
    size_t count;

    std::span<const codec::DocId> ids() const { return {docs.data(), count}; }
  };

  // The run that starts at `begin`; at most kFetchBatch documents.
  void FindRun(std::span<const uint32_t> docs, size_t begin, Run& run) const;
  absl::Status FetchRun(const Run& run, const SearchRequest& request, Hit* hits);
  absl::Status FilterSources(const SearchRequest& request, std::span<Hit> hits);

  const std::shared_ptr<const index::Snapshot> snapshot_;
  std::vector<std::unique_ptr<codec::StoredCursor>> cursors_;  // by segment, made when needed
  std::optional<SourceFilterer> filterer_;                     // of the first filtered fetch
  std::string filtered_;                                       // the last batch's filtered sources
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_FETCH_H_
