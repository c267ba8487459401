// Documents found by trying each one: what a filter on a column evaluates to.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_SCAN_H_
#define CURLEW_ENGINE_SEARCH_SCORE_SCAN_H_

#include <memory>
#include <utility>

#include "engine/search/scorer.h"

namespace curlew::search {

// `Matches`: bool(DocId), cheap to copy. Scores a constant. One thread at a time.
template <typename Matches>
class ScanScorer : public Scorer {
 public:
  ScanScorer(DocId max_doc, Matches matches, float score, const CancelToken* cancel)
      : max_doc_(max_doc), matches_(std::move(matches)), score_(score), cancel_(cancel) {}

  DocId doc() const override { return doc_; }
  DocId Next() override { return Advance(doc_ + 1); }
  DocId Advance(DocId target) override {
    while (target < max_doc_) {
      if (matches_(target)) return doc_ = target;
      ++target;
      if (target % kTriesPerCheck == 0 && cancel_ != nullptr && !cancel_->Check().ok()) break;
    }
    return doc_ = kNoMoreDocs;
  }
  DocId Probe(DocId target) override {
    if (target >= max_doc_) return doc_ = kNoMoreDocs;
    if (doc_ == target) return doc_;
    if (!matches_(target)) return target + 1;
    return doc_ = target;
  }
  float Score() override { return score_; }

 private:
  static constexpr DocId kTriesPerCheck = 65536;

  const DocId max_doc_;
  const Matches matches_;
  const float score_;
  const CancelToken* const cancel_;
  DocId doc_ = kBeforeFirst;
};

template <typename Matches>
class ScanSupplier : public ScorerSupplier {
 public:
  ScanSupplier(DocId max_doc, Matches matches, float score, const CancelToken* cancel)
      : max_doc_(max_doc), matches_(std::move(matches)), score_(score), cancel_(cancel) {}

  uint64_t cost() const override { return max_doc_; }
  std::unique_ptr<Scorer> NewScorer() override {
    return std::make_unique<ScanScorer<Matches>>(max_doc_, matches_, score_, cancel_);
  }

 private:
  const DocId max_doc_;
  const Matches matches_;
  const float score_;
  const CancelToken* const cancel_;
};

// `cancel` may be null. What `matches` refers to must outlive the scorers.
template <typename Matches>
std::unique_ptr<ScorerSupplier> NewScanSupplier(DocId max_doc, Matches matches, float score,
                                                const CancelToken* cancel) {
  return std::make_unique<ScanSupplier<Matches>>(max_doc, std::move(matches), score, cancel);
}

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_SCAN_H_
