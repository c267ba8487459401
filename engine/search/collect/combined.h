// Collectors combined: several over the same matches, and one that takes good scores only.
#ifndef CURLEW_ENGINE_SEARCH_COLLECT_COMBINED_H_
#define CURLEW_ENGINE_SEARCH_COLLECT_COMBINED_H_

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/search/collect/collector.h"

namespace curlew::search {

// Shows every match to all `parts` (not owned, they have to outlive it) that are not done; done
// when all are. One thread at a time, as the others here.
class MultiCollector : public Collector, public LeafCollector {
 public:
  explicit MultiCollector(std::vector<Collector*> parts) : parts_(std::move(parts)) {}

  ScoreMode score_mode() const override;
  absl::StatusOr<LeafCollector*> StartSegment(const index::SnapshotSegment& segment,
                                              int64_t known_count) override;
  absl::Status FinishSegment() override;

 private:
  void Collect(std::span<const DocId> docs, std::span<const float> scores) override;
  size_t best_only() const override;
  float least_competitive() const override;
  DocId NextCompetitive(DocId doc) override;
  bool done() const override;

  const std::vector<Collector*> parts_;
  std::vector<LeafCollector*> leaves_;  // of the current segment
};

// Hands on (to `inner`, not owned) the matches that score at least `min_score`. No count of a
// segment is known beforehand then.
class MinScoreCollector : public Collector, public LeafCollector {
 public:
  MinScoreCollector(Collector* inner, float min_score) : inner_(inner), min_score_(min_score) {}

  ScoreMode score_mode() const override { return ScoreMode::kScores; }
  absl::StatusOr<LeafCollector*> StartSegment(const index::SnapshotSegment& segment,
                                              int64_t known_count) override;
  absl::Status FinishSegment() override { return inner_->FinishSegment(); }

 private:
  void Collect(std::span<const DocId> docs, std::span<const float> scores) override;
  size_t best_only() const override { return leaf_->best_only(); }
  float least_competitive() const override {
    return std::max(min_score_, leaf_->least_competitive());
  }
  DocId NextCompetitive(DocId doc) override { return leaf_->NextCompetitive(doc); }
  bool done() const override { return leaf_->done(); }

  Collector* const inner_;
  const float min_score_;
  LeafCollector* leaf_ = nullptr;
  std::vector<DocId> docs_;
  std::vector<float> scores_;
};

// The highest score of all matches.
class MaxScoreCollector : public Collector, public LeafCollector {
 public:
  ScoreMode score_mode() const override { return ScoreMode::kScores; }
  absl::StatusOr<LeafCollector*> StartSegment(const index::SnapshotSegment&, int64_t) override {
    return this;
  }
  float max_score() const { return max_score_; }  // NaN without matches

 private:
  void Collect(std::span<const DocId> docs, std::span<const float> scores) override;

  float max_score_ = std::numeric_limits<float>::quiet_NaN();
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_COLLECT_COMBINED_H_
