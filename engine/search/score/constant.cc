#include "engine/search/score/constant.h"

#include <algorithm>
#include <numeric>

namespace curlew::search {
namespace {

class AllDocsScorer : public Scorer {
 public:
  AllDocsScorer(DocId max_doc, float score) : max_doc_(max_doc), score_(score) {}

  DocId doc() const override { return doc_; }
  DocId Next() override { return Advance(doc_ + 1); }
  DocId Advance(DocId target) override { return doc_ = target < max_doc_ ? target : kNoMoreDocs; }
  float Score() override { return score_; }
  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    end = std::min(end, max_doc_);
    if (doc_ >= end) return 0;
    const uint32_t count = std::min(room, end - doc_);
    std::iota(docs, docs + count, doc_);
    if (scores != nullptr) std::fill_n(scores, count, score_);
    Advance(doc_ + count);
    return count;
  }

 private:
  const DocId max_doc_;
  const float score_;
  DocId doc_ = kBeforeFirst;
};

class AllDocsSupplier : public ScorerSupplier {
 public:
  AllDocsSupplier(DocId max_doc, float score) : max_doc_(max_doc), score_(score) {}
  uint64_t cost() const override { return max_doc_; }
  std::unique_ptr<Scorer> NewScorer() override {
    return std::make_unique<AllDocsScorer>(max_doc_, score_);
  }

 private:
  const DocId max_doc_;
  const float score_;
};

// Hands everything but the scores on.
class ForwardingScorer : public Scorer {
 public:
  explicit ForwardingScorer(std::unique_ptr<Scorer> inner) : inner_(std::move(inner)) {}
  DocId doc() const override { return inner_->doc(); }
  DocId Next() override { return inner_->Next(); }
  DocId Advance(DocId target) override { return inner_->Advance(target); }
  DocId Probe(DocId target) override { return inner_->Probe(target); }
  bool corrupt() const override { return inner_->corrupt(); }

 protected:
  const std::unique_ptr<Scorer> inner_;
};

class ConstantScorer : public ForwardingScorer {
 public:
  ConstantScorer(std::unique_ptr<Scorer> filter, float score)
      : ForwardingScorer(std::move(filter)), score_(score) {}
  float Score() override { return score_; }
  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    const uint32_t count = inner_->NextBatch(end, room, docs, nullptr);
    if (scores != nullptr) std::fill_n(scores, count, score_);
    return count;
  }

 private:
  const float score_;
};

class BoostScorer : public ForwardingScorer {
 public:
  BoostScorer(std::unique_ptr<Scorer> inner, float factor)
      : ForwardingScorer(std::move(inner)), factor_(factor) {}
  float Score() override { return inner_->Score() * factor_; }
  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    const uint32_t count = inner_->NextBatch(end, room, docs, scores);
    if (scores != nullptr) {
      for (uint32_t i = 0; i < count; ++i) scores[i] *= factor_;
    }
    return count;
  }

 private:
  const float factor_;
};

// Makes a T(inner scorer, value).
template <typename T>
class WrappingSupplier : public ScorerSupplier {
 public:
  WrappingSupplier(std::unique_ptr<ScorerSupplier> inner, float value)
      : inner_(std::move(inner)), value_(value) {}
  uint64_t cost() const override { return inner_->cost(); }
  absl::StatusOr<int64_t> Count(const codec::LiveDocs* live, const CancelToken& cancel) override {
    return inner_->Count(live, cancel);
  }
  // What it matches is as good as the inner one where scores do not matter.
  bool AsTerms(bool scored, std::vector<TermClause>& terms) const override {
    return !scored && inner_->AsTerms(false, terms);
  }
  bool AddTo(Required& required, bool scoring) const override {
    return !scoring && inner_->AddTo(required, false);
  }
  std::unique_ptr<Scorer> NewScorer() override {
    return std::make_unique<T>(inner_->NewScorer(), value_);
  }
  std::unique_ptr<Scorer> NewLedScorer(uint64_t lead_cost) override {
    return std::make_unique<T>(inner_->NewLedScorer(lead_cost), value_);
  }

 private:
  const std::unique_ptr<ScorerSupplier> inner_;
  const float value_;
};

}  // namespace

std::unique_ptr<ScorerSupplier> NewAllDocsSupplier(DocId max_doc, float score) {
  return std::make_unique<AllDocsSupplier>(max_doc, score);
}

std::unique_ptr<ScorerSupplier> NewConstantSupplier(std::unique_ptr<ScorerSupplier> filter,
                                                    float score) {
  return std::make_unique<WrappingSupplier<ConstantScorer>>(std::move(filter), score);
}

std::unique_ptr<ScorerSupplier> NewBoostSupplier(std::unique_ptr<ScorerSupplier> inner,
                                                 float factor) {
  return std::make_unique<WrappingSupplier<BoostScorer>>(std::move(inner), factor);
}

}  // namespace curlew::search
