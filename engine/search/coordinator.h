// Runs a search over its shards: query phase everywhere, reduce, fetch phase for the winners. The
// only way in, for one shard as for many. Works in the caller's thread, shard after shard.
#ifndef CURLEW_ENGINE_SEARCH_COORDINATOR_H_
#define CURLEW_ENGINE_SEARCH_COORDINATOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/search/hit.h"
#include "engine/search/request.h"
#include "engine/search/shard_search.h"
#include "engine/util/cancel.h"
#include "engine/util/thread_pool.h"

namespace curlew::search {

struct ShardFailure {
  std::string index;
  int shard = 0;
  absl::Status status;
};

// What the query phase found: the requested page, in order, and the head of the response.
struct SearchResult : TopHits {
  bool track_total = true;
  TotalHits total;
  float max_score = kNoScore;
  int total_shards = 0;
  int successful_shards = 0;
  std::vector<ShardFailure> failures;
};

// Query phase over `shards` (sorted by index name, then shard: ties between shards go in that
// order). Fails when every shard failed (search_phase_execution_exception with the status of the
// first cause) or when `allow_partial` is false and one did; cancellation fails it at once.
absl::StatusOr<SearchResult> RunQueryPhase(const SearchRequest& request,
                                           const std::vector<std::unique_ptr<ShardSearch>>& shards,
                                           bool allow_partial, const CancelToken& cancel);

// Fetch phase: shows the hits of `result` to `output`, in order. A large result is fetched in parts
// by as many threads of `pool` as have nothing to do, besides the calling one; null = that one
// only.
// Fails with 429 when `output` can take no more.
absl::Status RunFetchPhase(const SearchRequest& request, const SearchResult& result,
                           const std::vector<std::unique_ptr<ShardSearch>>& shards,
                           const CancelToken& cancel, ThreadPool* pool, HitOutput& output);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_COORDINATOR_H_
