#include "engine/search/score/disjunction.h"

#include "engine/search/block/union_count.h"
#include "engine/search/block/union_scorer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace curlew::search {
namespace {

constexpr DocId kSmallWindow = 64;
constexpr DocId kLargeWindow = 4096;
constexpr uint32_t kBatch = 256;
// Documents times clauses between two looks at the cancel flag.
constexpr uint64_t kStepsPerCheck = 1 << 20;

class DisjunctionScorer : public Scorer {
 public:
  DisjunctionScorer(std::vector<std::unique_ptr<Scorer>> clauses, int min_match, ScoreMode mode,
                    const CancelToken* cancel)
      : clauses_(std::move(clauses)),
        min_match_(static_cast<uint32_t>(min_match)),
        check_(cancel, kStepsPerCheck) {
    if (mode == ScoreMode::kScores) sums_.resize(kLargeWindow);
    if (min_match_ > 1) counts_.resize(kLargeWindow);
  }

  DocId doc() const override { return doc_; }

  DocId Next() override {
    const DocId from = doc_ + 1;
    if (from < window_end_ && SeekInWindow(from)) return doc_;
    window_size_ = std::min(window_size_ * 2, kLargeWindow);
    return FillFrom(std::max(window_end_, from));
  }

  DocId Advance(DocId target) override {
    if (target < window_end_) {
      if (SeekInWindow(target)) return doc_;
      return FillFrom(window_end_);
    }
    // Walked windows grow; one that is jumped over was too large.
    window_size_ = kSmallWindow;
    return FillFrom(target);
  }

  float Score() override { return static_cast<float>(sums_[doc_ - window_base_]); }

  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    window_size_ = kLargeWindow;
    uint32_t count = 0;
    while (count < room && doc_ < end) {
      docs[count] = doc_;
      if (scores != nullptr) scores[count] = static_cast<float>(sums_[doc_ - window_base_]);
      ++count;
      const DocId from = doc_ + 1;
      if (from >= window_end_ || !SeekInWindow(from)) FillFrom(std::max(window_end_, from));
    }
    return count;
  }

  bool corrupt() const override {
    return std::any_of(clauses_.begin(), clauses_.end(),
                       [](const auto& clause) { return clause->corrupt(); });
  }

 private:
  // To the first match at or after `from` (inside the window); false when the window has none.
  bool SeekInWindow(DocId from) {
    DocId at = from - window_base_;
    size_t word = at / 64;
    const size_t words = (window_end_ - window_base_ + 63) / 64;
    uint64_t bits = bits_[word] & (~uint64_t{0} << (at % 64));
    while (bits == 0) {
      if (++word >= words) return false;
      bits = bits_[word];
    }
    doc_ = window_base_ + static_cast<DocId>(word * 64 + std::countr_zero(bits));
    return true;
  }

  // Fills windows from `from` on until one has a match, and moves to it.
  DocId FillFrom(DocId from) {
    while (from < kNoMoreDocs) {
      DocId base = kNoMoreDocs;
      for (const auto& clause : clauses_) {
        if (Before(clause->doc(), from)) clause->Advance(from);
        base = std::min(base, clause->doc());
      }
      if (base == kNoMoreDocs || check_.Stop(window_size_ * clauses_.size())) break;
      FillWindow(base, std::min(base + window_size_, kNoMoreDocs));
      if (SeekInWindow(base)) return doc_;
      from = window_end_;
      window_size_ = std::min(window_size_ * 2, kLargeWindow);
    }
    window_base_ = window_end_ = kNoMoreDocs;
    return doc_ = kNoMoreDocs;
  }

  void FillWindow(DocId base, DocId end) {
    window_base_ = base;
    window_end_ = end;
    const DocId size = end - base;
    std::fill_n(bits_.begin(), (size + 63) / 64, 0);
    if (!sums_.empty()) std::fill_n(sums_.begin(), size, 0.0);
    if (!counts_.empty()) std::fill_n(counts_.begin(), size, 0);
    std::array<DocId, kBatch> docs;
    std::array<float, kBatch> scores;
    for (const auto& clause : clauses_) {
      while (clause->doc() < end) {
        const uint32_t count =
            clause->NextBatch(end, kBatch, docs.data(), sums_.empty() ? nullptr : scores.data());
        for (uint32_t i = 0; i < count; ++i) {
          const DocId at = docs[i] - base;
          bits_[at / 64] |= uint64_t{1} << (at % 64);
          if (!sums_.empty()) sums_[at] += scores[i];
          if (!counts_.empty()) ++counts_[at];
        }
      }
    }
    if (!counts_.empty()) DropRareMatches(size);
  }

  void DropRareMatches(DocId size) {
    for (DocId at = 0; at < size; ++at) {
      if (counts_[at] < min_match_) bits_[at / 64] &= ~(uint64_t{1} << (at % 64));
    }
  }

  const std::vector<std::unique_ptr<Scorer>> clauses_;
  const uint32_t min_match_;
  PeriodicCheck check_;
  DocId doc_ = kBeforeFirst;
  DocId window_base_ = 0;  // the window is [base, end)
  DocId window_end_ = 0;
  DocId window_size_ = kSmallWindow / 2;  // of the next one
  std::array<uint64_t, kLargeWindow / 64> bits_;
  std::vector<double> sums_;      // empty when scores are not wanted
  std::vector<uint32_t> counts_;  // matching clauses, empty when one is enough
};

class DisjunctionSupplier : public ScorerSupplier {
 public:
  DisjunctionSupplier(std::vector<std::unique_ptr<ScorerSupplier>> clauses, int min_match,
                      ScoreMode mode, const CancelToken* cancel)
      : clauses_(std::move(clauses)), min_match_(min_match), mode_(mode), cancel_(cancel) {
    for (const auto& clause : clauses_) cost_ += clause->cost();
  }

  uint64_t cost() const override { return cost_; }
  absl::StatusOr<int64_t> Count(const codec::LiveDocs* live, const CancelToken& cancel) override {
    std::vector<TermClause> terms;
    if (!AsTerms(false, terms)) return -1;
    return CountUnion(terms, live, cancel);
  }
  std::unique_ptr<BulkScorer> NewBulkScorer(ScoreMode mode) override {
    UnionTerms terms;
    if (mode == ScoreMode::kNone || !AsTerms(true, terms.optional)) return NewWalk(mode);
    return NewUnionBulkScorer(std::move(terms), *this);
  }
  bool AsTerms(bool scored, std::vector<TermClause>& terms) const override {
    if (min_match_ > 1) return false;
    for (const auto& clause : clauses_) {
      const TermClause* term = clause->AsTerm();
      if (term == nullptr || (scored && term->bm25 == nullptr)) return false;
      terms.push_back(*term);
    }
    return true;
  }
  std::unique_ptr<Scorer> NewScorer() override {
    std::vector<std::unique_ptr<Scorer>> scorers;
    for (const auto& clause : clauses_) scorers.push_back(clause->NewScorer());
    return std::make_unique<DisjunctionScorer>(std::move(scorers), min_match_, mode_, cancel_);
  }

 private:
  const std::vector<std::unique_ptr<ScorerSupplier>> clauses_;
  const int min_match_;
  const ScoreMode mode_;
  const CancelToken* const cancel_;
  uint64_t cost_ = 0;
};

}  // namespace

std::unique_ptr<ScorerSupplier> NewDisjunctionSupplier(
    std::vector<std::unique_ptr<ScorerSupplier>> clauses, int min_match, ScoreMode mode,
    const CancelToken* cancel) {
  return std::make_unique<DisjunctionSupplier>(std::move(clauses), min_match, mode, cancel);
}

}  // namespace curlew::search
