#include "engine/search/block/intersection_scorer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/search/block/common_docs.h"
#include "engine/search/block/phrase_match.h"
#include "engine/search/block/threshold.h"
#include "engine/util/error.h"
#include "engine/util/scratch_array.h"

namespace curlew::search {
namespace {

constexpr uint32_t kBlocksPerCheck = 16;
// Positions read and compared between two looks at the cancel flag.
constexpr uint64_t kStepsPerCheck = 1 << 18;
// With fewer documents to look for in a block, each is looked for by itself.
constexpr uint32_t kFewDocs = 12;
constexpr DocId kNoDoc = 0xffffffff;
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
        lists_(all_),
        found_(count_),
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
    std::sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
      const uint32_t of_a = lists_[a].doc_freq(), of_b = lists_[b].doc_freq();
      return of_a != of_b ? of_a < of_b : a < b;
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

  // Of terms that all have bit sets: how many documents match. -1: they have not.
  int64_t CountBits() const {
    if (!phrases_.empty()) return -1;
    for (size_t i = 0; i < all_; ++i) {
      if (lists_[i].bits() == nullptr) return -1;
    }
    int64_t count = 0;
    const size_t words = lists_[0].bits()->words().size();
    for (size_t w = 0; w < words; ++w) {
      uint64_t word = live_ == nullptr ? ~uint64_t{0} : live_->words()[w];
      for (size_t i = 0; i < count_; ++i) word &= lists_[i].bits()->words()[w];
      for (size_t i = count_; i < all_; ++i) word &= ~lists_[i].bits()->words()[w];
      count += std::popcount(word);
    }
    return count;
  }

  absl::Status Run() {
    TermList& lead = lists_[order_[0]];
    const size_t clause = clause_of_[order_[0]];
    const uint32_t blocks = lead.blocks().count();
    threshold_ = pruning_ ? collector_.least_competitive() : kNothing;
    uint32_t until_check = 0;
    for (uint32_t block = 0; block < blocks && !collector_.done(); ++block) {
      if (until_check-- == 0) {
        CURLEW_RETURN_IF_ERROR(cancel_.Check());
        until_check = kBlocksPerCheck;
      }
      const DocId first = lead.blocks().FirstBound(block);
      if (const DocId next = collector_.NextCompetitive(first); next > first) {
        block = next < kNoMoreDocs ? lead.blocks().Find(next, block) : blocks;
        if (block >= blocks) break;
      }
      least_ = 0;
      if (pruning_ && Scores(clause)) {
        if (most_ < threshold_) break;
        least_ = LeastCount(lead, threshold_ - (most_ - bounds_[clause]));
        if (!lead.CanCount(block, least_)) {
          block = lead.NextThatCan(block + 1, least_) - 1;
          continue;
        }
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
    std::vector<PhrasePlace> places;  // those of the rarest term first
  };

  bool Scores(size_t clause) const { return scored_ && clauses_[clause].scoring; }

  Phrase MakePhrase(const RequiredClause& clause) {
    Phrase phrase{static_cast<size_t>(&clause - clauses_.data()), clause.terms, {}};
    std::vector<size_t> by_length(clause.terms.size());
    std::iota(by_length.begin(), by_length.end(), 0);
    std::stable_sort(by_length.begin(), by_length.end(), [&](size_t a, size_t b) {
      return lists_[clause.terms[a]].doc_freq() < lists_[clause.terms[b]].doc_freq();
    });
    for (const size_t term : by_length) {
      for (const uint32_t offset : clause.offsets[term]) {
        phrase.places.push_back({clause.terms[term], offset});
      }
    }
    for (const size_t term : clause.terms) positions_[term].emplace(lists_[term].blocks());
    return phrase;
  }

  void Block(TermList& lead, size_t lead_clause) {
    const uint32_t size = lead.size();
    const DocId* const docs = lead.docs();
    Found& own = found_[order_[0]];
    if (wants_freq_[order_[0]]) std::copy_n(lead.Freqs(), size, own.freq.begin());
    if (!phrases_.empty()) {
      own.block.fill(lead.loaded());
      std::iota(own.place.begin(), own.place.end(), uint8_t{0});
    }
    left_ = 0;
    if (pruning_ && Scores(lead_clause)) {
      std::array<float, codec::kBlockRoom> counts;
      lead.Counts(counts.data());
      for (uint32_t i = 0; i < size; ++i) {
        slots_[left_] = static_cast<uint8_t>(i);
        left_ += counts[i] >= least_ ? 1 : 0;
      }
      const bool whole = !clauses_[lead_clause].phrase;
      const double others = most_ - bounds_[lead_clause];
      for (const uint8_t slot : left()) {
        most_of_[slot] = whole ? others + Inflated(lead.ScoreOf(counts[slot])) : most_;
      }
    } else {
      std::iota(slots_.begin(), slots_.begin() + size, uint8_t{0});
      left_ = size;
      if (pruning_) std::fill_n(most_of_.begin(), size, most_);
    }
    for (size_t j = 1; j < count_ && left_ > 0; ++j) Filter(order_[j], docs);
    if (left_ > 0) DropDead(docs);
    for (Phrase& phrase : phrases_) FindPhrase(phrase, docs);
    if (left_ > 0) Collect(docs);
  }

  // What is left of the lead's block.
  std::span<const uint8_t> left() const { return {slots_.data(), left_}; }

  // Keeps the documents that list `term` has too.
  void Filter(uint32_t term, const DocId* docs) {
    if (lists_[term].bits() != nullptr) {
      FilterByBits(term, docs);
    } else {
      FilterByBlocks(term, docs);
    }
  }

  void FilterByBits(uint32_t term, const DocId* docs) {
    TermList& list = lists_[term];
    const codec::DenseBits& bits = *list.bits();
    uint32_t had = 0;
    for (uint32_t s = 0; s < left_; ++s) {
      const uint8_t slot = slots_[s];
      slots_[had] = slot;
      had += bits.Has(docs[slot]) ? 1 : 0;
    }
    left_ = had;
    if (!wants_freq_[term]) return;
    uint32_t kept = 0;
    for (uint32_t s = 0; s < had; ++s) {
      const uint8_t slot = slots_[s];
      if (!list.Probe(docs[slot])) break;  // damaged
      kept += Keep(term, docs[slot], slot, list.block(), list.place(), list.freq(), kept);
    }
    left_ = kept;
  }

  void FilterByBlocks(uint32_t term, const DocId* docs) {
    TermList& list = lists_[term];
    const size_t clause = clause_of_[term];
    const bool scores = pruning_ && Scores(clause);
    const bool wants_freq = wants_freq_[term];
    uint32_t kept = 0;
    ForShared(
        list, docs,
        [&](uint32_t block, std::span<const uint8_t> slots) {
          return !scores || CanWin(list, clause, block, slots);
        },
        [&](uint8_t slot, uint32_t block, uint32_t place) {
          const uint32_t freq = wants_freq ? list.FreqAt(place) : 1;
          kept += Keep(term, docs[slot], slot, block, place, freq, kept);
        });
    left_ = kept;
  }

  // Takes away the documents that `list` has.
  void Exclude(TermList& list, const DocId* docs) {
    uint32_t kept = 0;
    const auto keep_unless = [&](const auto& excluded) {
      for (uint32_t s = 0; s < left_; ++s) {
        const uint8_t slot = slots_[s];
        slots_[kept] = slot;
        kept += excluded(slot) ? 0 : 1;
      }
    };
    if (list.bits() != nullptr) {
      keep_unless([&](uint8_t slot) { return list.bits()->Has(docs[slot]); });
    } else {
      std::array<bool, codec::kPostingsBlock> has{};
      ForShared(
          list, docs, [](uint32_t, std::span<const uint8_t>) { return true; },
          [&](uint8_t slot, uint32_t, uint32_t) { has[slot] = true; });
      keep_unless([&](uint8_t slot) { return has[slot]; });
    }
    left_ = kept;
  }

  // Calls shared(slot, block, place) for what is left that `list` has too, as far as wants(block,
  // slots) says yes to the block that they lie in. `shared` may write the first slots of those that
  // it was called for.
  template <typename Wants, typename Shared>
  void ForShared(TermList& list, const DocId* docs, const Wants& wants, const Shared& shared) {
    std::array<DocId, codec::kPostingsBlock + kCommonDocsSlack> wanted;
    for (uint32_t s = 0; s < left_; ++s) wanted[s] = docs[slots_[s]];
    std::fill_n(wanted.begin() + left_, kCommonDocsSlack, kNoDoc);
    std::array<uint8_t, codec::kPostingsBlock> at;
    std::array<uint8_t, codec::kPostingsBlock> places;
    for (uint32_t s = 0; s < left_;) {
      const uint32_t block = list.Seek(wanted[s]);
      if (block >= list.blocks().count()) break;
      const DocId last = list.blocks().LastDoc(block);
      uint32_t end = left_;
      if (wanted[left_ - 1] > last) {
        for (end = s + 1; wanted[end] <= last;) ++end;
      }
      const uint32_t begin = std::exchange(s, end);
      if (!wants(block, std::span<const uint8_t>(slots_.data() + begin, end - begin))) continue;
      if (!list.Load(block)) break;
      uint32_t found = 0;
      if (end - begin >= kFewDocs) {
        found = CommonDocs(wanted.data() + begin, end - begin, list.docs(), list.size(), at.data(),
                           places.data());
      } else {
        uint32_t place = 0;
        for (uint32_t i = begin; i < end; ++i) {
          place = list.PlaceOf(wanted[i], place);
          at[found] = static_cast<uint8_t>(i - begin);
          places[found] = static_cast<uint8_t>(place);
          found += list.docs()[place] == wanted[i] ? 1 : 0;
        }
      }
      for (uint32_t i = 0; i < found; ++i) shared(slots_[begin + at[i]], block, places[i]);
    }
  }

  // Whether a document of a block can be among the best, given what those can score that are left.
  bool CanWin(const TermList& list, size_t clause, uint32_t block,
              std::span<const uint8_t> slots) const {
    double most = kNothing;
    for (const uint8_t slot : slots) most = std::max(most, most_of_[slot]);
    return Inflated(list.BlockBound(block)) >= threshold_ - (most - bounds_[clause]);
  }

  // A document of the lead's block that list `term` has too: kept at `at` of what is left, unless
  // it cannot win any more. Returns whether it is.
  bool Keep(uint32_t term, DocId doc, uint8_t slot, uint32_t block, uint32_t place, uint32_t freq,
            uint32_t at) {
    Found& found = found_[term];
    found.block[slot] = block;
    found.place[slot] = static_cast<uint8_t>(place);
    found.freq[slot] = freq;
    slots_[at] = slot;
    const size_t clause = clause_of_[term];
    if (!pruning_ || !Scores(clause) || clauses_[clause].phrase) return true;
    const TermList& list = lists_[term];
    most_of_[slot] += Inflated(list.ScoreOf(list.CountOf(doc, freq))) - bounds_[clause];
    return most_of_[slot] >= threshold_;
  }

  void DropDead(const DocId* docs) {
    if (live_ != nullptr) {
      uint32_t kept = 0;
      for (uint32_t s = 0; s < left_; ++s) {
        const uint8_t slot = slots_[s];
        slots_[kept] = slot;
        kept += live_->Live(docs[slot]) ? 1 : 0;
      }
      left_ = kept;
    }
    for (size_t i = count_; i < all_ && left_ > 0; ++i) Exclude(lists_[i], docs);
  }

  void FindPhrase(Phrase& phrase, const DocId* docs) {
    const bool scores = Scores(phrase.clause);
    uint32_t kept = 0;
    for (uint32_t s = 0; s < left_; ++s) {
      const uint8_t slot = slots_[s];
      if (check_.Stop()) break;  // Run says why
      if (pruning_ && scores) {
        // No more often than the rarest of its words.
        uint32_t most = std::numeric_limits<uint32_t>::max();
        for (const size_t term : phrase.terms) most = std::min(most, found_[term].freq[slot]);
        const TermList& list = lists_[phrase.terms[0]];
        const double bound = Inflated(list.ScoreOf(list.CountOf(docs[slot], most)));
        if (most_of_[slot] - bounds_[phrase.clause] + bound < threshold_) continue;
      }
      const uint32_t freq = CountPhrase(phrase, slot);
      if (freq == 0) continue;
      found_[phrase.terms[0]].freq[slot] = freq;  // from here on the phrase's
      slots_[kept++] = slot;
    }
    left_ = kept;
  }

  // How often it stands in a document that has all of its terms.
  uint32_t CountPhrase(const Phrase& phrase, uint8_t slot) {
    std::span<const uint32_t> positions;
    for (size_t i = 0; i < phrase.places.size(); ++i) {
      const auto [term, offset] = phrase.places[i];
      if (i == 0 || term != phrase.places[i - 1].term) {
        positions = positions_[term]->Read(found_[term].block[slot], found_[term].place[slot]);
        if (check_.Stop(positions.size())) return 0;
      }
      if (i == 0) {
        starts_.Begin(positions, offset);
      } else {
        starts_.Keep(positions, offset);
      }
      if (starts_.count() == 0) break;
    }
    return starts_.count();
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
  ScratchArray<TermList> lists_;
  ScratchArray<Found> found_;                             // by list
  ScratchArray<std::optional<TermPositions>> positions_;  // by list, of phrases
  ScratchArray<uint32_t> order_;                          // of the lists, the shortest first
  ScratchArray<size_t> clause_of_;                        // by list
  ScratchArray<bool> wants_freq_;                         // by list
  ScratchArray<double> bounds_;                           // by clause; 0 when it does not score
  std::vector<Phrase> phrases_;
  PhraseStarts starts_;
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
  if (const int64_t count = all.CountBits(); count >= 0) return count;
  CURLEW_RETURN_IF_ERROR(all.Run());
  return counter.count();
}

std::unique_ptr<BulkScorer> NewIntersectionBulkScorer(Required required, ScoreMode mode,
                                                      ScorerSupplier& walk) {
  return std::make_unique<IntersectionBulkScorer>(std::move(required), mode, walk);
}

}  // namespace curlew::search
