// The two phases of a search on one shard: all that the coordinator knows of shards, so that one on
// another machine fits behind it.
#ifndef CURLEW_ENGINE_SEARCH_SHARD_SEARCH_H_
#define CURLEW_ENGINE_SEARCH_SHARD_SEARCH_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/search/hit.h"
#include "engine/search/request.h"
#include "engine/util/cancel.h"

namespace curlew::search {

struct TotalHits {
  int64_t value = 0;
  bool exact = true;  // false: at least `value`
};

// What the query phase finds on one shard: the best from + size, best first; ties in index order.
struct ShardResult : TopHits {  // `target` is 0 and left to the coordinator
  TotalHits total;
  float max_score = kNoScore;
};

// Documents that are fetched in one call, and between two looks at the clock: enough that both cost
// nothing, few enough that large documents take less than 50 ms.
inline constexpr size_t kFetchBatch = 16;

// Reads the documents that won, for one request on one shard. One thread at a time.
class ShardFetch {
 public:
  virtual ~ShardFetch() = default;
  // Fills a hit for each of `docs`, at most kFetchBatch in the shard's numbering (score and sort
  // are the caller's; version, seq_no and primary_term are left alone when the request does not ask
  // for them). Views stay valid until the next call.
  virtual absl::Status Fetch(std::span<const uint32_t> docs, Hit* hits) = 0;
};

// One search on one shard; holds its snapshot from the start, so that both phases see the same
// moment.
class ShardSearch {
 public:
  virtual ~ShardSearch() = default;
  virtual const std::string& index() const = 0;
  virtual int shard() const = 0;

  // One thread at a time.
  virtual absl::StatusOr<ShardResult> Query(const SearchRequest& request,
                                            const CancelToken& cancel) = 0;

  // Thread-safe: parts of one result are fetched at the same time. The arguments and this object
  // must outlive what is returned.
  virtual std::unique_ptr<ShardFetch> NewFetch(const SearchRequest& request,
                                               const CancelToken& cancel) const = 0;
};

// A search on a local shard. `context` names it and gives the snapshot.
std::unique_ptr<ShardSearch> NewLocalShardSearch(ShardContext context, int64_t max_result_window);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SHARD_SEARCH_H_
