#include "engine/search/score/required_optional.h"

#include "engine/search/block/union_scorer.h"

#include "engine/search/score/probe_ahead.h"

namespace curlew::search {
namespace {

class RequiredOptionalScorer : public Scorer {
 public:
  RequiredOptionalScorer(std::unique_ptr<Scorer> required, std::unique_ptr<Scorer> optional)
      : required_(std::move(required)), optional_(std::move(optional)) {}

  DocId doc() const override { return required_->doc(); }
  DocId Next() override { return required_->Next(); }
  DocId Advance(DocId target) override { return required_->Advance(target); }
  DocId Probe(DocId target) override { return required_->Probe(target); }
  float Score() override {
    float score = required_->Score();
    if (optional_.Matches(required_->doc())) score += optional_.scorer().Score();
    return score;
  }
  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    const uint32_t count = required_->NextBatch(end, room, docs, scores);
    if (scores == nullptr) return count;
    for (uint32_t i = 0; i < count; ++i) {
      if (optional_.Matches(docs[i])) scores[i] += optional_.scorer().Score();
    }
    return count;
  }
  bool corrupt() const override { return required_->corrupt() || optional_.scorer().corrupt(); }

 private:
  const std::unique_ptr<Scorer> required_;
  ProbeAhead optional_;
};

class RequiredOptionalSupplier : public ScorerSupplier {
 public:
  RequiredOptionalSupplier(std::unique_ptr<ScorerSupplier> required,
                           std::unique_ptr<ScorerSupplier> optional)
      : required_(std::move(required)), optional_(std::move(optional)) {}

  uint64_t cost() const override { return required_->cost(); }
  absl::StatusOr<int64_t> Count(const codec::LiveDocs* live, const CancelToken& cancel) override {
    return required_->Count(live, cancel);
  }
  std::unique_ptr<BulkScorer> NewBulkScorer(ScoreMode mode) override {
    UnionTerms terms;
    const TermClause* required = required_->AsTerm();
    if (mode == ScoreMode::kNone || required == nullptr || required->bm25 == nullptr ||
        !optional_->AsTerms(true, terms.optional)) {
      return NewWalk(mode);
    }
    terms.required.push_back(*required);
    return NewUnionBulkScorer(std::move(terms), *this);
  }
  std::unique_ptr<Scorer> NewScorer() override {
    return std::make_unique<RequiredOptionalScorer>(required_->NewScorer(),
                                                    optional_->NewLedScorer(required_->cost()));
  }

 private:
  const std::unique_ptr<ScorerSupplier> required_;
  const std::unique_ptr<ScorerSupplier> optional_;
};

}  // namespace

std::unique_ptr<ScorerSupplier> NewRequiredOptionalSupplier(
    std::unique_ptr<ScorerSupplier> required, std::unique_ptr<ScorerSupplier> optional) {
  return std::make_unique<RequiredOptionalSupplier>(std::move(required), std::move(optional));
}

}  // namespace curlew::search
