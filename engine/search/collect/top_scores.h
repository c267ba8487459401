// The best documents by score.
#ifndef CURLEW_ENGINE_SEARCH_COLLECT_TOP_SCORES_H_
#define CURLEW_ENGINE_SEARCH_COLLECT_TOP_SCORES_H_

#include <cstdint>
#include <vector>

#include "engine/search/collect/collector.h"
#include "engine/search/hit.h"

namespace curlew::search {

// The `k` best by score, ties in index order, in whatever order they come: a buffer of twice that
// many candidates, cut to the best half whenever it is full. With `constant_score` every match
// scores the same, so the first `k` are the best and it is done then. One thread at a time.
class TopScoresCollector : public Collector, public LeafCollector {
 public:
  TopScoresCollector(size_t k, bool constant_score);

  ScoreMode score_mode() const override { return ScoreMode::kScores; }
  absl::StatusOr<LeafCollector*> StartSegment(const index::SnapshotSegment& segment,
                                              int64_t known_count) override;
  // Best first.
  std::vector<TopHit> Take();

 private:
  // A type, not a function, so that sorting inlines it.
  struct Better {
    bool operator()(const TopHit& a, const TopHit& b) const {
      return a.score != b.score ? a.score > b.score : a.doc < b.doc;
    }
  };

  // Up to here the candidates are kept in order, so that the least of them is always known: for so
  // few that costs no more than cutting now and then.
  static constexpr size_t kFew = 32;

  void Collect(std::span<const DocId> docs, std::span<const float> scores) override;
  size_t best_only() const override { return constant_score_ ? 0 : k_; }
  float least_competitive() const override { return worst_.score; }
  bool done() const override { return constant_score_ && candidates_.size() >= k_; }
  void Insert(const TopHit& hit);
  void Cut();

  const size_t k_;
  const bool constant_score_;
  uint32_t doc_base_ = 0;
  std::vector<TopHit> candidates_;
  TopHit worst_;  // whatever is not better is not among the best
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_COLLECT_TOP_SCORES_H_
