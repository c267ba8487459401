#include "engine/search/coordinator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <new>
#include <numeric>
#include <span>
#include <utility>

#include "engine/search/sort.h"
#include "engine/util/error.h"
#include "engine/util/parallel_for.h"

namespace curlew::search {
namespace {

// Hits that are worth a thread of their own: some 80 us of work, many times what waking one costs.
constexpr size_t kHitsPerPart = 2048;

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

// The places, in all lists one behind the other, of the hits in order; ties go by list, then by
// place.
absl::StatusOr<std::vector<uint32_t>> Order(const SearchRequest& request, const TopHits& all) {
  std::vector<uint32_t> order(all.hits.size());
  std::iota(order.begin(), order.end(), 0);
  if (IsByScore(request.sort)) {
    std::stable_sort(order.begin(), order.end(), [&all](uint32_t a, uint32_t b) {
      return all.hits[a].score > all.hits[b].score;
    });
    return order;
  }
  bool mixed = false;
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    for (size_t key = 0; key < request.sort.size(); ++key) {
      const int compared =
          CompareSortValues(request.sort[key], all.SortOf(a)[key], all.SortOf(b)[key], mixed);
      if (compared != 0) return compared < 0;
    }
    return false;
  });
  if (mixed) {
    return IllegalArgument(
        fmt::format("Cannot sort on [{}]: it holds numbers in one index and texts in another",
                    Clip(request.sort[0].field)));
  }
  return order;
}

// Cuts a list that is in order to the page that is asked for.
void KeepPage(size_t first, size_t last, TopHits& list) {
  const auto cut = [&](auto& values, size_t each) {
    values.resize(last * each);
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first * each));
  };
  cut(list.hits, 1);
  if (list.sort_keys > 0) cut(list.sort_values, list.sort_keys);
}

// The page of the shards' hits, each list in order.
absl::Status MergePage(const SearchRequest& request, std::vector<TopHits> lists, TopHits& out) {
  TopHits all;
  for (TopHits& list : lists) {
    if (all.hits.empty()) {
      all = std::move(list);
    } else {
      all.hits.insert(all.hits.end(), list.hits.begin(), list.hits.end());
      std::move(list.sort_values.begin(), list.sort_values.end(),
                std::back_inserter(all.sort_values));
    }
  }
  const auto size = static_cast<int64_t>(all.hits.size());
  const auto first = static_cast<size_t>(std::min(request.from, size));
  const size_t last = first + static_cast<size_t>(std::min<int64_t>(
                                  request.size, size - static_cast<int64_t>(first)));
  if (lists.size() > 1) {
    CURLEW_ASSIGN_OR_RETURN(const std::vector<uint32_t> order, Order(request, all));
    out.sort_keys = all.sort_keys;
    for (size_t i = first; i < last; ++i) {
      out.hits.push_back(all.hits[order[i]]);
      for (size_t key = 0; key < all.sort_keys; ++key) {
        out.sort_values.push_back(std::move(all.sort_values[order[i] * all.sort_keys + key]));
      }
    }
    return absl::OkStatus();
  }
  KeepPage(first, last, all);
  out = std::move(all);
  return absl::OkStatus();
}

// Shows `hits` in runs that follow each other on one shard: Fn(target, first place, documents).
template <typename Fn>
absl::Status ForEachBatch(std::span<const TopHit> hits, Fn fn) {
  std::array<uint32_t, kFetchBatch> docs;
  for (size_t begin = 0; begin < hits.size();) {
    const uint32_t target = hits[begin].target;
    const size_t most = std::min(kFetchBatch, hits.size() - begin);
    size_t count = 0;
    for (; count < most && hits[begin + count].target == target; ++count) {
      docs[count] = hits[begin + count].doc;
    }
    CURLEW_RETURN_IF_ERROR(fn(target, begin, std::span<const uint32_t>(docs.data(), count)));
    begin += count;
  }
  return absl::OkStatus();
}

absl::Status NoMoreTaken() {
  return MakeError("circuit_breaking_exception", 429,
                   "not enough memory for the response: ask for fewer hits at a time, or for less "
                   "of their source");
}

// Fetches some of the hits, on one thread.
class PartFetch {
 public:
  PartFetch(const SearchRequest& request, const SearchResult& result,
            const std::vector<std::unique_ptr<ShardSearch>>& shards, const CancelToken& cancel)
      : request_(request),
        result_(result),
        shards_(shards),
        cancel_(cancel),
        fetches_(shards.size()) {}

  // Hits from `begin` to before `end`.
  absl::Status Run(size_t begin, size_t end, HitVisitor& visitor) {
    const std::span<const TopHit> hits(result_.hits.data() + begin, end - begin);
    visitor.OnStart(hits.size());
    return ForEachBatch(hits, [&](uint32_t target, size_t at, Docs docs) -> absl::Status {
      CURLEW_RETURN_IF_ERROR(cancel_.Check());
      CURLEW_RETURN_IF_ERROR(Of(target).Fetch(docs, batch_.data()));
      for (size_t i = 0; i < docs.size(); ++i) {
        batch_[i].score = hits[at + i].score;
        batch_[i].sort = result_.SortOf(begin + at + i);
      }
      return visitor.OnHits({batch_.data(), docs.size()}) ? absl::OkStatus() : NoMoreTaken();
    });
  }

 private:
  using Docs = std::span<const uint32_t>;

  ShardFetch& Of(uint32_t target) {
    std::unique_ptr<ShardFetch>& fetch = fetches_[target];
    if (fetch == nullptr) fetch = shards_[target]->NewFetch(request_, cancel_);
    return *fetch;
  }

  const SearchRequest& request_;
  const SearchResult& result_;
  const std::vector<std::unique_ptr<ShardSearch>>& shards_;
  const CancelToken& cancel_;
  std::vector<std::unique_ptr<ShardFetch>> fetches_;  // by target, made when needed
  std::array<Hit, kFetchBatch> batch_;
};

}  // namespace

absl::StatusOr<SearchResult> RunQueryPhase(const SearchRequest& request,
                                           const std::vector<std::unique_ptr<ShardSearch>>& shards,
                                           bool allow_partial, const CancelToken& cancel) {
  SearchResult result;
  result.track_total = request.track_total_hits != kTrackTotalHitsOff;
  result.total_shards = static_cast<int>(shards.size());
  if (shards.empty()) result.max_score = 0;  // as OpenSearch answers when nothing was searched
  std::vector<TopHits> lists;
  for (size_t target = 0; target < shards.size(); ++target) {
    absl::StatusOr<ShardResult> found = shards[target]->Query(request, cancel);
    if (!found.ok()) {
      if (IsCallersEnd(found.status())) return found.status();
      result.failures.push_back({shards[target]->index(), shards[target]->shard(), found.status()});
      continue;
    }
    ++result.successful_shards;
    if (target > 0) {
      for (TopHit& hit : found->hits) hit.target = static_cast<uint32_t>(target);
    }
    if (result.track_total) AddTotal(found->total, request.track_total_hits, result.total);
    if (!(found->max_score <= result.max_score) && found->max_score == found->max_score) {
      result.max_score = found->max_score;
    }
    lists.push_back(std::move(*found));
  }
  if (!result.failures.empty()) {
    const absl::Status& first = result.failures.front().status;
    if (result.successful_shards == 0) return PhaseFailed("all shards failed", first);
    if (!allow_partial) return PhaseFailed("Partial shards failure", first);
  }
  CURLEW_RETURN_IF_ERROR(MergePage(request, std::move(lists), result));
  return result;
}

absl::Status RunFetchPhase(const SearchRequest& request, const SearchResult& result,
                           const std::vector<std::unique_ptr<ShardSearch>>& shards,
                           const CancelToken& cancel, ThreadPool* pool, HitOutput& output) {
  const size_t hits = result.hits.size();
  const size_t parts = std::max<size_t>(1, hits / kHitsPerPart);
  output.Begin(parts);
  std::vector<absl::Status> statuses(parts);
  ParallelFor(pool, parts, [&](size_t part) {
    const size_t begin = hits * part / parts;
    const size_t end = hits * (part + 1) / parts;
    try {
      PartFetch fetch(request, result, shards, cancel);
      statuses[part] = fetch.Run(begin, end, output.part(part));
    } catch (const std::bad_alloc&) {
      statuses[part] = NoMoreTaken();
    }
  });
  for (const absl::Status& status : statuses) CURLEW_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

}  // namespace curlew::search
