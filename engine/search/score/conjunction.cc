#include "engine/search/score/conjunction.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/search/block/intersection_scorer.h"

namespace curlew::search {
namespace {

// Candidates tried between two looks at the cancel flag.
constexpr uint32_t kTriesPerCheck = 16384;

class ConjunctionScorer : public Scorer {
 public:
  // `order`: indexes into `scorers`, cheapest first. `scoring`: those that score, in order.
  ConjunctionScorer(std::vector<std::unique_ptr<Scorer>> scorers, const std::vector<size_t>& order,
                    const std::vector<size_t>& scoring, const CancelToken* cancel)
      : scorers_(std::move(scorers)), lead_(scorers_[order[0]].get()), cancel_(cancel) {
    for (size_t i = 1; i < order.size(); ++i) others_.push_back(scorers_[order[i]].get());
    for (const size_t i : scoring) scoring_.push_back(scorers_[i].get());
  }

  DocId doc() const override { return doc_; }
  DocId Next() override { return Align(lead_->Next()); }
  DocId Advance(DocId target) override {
    return Align(Before(lead_->doc(), target) ? lead_->Advance(target) : lead_->doc());
  }
  DocId Probe(DocId target) override {
    if (doc_ == target) return doc_;
    DocId next = lead_->Probe(target);
    for (size_t i = 0; next == target && i < others_.size(); ++i) next = others_[i]->Probe(target);
    if (next == target) doc_ = target;
    return next;
  }
  float Score() override {
    double sum = 0;
    for (Scorer* scorer : scoring_) sum += scorer->Score();
    return static_cast<float>(sum);
  }
  bool corrupt() const override {
    return std::any_of(scorers_.begin(), scorers_.end(),
                       [](const auto& scorer) { return scorer->corrupt(); });
  }

 private:
  // Moves everything to the first common document from the lead's `candidate` on.
  DocId Align(DocId candidate) {
    uint32_t tries = 0;
    while (candidate != kNoMoreDocs) {
      DocId next = candidate;
      for (size_t i = 0; next == candidate && i < others_.size(); ++i) {
        next = others_[i]->Probe(candidate);
      }
      if (next == candidate) break;
      if (++tries % kTriesPerCheck == 0 && cancel_ != nullptr && !cancel_->Check().ok()) {
        return doc_ = kNoMoreDocs;
      }
      candidate = next == kNoMoreDocs ? kNoMoreDocs : lead_->Advance(next);
    }
    return doc_ = candidate;
  }

  const std::vector<std::unique_ptr<Scorer>> scorers_;
  Scorer* const lead_;
  std::vector<Scorer*> others_;
  std::vector<Scorer*> scoring_;
  const CancelToken* const cancel_;
  DocId doc_ = kBeforeFirst;
};

class ConjunctionSupplier : public ScorerSupplier {
 public:
  ConjunctionSupplier(std::vector<ConjunctionClause> clauses, const CancelToken* cancel)
      : clauses_(std::move(clauses)), cancel_(cancel) {
    for (const ConjunctionClause& clause : clauses_) {
      cost_ = std::min(cost_, clause.supplier->cost());
    }
  }

  uint64_t cost() const override { return cost_; }
  absl::StatusOr<int64_t> Count(const codec::LiveDocs* live, const CancelToken& cancel) override {
    Required required;
    if (!AddTo(required, false)) return -1;
    // To look for phrases twice costs more than to score what has them.
    for (const RequiredClause& clause : required.clauses) {
      if (clause.phrase) return -1;
    }
    return CountIntersection(required, live, cancel);
  }
  std::unique_ptr<BulkScorer> NewBulkScorer(ScoreMode mode) override {
    Required required;
    if (!AddTo(required, mode == ScoreMode::kScores)) return NewWalk(mode);
    return NewIntersectionBulkScorer(std::move(required), mode, *this);
  }
  bool AddTo(Required& required, bool scoring) const override {
    // Sums are rounded to float clause by clause: one in the other comes out differently.
    if (std::exchange(required.in_conjunction, true)) return false;
    for (const ConjunctionClause& clause : clauses_) {
      if (!clause.supplier->AddTo(required, scoring && clause.scoring)) return false;
    }
    return true;
  }
  std::unique_ptr<Scorer> NewScorer() override {
    std::vector<size_t> order(clauses_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) {
      return clauses_[a].supplier->cost() < clauses_[b].supplier->cost();
    });
    std::vector<std::unique_ptr<Scorer>> scorers;
    std::vector<size_t> scoring;
    for (size_t i = 0; i < clauses_.size(); ++i) {
      ScorerSupplier& supplier = *clauses_[i].supplier;
      scorers.push_back(i == order[0] ? supplier.NewScorer() : supplier.NewLedScorer(cost_));
      if (clauses_[i].scoring) scoring.push_back(i);
    }
    return std::make_unique<ConjunctionScorer>(std::move(scorers), order, scoring, cancel_);
  }

 private:
  const std::vector<ConjunctionClause> clauses_;
  const CancelToken* const cancel_;
  uint64_t cost_ = std::numeric_limits<uint64_t>::max();
};

}  // namespace

std::unique_ptr<ScorerSupplier> NewConjunctionSupplier(std::vector<ConjunctionClause> clauses,
                                                       const CancelToken* cancel) {
  return std::make_unique<ConjunctionSupplier>(std::move(clauses), cancel);
}

}  // namespace curlew::search
