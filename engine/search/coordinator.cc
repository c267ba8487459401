#include "engine/search/coordinator.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/search/sort.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

// A look at the clock costs as much as a small hit; this many large ones take less than 50 ms.
constexpr size_t kHitsPerCheck = 16;

bool IsCallersEnd(const absl::Status& status) {
  return absl::IsCancelled(status) || absl::IsDeadlineExceeded(status);
}

absl::Status PhaseFailed(std::string reason, const absl::Status& cause) {
  ErrorDetails details;
  details.type = "search_phase_execution_exception";
  details.reason = std::move(reason);
  details.metadata = {{"phase", "query"}, {"grouped", "true"}};
  ErrorDetails first = DescribeError(cause);
  details.rest_status = first.rest_status;
  // The code can say more than the REST status does (corruption, not served).
  const bool told_by_status = MakeError(details).code() == cause.code();
  details.cause = std::make_shared<const ErrorDetails>(std::move(first));
  return told_by_status ? MakeError(std::move(details)) : cause;
}

void AddTotal(const TotalHits& add, int64_t limit, TotalHits& total) {
  total.value += add.value;
  total.exact = total.exact && add.exact;
  if (total.value > limit) total = {limit, false};
}

// Puts the shards' hits, each list in order, into one order; ties go by target, then by list.
absl::StatusOr<std::vector<TopHit>> Merge(const SearchRequest& request,
                                          std::vector<std::vector<TopHit>> lists) {
  std::vector<TopHit> all;
  for (std::vector<TopHit>& list : lists) {
    if (all.empty()) {
      all = std::move(list);
    } else {
      std::move(list.begin(), list.end(), std::back_inserter(all));
    }
  }
  if (lists.size() <= 1) return all;
  if (IsByScore(request.sort)) {
    std::stable_sort(all.begin(), all.end(),
                     [](const TopHit& a, const TopHit& b) { return a.score > b.score; });
    return all;
  }
  bool mixed = false;
  std::stable_sort(all.begin(), all.end(), [&](const TopHit& a, const TopHit& b) {
    for (size_t key = 0; key < request.sort.size(); ++key) {
      const int order = CompareSortValues(request.sort[key], a.sort[key], b.sort[key], mixed);
      if (order != 0) return order < 0;
    }
    return false;
  });
  if (mixed) {
    return IllegalArgument(
        fmt::format("Cannot sort on [{}]: it holds numbers in one index and texts in another",
                    Clip(request.sort[0].field)));
  }
  return all;
}

void KeepPage(const SearchRequest& request, std::vector<TopHit>& hits) {
  const auto size = static_cast<int64_t>(hits.size());
  const int64_t first = std::min(request.from, size);
  const int64_t last = first + std::min(request.size, size - first);
  hits.resize(static_cast<size_t>(last));
  hits.erase(hits.begin(), hits.begin() + first);
}

}  // namespace

absl::StatusOr<SearchResult> RunQueryPhase(const SearchRequest& request,
                                           const std::vector<std::unique_ptr<ShardSearch>>& shards,
                                           bool allow_partial, const CancelToken& cancel) {
  SearchResult result;
  result.track_total = request.track_total_hits != kTrackTotalHitsOff;
  result.total_shards = static_cast<int>(shards.size());
  if (shards.empty()) result.max_score = 0;  // as OpenSearch answers when nothing was searched
  std::vector<std::vector<TopHit>> lists;
  for (size_t target = 0; target < shards.size(); ++target) {
    absl::StatusOr<ShardResult> found = shards[target]->Query(request, cancel);
    if (!found.ok()) {
      if (IsCallersEnd(found.status())) return found.status();
      result.failures.push_back({shards[target]->index(), shards[target]->shard(), found.status()});
      continue;
    }
    ++result.successful_shards;
    for (TopHit& hit : found->hits) hit.target = static_cast<uint32_t>(target);
    lists.push_back(std::move(found->hits));
    if (result.track_total) AddTotal(found->total, request.track_total_hits, result.total);
    if (!(found->max_score <= result.max_score) && found->max_score == found->max_score) {
      result.max_score = found->max_score;
    }
  }
  if (!result.failures.empty()) {
    const absl::Status& first = result.failures.front().status;
    if (result.successful_shards == 0) return PhaseFailed("all shards failed", first);
    if (!allow_partial) return PhaseFailed("Partial shards failure", first);
  }
  CURLEW_ASSIGN_OR_RETURN(result.hits, Merge(request, std::move(lists)));
  KeepPage(request, result.hits);
  return result;
}

absl::Status RunFetchPhase(const SearchRequest& request, const SearchResult& result,
                           const std::vector<std::unique_ptr<ShardSearch>>& shards,
                           const CancelToken& cancel, HitVisitor& visitor) {
  uint64_t bytes = 0;
  std::vector<std::vector<uint32_t>> docs(shards.size());
  for (const TopHit& hit : result.hits) docs[hit.target].push_back(hit.doc);
  for (size_t target = 0; target < shards.size(); ++target) {
    bytes += shards[target]->RecordBytes(docs[target]);
  }
  visitor.OnStart(result.hits.size(), bytes);
  Hit hit;
  for (size_t i = 0; i < result.hits.size(); ++i) {
    const TopHit& top = result.hits[i];
    if (i % kHitsPerCheck == 0) CURLEW_RETURN_IF_ERROR(cancel.Check());
    CURLEW_RETURN_IF_ERROR(shards[top.target]->Fetch(top.doc, request, hit));
    hit.score = top.score;
    hit.sort = top.sort;
    visitor.OnHit(hit);
  }
  return absl::OkStatus();
}

}  // namespace curlew::search
