// Matching documents of one segment, in order, with their scores.
#ifndef CURLEW_ENGINE_SEARCH_SCORER_H_
#define CURLEW_ENGINE_SEARCH_SCORER_H_

#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "engine/codec/live_docs/live_docs.h"
#include "engine/codec/types.h"
#include "engine/util/cancel.h"

namespace curlew::search {

using codec::DocId;
using codec::kNoMoreDocs;

// Document at a time. Positioned before the first document when made. One thread at a time.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual DocId doc() const = 0;
  virtual DocId Next() = 0;
  virtual DocId Advance(DocId target) = 0;  // target > doc()
  virtual float Score() = 0;                // of doc(); 0 in ScoreMode::kNone
};

// Takes the matches of one segment, deleted documents already left out.
class LeafCollector {
 public:
  virtual ~LeafCollector() = default;
  // Ascending documents; `scores` has one entry each, or is empty when scores are not wanted.
  virtual void Collect(std::span<const DocId> docs, std::span<const float> scores) = 0;
  // No further document can change the result (counting done, enough collected): the scorer stops.
  virtual bool done() const { return false; }
};

// Pushes all matches of a segment through a collector, in batches.
class BulkScorer {
 public:
  virtual ~BulkScorer() = default;
  // Looks at `cancel` at least every 65,536 documents.
  virtual absl::Status Score(const codec::LiveDocs* live_docs, const CancelToken& cancel,
                             LeafCollector& collector) = 0;
};

// Made once per segment; makes one of the two.
class ScorerSupplier {
 public:
  virtual ~ScorerSupplier() = default;
  // An upper bound of the documents that it walks.
  virtual uint64_t cost() const = 0;
  virtual std::unique_ptr<Scorer> NewScorer() = 0;
  // By default walks NewScorer().
  virtual std::unique_ptr<BulkScorer> NewBulkScorer();
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORER_H_
