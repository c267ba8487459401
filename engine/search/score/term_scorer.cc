#include "engine/search/score/term_scorer.h"

#include <algorithm>
#include <array>

#include "engine/search/block/intersection_scorer.h"
#include "engine/search/block/union_count.h"
#include "engine/search/block/union_scorer.h"

namespace curlew::search {
namespace {

constexpr uint32_t kChunk = 256;

class TermScorer : public Scorer {
 public:
  TermScorer(const TermClause& clause, float constant)
      : postings_(clause.terms->OpenPostings(clause.entry)),
        bm25_(clause.bm25),
        constant_(constant),
        norms_(clause.norms) {}

  DocId doc() const override { return doc_; }
  DocId Next() override { return doc_ = postings_->Next(); }
  DocId Advance(DocId target) override { return doc_ = postings_->Advance(target); }
  float Score() override {
    if (bm25_ == nullptr) return constant_;
    return bm25_->Score(static_cast<float>(postings_->freq()), NormOf(doc_));
  }

  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    const bool frequencies = scores != nullptr && bm25_ != nullptr;
    uint32_t count = 0;
    while (count < room && doc_ < end) {
      const uint32_t wanted = std::min(room - count, kChunk);
      const uint32_t got =
          postings_->NextBatch(end, wanted, docs + count, frequencies ? freqs_.data() : nullptr);
      if (frequencies) {
        for (uint32_t i = 0; i < got; ++i) {
          scores[count + i] = bm25_->Score(static_cast<float>(freqs_[i]), NormOf(docs[count + i]));
        }
      } else if (scores != nullptr) {
        std::fill_n(scores + count, got, constant_);
      }
      count += got;
      doc_ = postings_->doc();
      if (got == 0) break;
    }
    return count;
  }

  bool corrupt() const override { return postings_->corrupt(); }

 private:
  uint8_t NormOf(DocId doc) const { return norms_.empty() ? kNoNorm : norms_[doc]; }

  const std::unique_ptr<codec::Postings> postings_;
  const Bm25* const bm25_;
  const float constant_;
  const std::span<const uint8_t> norms_;
  DocId doc_ = kBeforeFirst;
  std::array<uint32_t, kChunk> freqs_;
};

class TermSupplier : public ScorerSupplier {
 public:
  TermSupplier(const codec::FieldTerms* terms, const codec::TermEntry& entry,
               const TermScoring& scoring)
      : clause_{terms, entry, scoring.bm25, {}}, constant_(scoring.constant) {
    if (scoring.norms != nullptr) clause_.norms = scoring.norms->bytes();
  }

  uint64_t cost() const override { return clause_.entry.doc_freq; }
  const TermClause* AsTerm() const override { return &clause_; }
  bool AsTerms(bool scored, std::vector<TermClause>& terms) const override {
    terms.push_back(clause_);
    return !scored || clause_.bm25 != nullptr;
  }
  bool AddTo(Required& required, bool scoring) const override {
    if (scoring && clause_.bm25 == nullptr) return false;
    required.terms.push_back(clause_);
    required.clauses.push_back({{required.terms.size() - 1}, {}, scoring, false});
    return true;
  }
  absl::StatusOr<int64_t> Count(const codec::LiveDocs* live, const CancelToken& cancel) override {
    return CountUnion({clause_}, live, cancel);
  }
  std::unique_ptr<BulkScorer> NewBulkScorer(ScoreMode mode) override {
    if (mode == ScoreMode::kNone || clause_.bm25 == nullptr) return NewWalk(mode);
    return NewUnionBulkScorer({{}, {clause_}, {}}, *this);
  }
  std::unique_ptr<Scorer> NewScorer() override {
    return std::make_unique<TermScorer>(clause_, constant_);
  }

 private:
  TermClause clause_;
  const float constant_;
};

}  // namespace

std::unique_ptr<ScorerSupplier> NewTermSupplier(const codec::FieldTerms* terms,
                                                const codec::TermEntry& entry,
                                                const TermScoring& scoring) {
  return std::make_unique<TermSupplier>(terms, entry, scoring);
}

}  // namespace curlew::search
