// Matches of one term, scored by BM25 or by a constant.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_TERM_SCORER_H_
#define CURLEW_ENGINE_SEARCH_SCORE_TERM_SCORER_H_

#include <memory>

#include "engine/codec/norms/norms.h"
#include "engine/codec/terms/terms.h"
#include "engine/search/scorer.h"
#include "engine/search/similarity.h"

namespace curlew::search {

// What is scored: `bm25` (which must outlive the scorers), or `constant` when that is null. `norms`
// may be null.
struct TermScoring {
  const Bm25* bm25 = nullptr;
  float constant = 0;
  const codec::Norms* norms = nullptr;
};

// `terms` must outlive the supplier and its scorers.
std::unique_ptr<ScorerSupplier> NewTermSupplier(const codec::FieldTerms* terms,
                                                const codec::TermEntry& entry,
                                                const TermScoring& scoring);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_TERM_SCORER_H_
