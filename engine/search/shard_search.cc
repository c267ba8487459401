#include "engine/search/shard_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "engine/search/collect/combined.h"
#include "engine/search/collect/top_fields.h"
#include "engine/search/collect/top_scores.h"
#include "engine/search/collect/total_hits.h"
#include "engine/search/fetch.h"
#include "engine/search/query/prepared_bool.h"
#include "engine/search/sort.h"
#include "engine/search/source_filter.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

// Errors of a query, as OpenSearch reports them from a shard: whatever went wrong while it was made
// is the cause of a query_shard_exception.
absl::Status AsQueryError(const absl::Status& status, const std::string& index) {
  if (!absl::IsInvalidArgument(status)) return status;
  const ErrorDetails details = DescribeError(status);
  if (details.type == "query_shard_exception") return WithMetadata(status, "index", index);
  return WithCause(
      WithMetadata(QueryShardError("failed to create query: " + details.reason), "index", index),
      status);
}

absl::Status CheckWindow(const SearchRequest& request, int64_t max_result_window) {
  const int64_t end = request.size > std::numeric_limits<int64_t>::max() - request.from
                          ? std::numeric_limits<int64_t>::max()
                          : request.from + request.size;
  if (end <= max_result_window) return absl::OkStatus();
  return IllegalArgument(fmt::format(
      "Result window is too large, from + size must be less than or equal to: [{}] but was [{}]. "
      "Large result sets can be read page by page with search_after; the limit is the index "
      "setting [index.max_result_window].",
      max_result_window, end));
}

absl::Status CheckSearchAfter(const SearchRequest& request) {
  if (request.search_after.empty()) return absl::OkStatus();
  if (IsByScore(request.sort)) return IllegalArgument("Sort must contain at least one field.");
  if (request.from > 0) {
    return IllegalArgument(
        fmt::format("[from] must be 0 when [search_after] is used, but was [{}]", request.from));
  }
  return absl::OkStatus();
}

// The collectors of one search on one shard, put together as the request needs them.
class Collectors {
 public:
  Collectors(const SearchRequest& request, std::vector<ResolvedKey> keys,
             std::vector<AfterValue> after, size_t k, bool constant_score,
             const CancelToken& cancel) {
    std::vector<Collector*> parts;
    if (request.track_total_hits != kTrackTotalHitsOff) {
      parts.push_back(&total_.emplace(request.track_total_hits));
    }
    if (k > 0 && keys.empty()) parts.push_back(&top_scores_.emplace(k, constant_score));
    if (k > 0 && !keys.empty()) {
      max_of_first_ = keys[0].source == ResolvedKey::Source::kScore && keys[0].descending;
      parts.push_back(&top_fields_.emplace(std::move(keys), std::move(after), k,
                                           request.track_scores, &cancel));
      if (request.track_scores) parts.push_back(&max_score_.emplace());
    }
    root_ = parts.size() == 1 ? parts[0] : &all_.emplace(std::move(parts));
    if (request.min_score) root_ = &min_score_.emplace(root_, *request.min_score);
  }

  Collector& root() { return *root_; }
  // Whether the matches of a segment are to be counted, be they among the best or not.
  bool counts() const { return total_.has_value() && !min_score_ && !total_->enough(); }

  ShardResult Take() {
    ShardResult result;
    if (total_) result.total = total_->total();
    if (top_scores_) result.hits = top_scores_->Take();
    if (top_fields_) static_cast<TopHits&>(result) = top_fields_->Take();
    if (max_score_) {
      result.max_score = max_score_->max_score();
    } else if ((top_scores_ || max_of_first_) && !result.hits.empty()) {
      result.max_score = result.hits[0].score;
    }
    return result;
  }

 private:
  std::optional<TotalHitsCollector> total_;
  std::optional<TopScoresCollector> top_scores_;
  std::optional<TopFieldsCollector> top_fields_;
  std::optional<MaxScoreCollector> max_score_;
  std::optional<MultiCollector> all_;
  std::optional<MinScoreCollector> min_score_;
  bool max_of_first_ = false;
  Collector* root_ = nullptr;
};

class LocalShardSearch : public ShardSearch {
 public:
  LocalShardSearch(ShardContext context, int64_t max_result_window)
      : context_(std::move(context)), max_result_window_(max_result_window) {}

  const std::string& index() const override { return context_.index; }
  int shard() const override { return context_.shard; }

  absl::StatusOr<ShardResult> Query(const SearchRequest& request,
                                    const CancelToken& cancel) override {
    CURLEW_RETURN_IF_ERROR(cancel.Check());
    CURLEW_RETURN_IF_ERROR(CheckWindow(request, max_result_window_));
    CURLEW_RETURN_IF_ERROR(CheckSearchAfter(request));
    CURLEW_RETURN_IF_ERROR(CheckSourceFilter(request.source));
    ShardContext context = context_;
    context.now_millis = request.now_millis;
    context.cancel = &cancel;

    std::vector<ResolvedKey> keys;
    std::vector<AfterValue> after;
    if (!IsByScore(request.sort)) {
      CURLEW_ASSIGN_OR_RETURN(keys, ResolveSort(context, request.sort));
      if (!request.search_after.empty()) {
        CURLEW_ASSIGN_OR_RETURN(after, ParseSearchAfter(context, keys, request.search_after));
      }
    }
    // With no hits asked for, nothing but a minimum score needs scores.
    const size_t k = WindowEnd(request);
    const bool by_score_key = std::any_of(keys.begin(), keys.end(), [](const ResolvedKey& key) {
      return key.source == ResolvedKey::Source::kScore;
    });
    const bool scored = request.min_score.has_value() ||
                        (k > 0 && (keys.empty() || by_score_key || request.track_scores));
    const ScoreMode mode = scored ? ScoreMode::kScores : ScoreMode::kNone;
    CURLEW_ASSIGN_OR_RETURN(const PreparedPtr query, PrepareQuery(context, request, mode));

    Collectors collectors(request, std::move(keys), std::move(after), k,
                          query->ConstantScore().has_value() && !request.min_score, cancel);
    for (const index::SnapshotSegment& segment : context.snapshot->segments) {
      CURLEW_RETURN_IF_ERROR(Collect(*query, mode, segment, cancel, collectors));
    }
    return collectors.Take();
  }

  std::unique_ptr<ShardFetch> NewFetch(const SearchRequest& request,
                                       const CancelToken& cancel) const override {
    return std::make_unique<Fetcher>(context_.index, *context_.snapshot, request, cancel);
  }

 private:
  // How many of the best are kept.
  size_t WindowEnd(const SearchRequest& request) const {
    if (request.size == 0) return 0;
    const int64_t docs = std::max<int64_t>(context_.snapshot->max_doc(), 1);
    return static_cast<size_t>(
        std::min(std::min(request.from, docs) + std::min(request.size, docs), docs));
  }

  absl::StatusOr<PreparedPtr> PrepareQuery(const ShardContext& context,
                                           const SearchRequest& request, ScoreMode mode) const {
    PreparedPtr prepared;
    if (request.query == nullptr) {
      prepared = PrepareAll(1.0f);
    } else {
      absl::StatusOr<PreparedPtr> query = request.query->Prepare(context, mode);
      if (!query.ok()) return AsQueryError(query.status(), context.index);
      prepared = *std::move(query);
    }
    if (request.post_filter == nullptr) return prepared;
    absl::StatusOr<PreparedPtr> filter = request.post_filter->Prepare(context, ScoreMode::kNone);
    if (!filter.ok()) return AsQueryError(filter.status(), context.index);
    return PrepareFiltered(context, mode, std::move(prepared), *std::move(filter));
  }

  static absl::Status Collect(const PreparedQuery& query, ScoreMode mode,
                              const index::SnapshotSegment& segment, const CancelToken& cancel,
                              Collectors& collectors) {
    CURLEW_RETURN_IF_ERROR(cancel.Check());
    const codec::LiveDocs* const live = segment.live_docs.get();
    std::unique_ptr<ScorerSupplier> supplier;
    int64_t count = collectors.counts() ? query.Count(segment) : -1;
    const bool counted = count >= 0;
    if (collectors.counts() && !counted) {
      // Counted apart, matches that cannot be among the best need not be found.
      CURLEW_ASSIGN_OR_RETURN(supplier, query.ForSegment(segment));
      count = 0;
      if (supplier != nullptr) {
        CURLEW_ASSIGN_OR_RETURN(count, supplier->Count(live, cancel));
      }
    }
    CURLEW_ASSIGN_OR_RETURN(LeafCollector * leaf, collectors.root().StartSegment(segment, count));
    if (!leaf->done()) {
      if (!collectors.counts() || counted) {
        CURLEW_ASSIGN_OR_RETURN(supplier, query.ForSegment(segment));
      }
      if (supplier != nullptr) {
        CURLEW_RETURN_IF_ERROR(supplier->NewBulkScorer(mode)->Score(live, cancel, *leaf));
      }
    }
    return collectors.root().FinishSegment();
  }

  const ShardContext context_;
  const int64_t max_result_window_;
};

}  // namespace

std::unique_ptr<ShardSearch> NewLocalShardSearch(ShardContext context, int64_t max_result_window) {
  return std::make_unique<LocalShardSearch>(std::move(context), max_result_window);
}

}  // namespace curlew::search
