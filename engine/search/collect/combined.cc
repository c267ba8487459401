#include "engine/search/collect/combined.h"

#include <algorithm>

#include "engine/util/error.h"

namespace curlew::search {

ScoreMode MultiCollector::score_mode() const {
  const bool scores = std::any_of(parts_.begin(), parts_.end(), [](const Collector* part) {
    return part->score_mode() == ScoreMode::kScores;
  });
  return scores ? ScoreMode::kScores : ScoreMode::kNone;
}

absl::StatusOr<LeafCollector*> MultiCollector::StartSegment(const index::SnapshotSegment& segment,
                                                            int64_t known_count) {
  leaves_.clear();
  for (Collector* part : parts_) {
    CURLEW_ASSIGN_OR_RETURN(LeafCollector * leaf, part->StartSegment(segment, known_count));
    leaves_.push_back(leaf);
  }
  return this;
}

absl::Status MultiCollector::FinishSegment() {
  for (Collector* part : parts_) CURLEW_RETURN_IF_ERROR(part->FinishSegment());
  return absl::OkStatus();
}

void MultiCollector::Collect(std::span<const DocId> docs, std::span<const float> scores) {
  for (LeafCollector* leaf : leaves_) {
    if (!leaf->done()) leaf->Collect(docs, scores);
  }
}

size_t MultiCollector::best_only() const {
  size_t most = 0;
  for (const LeafCollector* leaf : leaves_) {
    if (leaf->done()) continue;
    const size_t kept = leaf->best_only();
    if (kept == 0) return 0;
    most = std::max(most, kept);
  }
  return most;
}

float MultiCollector::least_competitive() const {
  float least = std::numeric_limits<float>::infinity();
  for (const LeafCollector* leaf : leaves_) {
    if (!leaf->done()) least = std::min(least, leaf->least_competitive());
  }
  return least;
}

DocId MultiCollector::NextCompetitive(DocId doc) {
  DocId next = kNoMoreDocs;
  for (LeafCollector* leaf : leaves_) {
    if (!leaf->done()) next = std::min(next, leaf->NextCompetitive(doc));
    if (next == doc) break;
  }
  return next;
}

bool MultiCollector::done() const {
  return std::all_of(leaves_.begin(), leaves_.end(),
                     [](const LeafCollector* leaf) { return leaf->done(); });
}

absl::StatusOr<LeafCollector*> MinScoreCollector::StartSegment(
    const index::SnapshotSegment& segment, int64_t) {
  CURLEW_ASSIGN_OR_RETURN(leaf_, inner_->StartSegment(segment, -1));
  return this;
}

void MinScoreCollector::Collect(std::span<const DocId> docs, std::span<const float> scores) {
  docs_.clear();
  scores_.clear();
  for (size_t i = 0; i < docs.size(); ++i) {
    if (!(scores[i] >= min_score_)) continue;
    docs_.push_back(docs[i]);
    scores_.push_back(scores[i]);
  }
  if (!docs_.empty()) leaf_->Collect(docs_, scores_);
}

void MaxScoreCollector::Collect(std::span<const DocId>, std::span<const float> scores) {
  for (const float score : scores) {
    if (!(score <= max_score_)) max_score_ = score;
  }
}

}  // namespace curlew::search
