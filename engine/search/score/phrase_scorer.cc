#include "engine/search/score/phrase_scorer.h"

#include <algorithm>

#include "engine/search/block/intersection_scorer.h"

namespace curlew::search {
namespace {

// Documents tried and positions compared between two looks at the cancel flag.
constexpr uint64_t kStepsPerCheck = 1 << 18;
// What moving to a candidate counts for.
constexpr uint64_t kStepsPerTry = 64;

class PhraseScorer : public Scorer {
 public:
  // `phrase`: the rarest first.
  PhraseScorer(const codec::FieldTerms& terms, const std::vector<PhraseTerm>& phrase,
               const Bm25* bm25, const codec::Norms* norms, const CancelToken* cancel)
      : bm25_(bm25), check_(cancel, kStepsPerCheck) {
    for (const PhraseTerm& term : phrase) {
      for (const uint32_t offset : term.offsets) places_.push_back({terms_.size(), offset, 0});
      terms_.push_back({terms.OpenPostings(term.entry), kBeforeFirst, {}});
    }
    if (norms != nullptr) norms_ = norms->bytes();
  }

  DocId doc() const override { return doc_; }
  DocId Next() override { return Advance(doc_ + 1); }
  DocId Advance(DocId target) override {
    while (target != kNoMoreDocs) {
      const DocId next = Probe(target);
      if (next == target) break;
      target = check_.Stop(kStepsPerTry) ? kNoMoreDocs : next;
    }
    return doc_ = target;
  }
  DocId Probe(DocId target) override {
    if (doc_ == target) return doc_;
    for (Term& term : terms_) {
      MoveTo(term, target);
      if (term.doc != target) return term.doc;
    }
    freq_ = CountPlaces();
    if (freq_ == 0) return target + 1;
    return doc_ = target;
  }
  float Score() override {
    if (bm25_ == nullptr) return 0;
    return bm25_->Score(static_cast<float>(freq_), norms_.empty() ? kNoNorm : norms_[doc_]);
  }
  bool corrupt() const override {
    return std::any_of(terms_.begin(), terms_.end(),
                       [](const Term& term) { return term.postings->corrupt(); });
  }

 private:
  struct Term {
    std::unique_ptr<codec::Postings> postings;
    DocId doc = kBeforeFirst;
    std::span<const uint32_t> positions;  // of the candidate
  };
  // Where a term stands in the phrase.
  struct Place {
    size_t term;
    uint32_t offset;
    size_t at;  // in the term's positions
  };

  static void MoveTo(Term& term, DocId target) {
    if (Before(term.doc, target)) term.doc = term.postings->Advance(target);
  }

  // All terms are at the candidate: the places where the phrase starts.
  uint32_t CountPlaces() {
    for (Term& term : terms_) term.positions = term.postings->positions();
    for (Place& place : places_) place.at = 0;
    uint32_t count = 0;
    const Place& lead = places_[0];
    for (const uint32_t position : terms_[lead.term].positions) {
      if (position < lead.offset) continue;
      const uint32_t start = position - lead.offset;
      bool all = true;
      size_t i = 1;
      for (; i < places_.size() && all; ++i) {
        Place& place = places_[i];
        const std::span<const uint32_t> positions = terms_[place.term].positions;
        const uint32_t wanted = start + place.offset;
        while (place.at < positions.size() && positions[place.at] < wanted) ++place.at;
        if (place.at == positions.size()) return count;
        all = positions[place.at] == wanted;
      }
      count += all ? 1 : 0;
      // A long document full of the phrase's words costs the product of the two. What is found then
      // does not matter: whoever cancelled gets an error.
      if (check_.Stop(i)) return count;
    }
    return count;
  }

  std::vector<Term> terms_;    // the rarest first
  std::vector<Place> places_;  // those of the rarest term first
  const Bm25* const bm25_;
  std::span<const uint8_t> norms_;
  PeriodicCheck check_;
  DocId doc_ = kBeforeFirst;
  uint32_t freq_ = 0;  // of the phrase in doc_
};

class PhraseSupplier : public ScorerSupplier {
 public:
  PhraseSupplier(const codec::FieldTerms* terms, std::vector<PhraseTerm> phrase, const Bm25* bm25,
                 const codec::Norms* norms, const CancelToken* cancel)
      : terms_(terms), phrase_(std::move(phrase)), bm25_(bm25), norms_(norms), cancel_(cancel) {
    std::stable_sort(phrase_.begin(), phrase_.end(), [](const PhraseTerm& a, const PhraseTerm& b) {
      return a.entry.doc_freq < b.entry.doc_freq;
    });
  }

  uint64_t cost() const override { return phrase_[0].entry.doc_freq; }
  std::unique_ptr<BulkScorer> NewBulkScorer(ScoreMode mode) override {
    Required required;
    AddTo(required, mode == ScoreMode::kScores);
    return NewIntersectionBulkScorer(std::move(required), mode, *this);
  }
  bool AddTo(Required& required, bool scoring) const override {
    RequiredClause clause{{}, {}, scoring && bm25_ != nullptr, true};
    for (const PhraseTerm& term : phrase_) {
      TermClause words{terms_, term.entry, bm25_, {}};
      if (norms_ != nullptr) words.norms = norms_->bytes();
      required.terms.push_back(words);
      clause.terms.push_back(required.terms.size() - 1);
      clause.offsets.push_back(term.offsets);
    }
    required.clauses.push_back(std::move(clause));
    return true;
  }
  std::unique_ptr<Scorer> NewScorer() override {
    return std::make_unique<PhraseScorer>(*terms_, phrase_, bm25_, norms_, cancel_);
  }

 private:
  const codec::FieldTerms* const terms_;
  std::vector<PhraseTerm> phrase_;  // the rarest first
  const Bm25* const bm25_;
  const codec::Norms* const norms_;
  const CancelToken* const cancel_;
};

}  // namespace

std::unique_ptr<ScorerSupplier> NewPhraseSupplier(const codec::FieldTerms* terms,
                                                  std::vector<PhraseTerm> phrase, const Bm25* bm25,
                                                  const codec::Norms* norms,
                                                  const CancelToken* cancel) {
  return std::make_unique<PhraseSupplier>(terms, std::move(phrase), bm25, norms, cancel);
}

}  // namespace curlew::search
