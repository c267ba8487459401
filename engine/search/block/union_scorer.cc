#include "engine/search/block/union_scorer.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "engine/search/block/seen_docs.h"
#include "engine/search/block/threshold.h"
#include "engine/util/error.h"
#include "engine/util/scratch_array.h"

namespace curlew::search {
namespace {

// Blocks between two looks at the cancel flag: some 10 us of work.
constexpr uint32_t kBlocksPerCheck = 64;

// The evaluation of one segment.
class Union {
 public:
  Union(const UnionTerms& terms, const codec::LiveDocs* live, const CancelToken& cancel,
        LeafCollector& collector)
      : required_(terms.required.size()),
        scoring_(required_ + terms.optional.size()),
        all_(scoring_ + terms.excluded.size()),
        live_(live),
        cancel_(cancel),
        collector_(collector),
        lists_(all_),
        order_(scoring_),
        rest_(scoring_ + 1),
        parts_(scoring_) {}

  // False when a term does not lie in blocks.
  bool Open(const UnionTerms& terms) {
    size_t next = 0;
    for (const auto* clauses : {&terms.required, &terms.optional, &terms.excluded}) {
      for (const TermClause& clause : *clauses) {
        if (!lists_[next++].Open(clause)) return false;
      }
    }
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
      const float of_a = lists_[a].bound(), of_b = lists_[b].bound();
      return of_a != of_b ? of_a > of_b : a < b;
    });
    rest_[scoring_] = 0;
    for (size_t i = scoring_; i > 0; --i) {
      rest_[i - 1] = rest_[i] + Inflated(lists_[order_[i - 1]].bound());
    }
    threshold_ = collector_.least_competitive();
    // Of the documents of a term that are all matches, and alive.
    const bool all_match = live_ == nullptr && all_ == scoring_ && required_ <= 1;
    const size_t seeds = all_match ? (required_ == 1 ? 1 : scoring_) : 0;
    for (size_t i = 0; i < seeds; ++i) {
      const double known = lists_[i].AtLeast(collector_.best_only());
      threshold_ = std::max(threshold_, known * (1 - kRoundingSlack));
    }
    return true;
  }

  absl::Status Run() {
    SeenDocs seen(lists_[0].blocks().max_doc());
    for (size_t pass = 0; pass < scoring_ && !(rest_[pass] < threshold_); ++pass) {
      CURLEW_RETURN_IF_ERROR(Pass(pass, seen));
      if (order_[pass] < required_) break;  // every match was among its documents
    }
    for (size_t i = 0; i < all_; ++i) {
      if (lists_[i].corrupt()) return Corruption("a postings list is damaged");
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Pass(size_t pass, SeenDocs& seen) {
    TermList& list = lists_[order_[pass]];
    const uint32_t blocks = list.blocks().count();
    least_ = LeastCount(list, threshold_ - rest_[pass + 1]);
    uint32_t until_check = 0;
    for (uint32_t block = 0;; ++block) {
      block = list.NextThatCan(block, least_);
      if (block >= blocks) break;
      if (until_check-- == 0) {
        CURLEW_RETURN_IF_ERROR(cancel_.Check());
        until_check = kBlocksPerCheck;
      }
      if (!list.Load(block)) break;
      Block(pass, list, seen);
    }
    return absl::OkStatus();
  }

  void Block(size_t pass, TermList& list, SeenDocs& seen) {
    std::array<float, codec::kBlockRoom> counts;
    std::array<uint8_t, codec::kBlockRoom> places;
    const uint32_t size = list.size();
    list.Counts(counts.data());
    uint32_t found = 0;
    for (uint32_t i = 0; i < size; ++i) {
      places[found] = static_cast<uint8_t>(i);
      found += counts[i] >= least_ ? 1 : 0;
    }
    for (uint32_t i = 0; i < found; ++i) {
      const uint32_t place = places[i];
      if (counts[place] < least_) continue;  // it has grown
      const DocId doc = list.docs()[place];
      if (live_ != nullptr && !live_->Live(doc)) continue;
      Try(pass, doc, list.ScoreOf(counts[place]), seen);
    }
  }

  // Adds up what the terms behind pass's give, as long as that can be enough.
  void Try(size_t pass, DocId doc, float part, SeenDocs& seen) {
    double sum = part;
    parts_[order_[pass]] = part;
    for (size_t j = pass + 1; j < scoring_; ++j) {
      if (sum + rest_[j] < threshold_) return;
      const uint32_t at = order_[j];
      TermList& other = lists_[at];
      if (other.Probe(doc, threshold_ - sum - rest_[j + 1])) {
        parts_[at] = other.Score();
        sum += parts_[at];
      } else if (at < required_) {
        return;
      } else {
        parts_[at] = 0;
      }
    }
    // The terms before pass's have not got the document, or it cannot win.
    for (size_t j = 0; j < pass; ++j) parts_[order_[j]] = 0;
    const float score = Sum(0, required_) + Sum(required_, scoring_);
    if (score < threshold_ || (pass > 0 && seen.Has(doc))) return;
    for (size_t i = scoring_; i < all_; ++i) {
      if (lists_[i].Probe(doc)) return;
    }
    if (pass + 1 < scoring_) seen.Add(doc);
    collector_.Collect({&doc, 1}, {&score, 1});
    const double least = collector_.least_competitive();
    if (least > threshold_) {
      threshold_ = least;
      least_ = LeastCount(lists_[order_[pass]], threshold_ - rest_[pass + 1]);
    }
  }

  float Sum(size_t from, size_t to) const {
    double sum = 0;
    for (size_t i = from; i < to; ++i) sum += parts_[i];
    return static_cast<float>(sum);
  }

  // Of lists_: the required ones come first, then the optional, then the excluded.
  const size_t required_;
  const size_t scoring_;
  const size_t all_;
  const codec::LiveDocs* const live_;
  const CancelToken& cancel_;
  LeafCollector& collector_;
  ScratchArray<TermList> lists_;
  ScratchArray<uint32_t> order_;  // of those that score, the heaviest first
  ScratchArray<double> rest_;     // of order_ from there on: their bounds together
  ScratchArray<float> parts_;     // what each list gives to the document being tried
  double threshold_ = 0;
  float least_ = 0;  // what a document has to count in the list of the pass
};

class UnionBulkScorer : public BulkScorer {
 public:
  UnionBulkScorer(UnionTerms terms, ScorerSupplier& walk) : terms_(std::move(terms)), walk_(walk) {}

  absl::Status Score(const codec::LiveDocs* live_docs, const CancelToken& cancel,
                     LeafCollector& collector) override {
    CURLEW_RETURN_IF_ERROR(cancel.Check());
    if (collector.best_only() > 0) {
      Union all(terms_, live_docs, cancel, collector);
      if (all.Open(terms_)) return all.Run();
    }
    return walk_.NewWalk(ScoreMode::kScores)->Score(live_docs, cancel, collector);
  }

 private:
  const UnionTerms terms_;
  ScorerSupplier& walk_;
};

}  // namespace

std::unique_ptr<BulkScorer> NewUnionBulkScorer(UnionTerms terms, ScorerSupplier& walk) {
  return std::make_unique<UnionBulkScorer>(std::move(terms), walk);
}

}  // namespace curlew::search
