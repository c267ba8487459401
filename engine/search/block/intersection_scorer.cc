#include "engine/search/block/intersection_scorer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/search/block/phrase_match.h"
#include "engine/search/block/threshold.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

constexpr uint32_t kBlocksPerCheck = 16;
// Positions compared between two looks at the cancel flag.
constexpr uint64_t kStepsPerCheck = 1 << 18;
constexpr double kNothing = -std::numeric_limits<double>::infinity();

// Where the documents of the lead's block stand in another list, by their places in the block.
struct Found {
  std::array<uint32_t, codec::kPostingsBlock> block;
  std::array<uint32_t, codec::kPostingsBlock> freq;
  std::array<uint8_t, codec::kPostingsBlock> place;
};

// The evaluation of one segment.
class Intersection {
 public:
  Intersection(const Required& required, ScoreMode mode, const codec::LiveDocs* live,
               const CancelToken& cancel, LeafCollector& collector)
      : clauses_(required.clauses),
        count_(required.terms.size()),
        all_(count_ + required.excluded.size()),
        scored_(mode == ScoreMode::kScores),
        pruning_(scored_ && collector.best_only() > 0),
        live_(live),
        cancel_(cancel),
        collector_(collector),
        check_(&cancel, kStepsPerCheck),
        lists_(std::make_unique_for_overwrite<TermList[]>(all_)),
        found_(std::make_unique_for_overwrite<Found[]>(count_)),
        positions_(count_),
        order_(count_),
        clause_of_(count_),
        wants_freq_(count_),
        bounds_(clauses_.size()) {}

  // False when a term does not lie in blocks.
  bool Open(const Required& required) {
    size_t next = 0;
    for (const auto* terms : {&required.terms, &required.excluded}) {
      for (const TermClause& term : *terms) {
        if (!lists_[next++].Open(term, scored_)) return false;
      }
    }
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
      return lists_[a].doc_freq() < lists_[b].doc_freq();
    });
    for (size_t c = 0; c < clauses_.size(); ++c) {
      const RequiredClause& clause = clauses_[c];
      double bound = std::numeric_limits<double>::infinity();
      for (const size_t term : clause.terms) {
        clause_of_[term] = c;
        wants_freq_[term] = (scored_ && clause.scoring) || clause.phrase;
        if (scored_) bound = std::min(bound, Inflated(lists_[term].bound()));
      }
      bounds_[c] = Scores(c) ? bound : 0;
      most_ += bounds_[c];
      if (clause.phrase) phrases_.push_back(MakePhrase(clause));
    }
    return true;
  }

  absl::Status Run() {
    TermList& lead = lists_[order_[0]];
    const size_t clause = clause_of_[order_[0]];
    const uint32_t blocks = lead.blocks().count();
    threshold_ = pruning_ ? collector_.least_competitive() : kNothing;
    for (uint32_t block = 0; block < blocks && !collector_.done(); ++block) {
      if (block % kBlocksPerCheck == 0) CURLEW_RETURN_IF_ERROR(cancel_.Check());
      const DocId first = lead.blocks().FirstBound(block);
      if (const DocId next = collector_.NextCompetitive(first); next > first) {
        block = next < kNoMoreDocs ? lead.blocks().Find(next, block) : blocks;
        if (block >= blocks) break;
      }
      least_ = 0;
      if (pruning_ && Scores(clause)) {
        if (most_ < threshold_) break;
        least_ = LeastCount(lead, threshold_ - (most_ - bounds_[clause]));
        if (!lead.CanCount(block, least_)) continue;
      }
      if (!lead.Load(block)) break;
      Block(lead, clause);
    }
    CURLEW_RETURN_IF_ERROR(check_.status());
    for (size_t i = 0; i < all_; ++i) {
      if (lists_[i].corrupt() || (i < count_ && positions_[i] && positions_[i]->corrupt())) {
        return Corruption("a postings list is damaged");
      }
    }
    return absl::OkStatus();
  }

 private:
  struct Phrase {
    size_t clause;
    std::vector<size_t> terms;
    std::vector<PhrasePlace> places;  // by place in `terms`, those of the rarest first
    std::vector<std::span<const uint32_t>> positions;
  };

  bool Scores(size_t clause) const { return scored_ && clauses_[clause].scoring; }

  Phrase MakePhrase(const RequiredClause& clause) {
    Phrase phrase{static_cast<size_t>(&clause - clauses_.data()), clause.terms, {}, {}};
    std::vector<size_t> by_length(clause.terms.size());
    std::iota(by_length.begin(), by_length.end(), 0);
    std::stable_sort(by_length.begin(), by_length.end(), [&](size_t a, size_t b) {
      return lists_[clause.terms[a]].doc_freq() < lists_[clause.terms[b]].doc_freq();
    });
    for (const size_t term : by_length) {
      for (const uint32_t offset : clause.offsets[term]) phrase.places.push_back({term, offset});
    }
    phrase.positions.resize(clause.terms.size());
    for (const size_t term : clause.terms) positions_[term].emplace(lists_[term].blocks());
    return phrase;
  }

  void Block(TermList& lead, size_t lead_clause) {
    const uint32_t size = lead.size();
    left_ = 0;
    Found& own = found_[order_[0]];
    if (wants_freq_[order_[0]]) std::copy_n(lead.Freqs(), size, own.freq.begin());
    std::array<float, codec::kBlockRoom> counts;
    if (pruning_ && Scores(lead_clause)) {
      lead.Counts(counts.data());
      const bool whole = !clauses_[lead_clause].phrase;
      for (uint32_t i = 0; i < size; ++i) {
        if (counts[i] < least_) continue;
        most_of_[i] = most_;
        if (whole) most_of_[i] += Inflated(lead.ScoreOf(counts[i])) - bounds_[lead_clause];
        slots_[left_++] = static_cast<uint8_t>(i);
      }
    } else {
      for (uint32_t i = 0; i < size; ++i) {
        most_of_[i] = most_;
        slots_[left_++] = static_cast<uint8_t>(i);
      }
    }
    for (const uint32_t i : std::span(slots_.data(), left_)) {
      own.block[i] = lead.loaded();
      own.place[i] = static_cast<uint8_t>(i);
    }
    const DocId* const docs = lead.docs();
    for (size_t j = 1; j < count_ && left_ > 0; ++j) Filter(order_[j], docs);
    if (left_ > 0) DropDead(docs);
    for (Phrase& phrase : phrases_) FindPhrase(phrase, docs);
    if (left_ > 0) Collect(docs);
  }

  // Keeps the documents that list `term` has too.
  void Filter(uint32_t term, const DocId* docs) {
    TermList& list = lists_[term];
    Found& found = found_[term];
    const size_t clause = clause_of_[term];
    const bool scores = pruning_ && Scores(clause);
    const bool whole = scores && !clauses_[clause].phrase;
    const bool wants_freq = wants_freq_[term] != 0;
    uint32_t kept = 0;
    const auto keep = [&](uint8_t slot, uint32_t block, uint32_t place, uint32_t freq) {
      found.block[slot] = block;
      found.place[slot] = static_cast<uint8_t>(place);
      found.freq[slot] = freq;
      if (whole) {
        const float count = list.CountOf(docs[slot], freq);
        most_of_[slot] += Inflated(list.ScoreOf(count)) - bounds_[clause];
        if (most_of_[slot] < threshold_) return;
      }
      slots_[kept++] = slot;
    };
    if (list.bits() != nullptr) {
      for (uint32_t s = 0; s < left_; ++s) {
        const uint8_t slot = slots_[s];
        if (!list.bits()->Has(docs[slot])) continue;
        if (!wants_freq) {
          slots_[kept++] = slot;
        } else if (list.Probe(docs[slot])) {
          keep(slot, list.block(), list.place(), list.freq());
        }
      }
      left_ = kept;
      return;
    }
    // Block by block of the list, the documents that lie in each.
    for (uint32_t s = 0; s < left_;) {
      const uint32_t block = list.Seek(docs[slots_[s]]);
      if (block >= list.blocks().count()) break;
      const DocId last = list.blocks().LastDoc(block);
      uint32_t end = s;
      double most = kNothing;
      for (; end < left_ && docs[slots_[end]] <= last; ++end) {
        most = std::max(most, most_of_[slots_[end]]);
      }
      const double least = threshold_ - (most - bounds_[clause]);
      if (scores && Inflated(list.BlockBound(block)) < least) {
        s = end;
        continue;
      }
      if (!list.Load(block)) break;
      for (; s < end; ++s) {
        const uint8_t slot = slots_[s];
        const uint32_t place = list.PlaceOf(docs[slot]);
        if (list.docs()[place] != docs[slot]) continue;
        keep(slot, block, place, wants_freq ? list.FreqAt(place) : 1);
      }
    }
    left_ = kept;
  }

  void DropDead(const DocId* docs) {
    if (live_ == nullptr && all_ == count_) return;
    uint32_t kept = 0;
    for (uint32_t s = 0; s < left_; ++s) {
      const DocId doc = docs[slots_[s]];
      bool keep = live_ == nullptr || live_->Live(doc);
      for (size_t i = count_; keep && i < all_; ++i) keep = !lists_[i].Probe(doc);
      slots_[kept] = slots_[s];
      kept += keep ? 1 : 0;
    }
    left_ = kept;
  }

  void FindPhrase(Phrase& phrase, const DocId* docs) {
    const bool scores = Scores(phrase.clause);
    uint32_t kept = 0;
    for (uint32_t s = 0; s < left_; ++s) {
      const uint8_t slot = slots_[s];
      // No more often than the rarest of its words.
      uint32_t most = std::numeric_limits<uint32_t>::max();
      for (const size_t term : phrase.terms) most = std::min(most, found_[term].freq[slot]);
      if (pruning_ && scores) {
        const TermList& list = lists_[phrase.terms[0]];
        const double bound = Inflated(list.ScoreOf(list.CountOf(docs[slot], most)));
        if (most_of_[slot] - bounds_[phrase.clause] + bound < threshold_) continue;
      }
      for (size_t t = 0; t < phrase.terms.size(); ++t) {
        const size_t term = phrase.terms[t];
        phrase.positions[t] =
            positions_[term]->Read(found_[term].block[slot], found_[term].place[slot]);
      }
      const uint32_t freq = CountPhrase(phrase.places, phrase.positions, scores ? most : 1, check_);
      if (freq == 0) continue;
      found_[phrase.terms[0]].freq[slot] = freq;  // from here on the phrase's
      slots_[kept++] = slot;
    }
    left_ = kept;
  }

  void Collect(const DocId* docs) {
    std::array<DocId, codec::kPostingsBlock> out;
    std::array<float, codec::kPostingsBlock> scores;
    uint32_t count = 0;
    for (uint32_t s = 0; s < left_; ++s) {
      const uint8_t slot = slots_[s];
      out[count] = docs[slot];
      if (scored_) {
        scores[count] = ScoreOf(docs[slot], slot);
        if (scores[count] < threshold_) continue;
      }
      ++count;
    }
    if (count == 0) return;
    collector_.Collect({out.data(), count}, {scores.data(), scored_ ? count : 0});
    if (pruning_) threshold_ = std::max<double>(threshold_, collector_.least_competitive());
  }

  float ScoreOf(DocId doc, uint8_t slot) const {
    double sum = 0;
    for (const RequiredClause& clause : clauses_) {
      if (!clause.scoring) continue;
      const size_t term = clause.terms[0];
      sum += lists_[term].ScoreOf(lists_[term].CountOf(doc, found_[term].freq[slot]));
    }
    return static_cast<float>(sum);
  }

  const std::vector<RequiredClause>& clauses_;
  const size_t count_;  // of lists_, those that a document has to be in; then the excluded ones
  const size_t all_;
  const bool scored_;
  const bool pruning_;
  const codec::LiveDocs* const live_;
  const CancelToken& cancel_;
  LeafCollector& collector_;
  PeriodicCheck check_;
  const std::unique_ptr<TermList[]> lists_;
  const std::unique_ptr<Found[]> found_;                 // by list
  std::vector<std::optional<TermPositions>> positions_;  // by list, of phrases
  std::vector<uint32_t> order_;                          // of the lists, the shortest first
  std::vector<size_t> clause_of_;                        // by list
  std::vector<uint8_t> wants_freq_;                      // by list
  std::vector<double> bounds_;                           // by clause; 0 when it does not score
  std::vector<Phrase> phrases_;
  double most_ = 0;  // all bounds together
  double threshold_ = kNothing;
  float least_ = 0;  // what a document has to count in the lead's list

  // What is left of the lead's block: places, and what each can score at most.
  uint32_t left_ = 0;
  std::array<uint8_t, codec::kPostingsBlock> slots_;
  std::array<double, codec::kPostingsBlock> most_of_;
};

class Counter : public LeafCollector {
 public:
  void Collect(std::span<const DocId> docs, std::span<const float>) override {
    count_ += static_cast<int64_t>(docs.size());
  }
  int64_t count() const { return count_; }

 private:
  int64_t count_ = 0;
};

class IntersectionBulkScorer : public BulkScorer {
 public:
  IntersectionBulkScorer(Required required, ScoreMode mode, ScorerSupplier& walk)
      : required_(std::move(required)), mode_(mode), walk_(walk) {}

  absl::Status Score(const codec::LiveDocs* live_docs, const CancelToken& cancel,
                     LeafCollector& collector) override {
    CURLEW_RETURN_IF_ERROR(cancel.Check());
    Intersection all(required_, mode_, live_docs, cancel, collector);
    if (all.Open(required_)) return all.Run();
    return walk_.NewWalk(mode_)->Score(live_docs, cancel, collector);
  }

 private:
  const Required required_;
  const ScoreMode mode_;
  ScorerSupplier& walk_;
};

}  // namespace

absl::StatusOr<int64_t> CountIntersection(const Required& required, const codec::LiveDocs* live,
                                          const CancelToken& cancel) {
  Counter counter;
  Intersection all(required, ScoreMode::kNone, live, cancel, counter);
  if (!all.Open(required)) return -1;
  CURLEW_RETURN_IF_ERROR(all.Run());
  return counter.count();
}

std::unique_ptr<BulkScorer> NewIntersectionBulkScorer(Required required, ScoreMode mode,
                                                      ScorerSupplier& walk) {
  return std::make_unique<IntersectionBulkScorer>(std::move(required), mode, walk);
}

}  // namespace curlew::search
