#include "engine/search/score/phrase_scorer.h"

#include <algorithm>

namespace curlew::search {
namespace {

constexpr uint32_t kTriesPerCheck = 4096;

class PhraseScorer : public Scorer {
 public:
  // `terms`: the rarest first.
  struct Term {
    std::unique_ptr<codec::Postings> postings;
    uint32_t offset = 0;
    DocId doc = kBeforeFirst;
    std::span<const uint32_t> positions;  // of the candidate
    size_t at = 0;                        // in them
  };

  PhraseScorer(std::vector<Term> terms, const Bm25* bm25, const codec::Norms* norms,
               const CancelToken* cancel)
      : terms_(std::move(terms)), bm25_(bm25), cancel_(cancel) {
    if (norms != nullptr) norms_ = norms->bytes();
  }

  DocId doc() const override { return doc_; }
  DocId Next() override { return Advance(doc_ + 1); }
  DocId Advance(DocId target) override {
    uint32_t tries = 0;
    while (target != kNoMoreDocs) {
      const DocId next = Probe(target);
      if (next == target) break;
      if (++tries % kTriesPerCheck == 0 && cancel_ != nullptr && !cancel_->Check().ok()) {
        return doc_ = kNoMoreDocs;
      }
      target = next;
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
  static void MoveTo(Term& term, DocId target) {
    if (Before(term.doc, target)) term.doc = term.postings->Advance(target);
  }

  // All terms are at the candidate: the places where the phrase starts.
  uint32_t CountPlaces() {
    for (Term& term : terms_) {
      term.positions = term.postings->positions();
      term.at = 0;
    }
    uint32_t places = 0;
    const Term& lead = terms_[0];
    for (const uint32_t position : lead.positions) {
      if (position < lead.offset) continue;
      const uint32_t start = position - lead.offset;
      bool all = true;
      for (size_t i = 1; i < terms_.size() && all; ++i) {
        Term& term = terms_[i];
        const uint32_t wanted = start + term.offset;
        while (term.at < term.positions.size() && term.positions[term.at] < wanted) ++term.at;
        if (term.at == term.positions.size()) return places;
        all = term.positions[term.at] == wanted;
      }
      places += all ? 1 : 0;
    }
    return places;
  }

  std::vector<Term> terms_;
  const Bm25* const bm25_;
  std::span<const uint8_t> norms_;
  const CancelToken* const cancel_;
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
  std::unique_ptr<Scorer> NewScorer() override {
    std::vector<PhraseScorer::Term> terms(phrase_.size());
    for (size_t i = 0; i < phrase_.size(); ++i) {
      terms[i].postings = terms_->OpenPostings(phrase_[i].entry);
      terms[i].offset = phrase_[i].offset;
    }
    return std::make_unique<PhraseScorer>(std::move(terms), bm25_, norms_, cancel_);
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
