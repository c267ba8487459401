// Matching documents of one segment, in order, with their scores.
#ifndef CURLEW_ENGINE_SEARCH_SCORER_H_
#define CURLEW_ENGINE_SEARCH_SCORER_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/live_docs/live_docs.h"
#include "engine/codec/types.h"
#include "engine/util/cancel.h"

namespace curlew::search {

struct TermClause;  // engine/search/block/term_list.h
struct Required;    // engine/search/block/intersection_scorer.h

// Whether scores are wanted (a filter's are not).
enum class ScoreMode : uint8_t { kNone, kScores };

using codec::DocId;
using codec::kNoMoreDocs;

// doc() of a scorer that has not moved yet: one more gives 0, see Before.
inline constexpr DocId kBeforeFirst = 0xffffffff;
// Whether a scorer at `doc` has still to move to reach `target`.
inline bool Before(DocId doc, DocId target) { return doc + 1 <= target; }

// Document at a time. At kBeforeFirst when made. One thread at a time.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual DocId doc() const = 0;
  virtual DocId Next() = 0;
  virtual DocId Advance(DocId target) = 0;  // to the first match >= target; Before(doc(), target)
  virtual float Score() = 0;                // of doc(); unused in ScoreMode::kNone

  // Whether `target` (at least doc()) matches: returns it, and doc() is then `target`; or a later
  // document, before which nothing matches from `target` on. After such a miss doc() is either that
  // document, which then matches, as after Advance; or one before it, and then only Probe or
  // Advance to at least that document may follow. Cheaper than Advance where finding the next match
  // means trying documents one by one.
  virtual DocId Probe(DocId target);

  // Copies documents from doc() on, and their scores unless `scores` is null, while they are below
  // `end` and room is left, and moves past them; returns how many. After it doc() is the first one
  // not copied (or kNoMoreDocs). Call Next() once before the first batch.
  virtual uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores);

  // A damaged file ended the list early.
  virtual bool corrupt() const { return false; }
};

// Takes the matches of one segment, deleted documents already left out.
class LeafCollector {
 public:
  virtual ~LeafCollector() = default;
  // Ascending documents; `scores` has one entry each, or is empty when scores are not wanted.
  virtual void Collect(std::span<const DocId> docs, std::span<const float> scores) = 0;
  // How many of the best are kept, when nothing else matters: documents may then come in any order,
  // each once, and those that score less than least_competitive() may be left out. 0 when every
  // match is wanted, in order.
  virtual size_t best_only() const { return 0; }
  virtual float least_competitive() const { return -std::numeric_limits<float>::infinity(); }
  // The first document from `doc` on that may still change the result; kNoMoreDocs when there is
  // none. Those before it need not be collected.
  virtual DocId NextCompetitive(DocId doc) { return doc; }
  // No further document can change the result (counting done, enough collected): the scorer stops.
  virtual bool done() const { return false; }
};

// Pushes all matches of a segment through a collector, in batches.
class BulkScorer {
 public:
  virtual ~BulkScorer() = default;
  // Looks at `cancel` at least every 65,536 documents. A damaged file is a corruption error.
  virtual absl::Status Score(const codec::LiveDocs* live_docs, const CancelToken& cancel,
                             LeafCollector& collector) = 0;
};

// Made once per segment; makes one of the two. One thread at a time. What it refers to (terms,
// norms, columns, the cancel token) has to outlive it and its scorers; its clauses it owns.
class ScorerSupplier {
 public:
  virtual ~ScorerSupplier() = default;
  // An upper bound of the documents that it walks.
  virtual uint64_t cost() const = 0;
  virtual std::unique_ptr<Scorer> NewScorer() = 0;
  // One that will be asked about `lead_cost` documents at most, by others that lead.
  virtual std::unique_ptr<Scorer> NewLedScorer(uint64_t) { return NewScorer(); }
  // By default walks NewScorer(). `mode` is that of the prepared query.
  virtual std::unique_ptr<BulkScorer> NewBulkScorer(ScoreMode mode) { return NewWalk(mode); }
  // Walks NewScorer(): serves every collector.
  std::unique_ptr<BulkScorer> NewWalk(ScoreMode mode);
  // How many `live` documents (null: all) match, where that is found much faster than by walking
  // them; else -1.
  virtual absl::StatusOr<int64_t> Count(const codec::LiveDocs* /*live*/,
                                        const CancelToken& /*cancel*/) {
    return -1;
  }
  // For those who evaluate several clauses together: the term, when that is all it is.
  virtual const TermClause* AsTerm() const { return nullptr; }
  // Appends the terms of a union of which one is enough; false when it is something else, or, if
  // they are to be `scored`, when one of them does not score by BM25.
  virtual bool AsTerms(bool /*scored*/, std::vector<TermClause>& /*terms*/) const { return false; }
  // For a conjunction of terms and phrases: adds them; false when it is something else.
  virtual bool AddTo(Required& /*required*/, bool /*scoring*/) const { return false; }
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORER_H_
