// Asks a scorer about ascending documents, one question each, remembering what it already said.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_PROBE_AHEAD_H_
#define CURLEW_ENGINE_SEARCH_SCORE_PROBE_AHEAD_H_

#include <memory>
#include <utility>

#include "engine/search/scorer.h"

namespace curlew::search {

// Owns the scorer. One thread at a time.
class ProbeAhead {
 public:
  explicit ProbeAhead(std::unique_ptr<Scorer> scorer) : scorer_(std::move(scorer)) {}

  // Whether `doc` matches; the scorer then stands there. `doc` never goes down.
  bool Matches(DocId doc) {
    if (bound_ == kBeforeFirst || bound_ < doc) bound_ = scorer_->Probe(doc);
    if (bound_ != doc) return false;
    if (scorer_->doc() == doc) return true;
    // The bound came from an earlier miss, so nothing is known of `doc` itself yet.
    bound_ = scorer_->Probe(doc);
    return bound_ == doc;
  }
  Scorer& scorer() const { return *scorer_; }

 private:
  const std::unique_ptr<Scorer> scorer_;
  DocId bound_ = kBeforeFirst;  // nothing matches from the last question up to here
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_PROBE_AHEAD_H_
