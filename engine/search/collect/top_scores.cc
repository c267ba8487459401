#include "engine/search/collect/top_scores.h"

#include <algorithm>
#include <limits>

namespace curlew::search {
namespace {

// As many as a large page has; more than that grow as they come.
constexpr size_t kMostReserved = 65536;
constexpr float kLowest = -std::numeric_limits<float>::infinity();

}  // namespace

TopScoresCollector::TopScoresCollector(size_t k, bool constant_score)
    : k_(k), constant_score_(constant_score), worst_{0, kNoMoreDocs, kLowest} {}

absl::StatusOr<LeafCollector*> TopScoresCollector::StartSegment(
    const index::SnapshotSegment& segment, int64_t) {
  doc_base_ = segment.doc_base;
  return this;
}

void TopScoresCollector::Collect(std::span<const DocId> docs, std::span<const float> scores) {
  if (constant_score_) {
    const size_t count = std::min(docs.size(), k_ - candidates_.size());
    if (candidates_.empty()) candidates_.reserve(std::min(k_, kMostReserved));
    const size_t before = candidates_.size();
    candidates_.resize(before + count);
    TopHit* const added = candidates_.data() + before;
    for (size_t i = 0; i < count; ++i) added[i] = {0, doc_base_ + docs[i], scores[i]};
    return;
  }
  for (size_t i = 0; i < docs.size(); ++i) {
    // NaN (boosts that multiply out to infinity times zero) has no order: it goes last.
    const float score = scores[i] == scores[i] ? scores[i] : kLowest;
    if (score < worst_.score) continue;
    const TopHit hit{0, doc_base_ + docs[i], score};
    if (!Better()(hit, worst_)) continue;
    if (k_ <= kFew) {
      Insert(hit);
    } else {
      candidates_.push_back(hit);
      if (candidates_.size() >= 2 * k_) Cut();
    }
  }
}

void TopScoresCollector::Insert(const TopHit& hit) {
  if (candidates_.size() == k_) candidates_.pop_back();
  const auto at = std::upper_bound(candidates_.begin(), candidates_.end(), hit, Better());
  candidates_.insert(at, hit);
  if (candidates_.size() == k_) worst_ = candidates_.back();
}

void TopScoresCollector::Cut() {
  if (candidates_.size() <= k_) return;
  const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(k_) - 1;
  std::nth_element(candidates_.begin(), last, candidates_.end(), Better());
  candidates_.resize(k_);
  worst_ = candidates_.back();
}

std::vector<TopHit> TopScoresCollector::Take() {
  Cut();
  if (constant_score_) return std::move(candidates_);
  // Equal scores arrive in order already.
  if (!std::is_sorted(candidates_.begin(), candidates_.end(), Better())) {
    std::sort(candidates_.begin(), candidates_.end(), Better());
  }
  return std::move(candidates_);
}

}  // namespace curlew::search
