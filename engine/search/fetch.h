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

// One cursor a segment is kept, so that a stored block is inflated once for documents of it that
// are shown near to each other.
class Fetcher : public ShardFetch {
 public:
  // All of them must outlive it.
  Fetcher(const std::string& index, const index::Snapshot& snapshot, const SearchRequest& request,
          const CancelToken& cancel);

  // A whole source is a view into the stored block.
  absl::Status Fetch(std::span<const uint32_t> docs, Hit* hits) override;

 private:
  // Some places in a batch.
  using Places = uint32_t;
  static_assert(kFetchBatch < 32);
  static Places AllPlaces(std::span<const uint32_t> docs) { return (Places{1} << docs.size()) - 1; }

  // The documents of a batch that are of one segment: they are read in one go, because the views of
  // one read end with the next.
  struct Group {
    size_t segment;
    std::array<codec::DocId, kFetchBatch> docs;  // in the segment's numbering
    std::array<uint32_t, kFetchBatch> places;    // in the batch
    size_t count;

    std::span<const codec::DocId> ids() const { return {docs.data(), count}; }
  };

  // The group of the first document that is left; returns what is left after it.
  Places TakeGroup(std::span<const uint32_t> docs, Places left, Group& group) const;
  absl::Status FetchGroup(const Group& group, Hit* hits);
  void FillVersions(const index::SegmentReader& reader, const Group& group, Hit* hits) const;
  absl::Status FilterSources(std::span<Hit> hits);

  const std::string& index_;
  const index::Snapshot& snapshot_;
  const SearchRequest& request_;
  const CancelToken& cancel_;
  std::vector<std::unique_ptr<codec::StoredCursor>> cursors_;  // by segment, made when needed
  std::optional<SourceFilterer> filterer_;                     // of the first filtered fetch
  std::string filtered_;                                       // the last batch's filtered sources
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_FETCH_H_
