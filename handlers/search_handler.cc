#include "handlers/search_handler.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <vector>

#include "engine/search/coordinator.h"
#include "engine/util/error.h"
#include "handlers/guard.h"
#include "proto_utils/request/search_request.h"
#include "proto_utils/response/search_response.h"
#include "protos/opensearch/search_request.pb.h"

namespace curlew::handlers {
namespace {

using Shards = std::vector<std::unique_ptr<search::ShardSearch>>;
using Clock = std::chrono::steady_clock;

int64_t MillisBetween(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(to - from).count();
}

int64_t NowMillis() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Whether routing and preference send the search to this shard of the index.
class ShardChoice {
 public:
  ShardChoice(const catalog::Index& index, const proto_utils::ConvertedSearch& search)
      : numbers_(search.shards) {
    if (!search.routing.has_value()) return;
    routed_.emplace();
    for (const std::string& value : *search.routing) {
      routed_->insert(index.ShardNumberFor({}, value));
    }
  }

  bool Takes(int shard) const {
    if (routed_.has_value() && routed_->count(shard) == 0) return false;
    return !numbers_.has_value() ||
           std::find(numbers_->begin(), numbers_->end(), shard) != numbers_->end();
  }

 private:
  const std::optional<std::vector<int>>& numbers_;
  std::optional<std::set<int>> routed_;
};

// The shards to search, by index name, then number: the order in which ties stand.
absl::Status OpenShards(const catalog::Catalog& catalog, const proto_utils::ConvertedSearch& search,
                        std::vector<std::shared_ptr<catalog::Index>>& indexes, Shards& out) {
  CURLEW_ASSIGN_OR_RETURN(indexes, catalog.Resolve(search.indices, search.resolve));
  for (const std::shared_ptr<catalog::Index>& index : indexes) {
    const ShardChoice choice(*index, search);
    for (auto& shard : index->OpenSearches(search.request.now_millis)) {
      if (choice.Takes(shard->shard())) out.push_back(std::move(shard));
    }
  }
  return absl::OkStatus();
}

// What the statistics of every searched index show; a phase that several share counts for each.
void CountSearch(const std::vector<std::shared_ptr<catalog::Index>>& indexes, Clock::duration query,
                 Clock::duration fetch) {
  const auto nanos = [](Clock::duration time) {
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
  };
  for (const std::shared_ptr<catalog::Index>& index : indexes) {
    catalog::IndexActivity& activity = index->activity();
    ++activity.query_total;
    activity.query_nanos += nanos(query);
    ++activity.fetch_total;
    activity.fetch_nanos += nanos(fetch);
  }
}

absl::Status RunSearch(catalog::Catalog& catalog, ThreadPool* pool, Call& call,
                       proto_utils::ResponseBuffer& out) {
  const Clock::time_point start = Clock::now();
  CURLEW_RETURN_IF_ERROR(call.cancel().Check());
  proto_utils::ConvertedSearch search;
  CURLEW_RETURN_IF_ERROR(proto_utils::ConvertSearchRequest(
      static_cast<const org::opensearch::protobufs::SearchRequest&>(call.request()), search));
  search.request.now_millis = NowMillis();

  std::vector<std::shared_ptr<catalog::Index>> indexes;
  Shards shards;
  CURLEW_RETURN_IF_ERROR(OpenShards(catalog, search, indexes, shards));
  CURLEW_ASSIGN_OR_RETURN(
      const search::SearchResult result,
      search::RunQueryPhase(search.request, shards, search.allow_partial, call.cancel()));
  const Clock::time_point queried = Clock::now();

  const auto writer = proto_utils::SearchResponseWriter::Create(
      [&call](int64_t bytes) { return call.Charge(bytes); });
  CURLEW_RETURN_IF_ERROR(
      search::RunFetchPhase(search.request, result, shards, call.cancel(), pool, *writer));
  const Clock::time_point fetched = Clock::now();
  CountSearch(indexes, queried - start, fetched - queried);

  proto_utils::SearchTimes times;
  times.took = MillisBetween(start, fetched);
  if (search.phase_took) {
    times.phases = {MillisBetween(start, queried), MillisBetween(queried, fetched)};
  }
  return writer->Finish(result, times, out);
}

}  // namespace

void HandleSearch(catalog::Catalog& catalog, ThreadPool* pool, const CallPtr& call) {
  proto_utils::ResponseBuffer response;
  const absl::Status status = Guard([&] { return RunSearch(catalog, pool, *call, response); });
  if (status.ok()) {
    call->FinishBytes(std::move(response));
  } else {
    call->FinishError(status);
  }
}

}  // namespace curlew::handlers
