#include "engine/search/score/exclusion.h"

#include "engine/search/block/intersection_scorer.h"
#include "engine/search/block/union_scorer.h"

#include "engine/search/score/probe_ahead.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

constexpr uint32_t kTriesPerCheck = 16384;

class ExclusionScorer : public Scorer {
 public:
  ExclusionScorer(std::unique_ptr<Scorer> included, std::unique_ptr<Scorer> excluded,
                  const CancelToken* cancel)
      : included_(std::move(included)), excluded_(std::move(excluded)), cancel_(cancel) {}

  DocId doc() const override { return doc_; }
  DocId Next() override { return SkipExcluded(included_->Next()); }
  DocId Advance(DocId target) override {
    return SkipExcluded(Before(included_->doc(), target) ? included_->Advance(target)
                                                         : included_->doc());
  }
  DocId Probe(DocId target) override {
    if (doc_ == target) return doc_;
    const DocId next = included_->Probe(target);
    if (next != target) return next;
    if (excluded_.Matches(target)) return target + 1;
    return doc_ = target;
  }
  float Score() override { return included_->Score(); }
  bool corrupt() const override { return included_->corrupt() || excluded_.scorer().corrupt(); }

 private:
  DocId SkipExcluded(DocId candidate) {
    uint32_t tries = 0;
    while (candidate != kNoMoreDocs && excluded_.Matches(candidate)) {
      if (++tries % kTriesPerCheck == 0 && cancel_ != nullptr && !cancel_->Check().ok()) {
        return doc_ = kNoMoreDocs;
      }
      candidate = included_->Next();
    }
    return doc_ = candidate;
  }

  const std::unique_ptr<Scorer> included_;
  ProbeAhead excluded_;
  const CancelToken* const cancel_;
  DocId doc_ = kBeforeFirst;
};

class ExclusionSupplier : public ScorerSupplier {
 public:
  ExclusionSupplier(std::unique_ptr<ScorerSupplier> included,
                    std::unique_ptr<ScorerSupplier> excluded, const CancelToken* cancel)
      : included_(std::move(included)), excluded_(std::move(excluded)), cancel_(cancel) {}

  uint64_t cost() const override { return included_->cost(); }
  absl::StatusOr<int64_t> Count(const codec::LiveDocs* live, const CancelToken& cancel) override {
    Required required;
    if (!included_->AddTo(required, false)) return -1;
    // To look for phrases twice costs more than to score what has them.
    for (const RequiredClause& clause : required.clauses) {
      if (clause.phrase) return -1;
    }
    if (!excluded_->AsTerms(false, required.excluded)) return -1;
    if (live == nullptr && required.terms.size() == 1 && required.excluded.size() == 1 &&
        !required.terms[0].entry.damaged()) {
      const auto all = static_cast<int64_t>(required.terms[0].entry.doc_freq);
      Required both;
      both.terms = {required.terms[0], required.excluded[0]};
      both.clauses = {{{0}, {}, false, false}, {{1}, {}, false, false}};
      CURLEW_ASSIGN_OR_RETURN(const int64_t shared, CountIntersection(both, live, cancel));
      return shared < 0 ? -1 : all - shared;
    }
    return CountIntersection(required, live, cancel);
  }
  std::unique_ptr<BulkScorer> NewBulkScorer(ScoreMode mode) override {
    UnionTerms terms;
    if (!excluded_->AsTerms(false, terms.excluded)) return NewWalk(mode);
    if (mode == ScoreMode::kScores && included_->AsTerms(true, terms.optional)) {
      return NewUnionBulkScorer(std::move(terms), *this);
    }
    Required required;
    if (!included_->AddTo(required, mode == ScoreMode::kScores)) return NewWalk(mode);
    required.excluded = std::move(terms.excluded);
    return NewIntersectionBulkScorer(std::move(required), mode, *this);
  }
  std::unique_ptr<Scorer> NewScorer() override {
    return std::make_unique<ExclusionScorer>(included_->NewScorer(),
                                             excluded_->NewLedScorer(included_->cost()), cancel_);
  }

 private:
  const std::unique_ptr<ScorerSupplier> included_;
  const std::unique_ptr<ScorerSupplier> excluded_;
  const CancelToken* const cancel_;
};

}  // namespace

std::unique_ptr<ScorerSupplier> NewExclusionSupplier(std::unique_ptr<ScorerSupplier> included,
                                                     std::unique_ptr<ScorerSupplier> excluded,
                                                     const CancelToken* cancel) {
  return std::make_unique<ExclusionSupplier>(std::move(included), std::move(excluded), cancel);
}

}  // namespace curlew::search
