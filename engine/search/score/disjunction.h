// Documents that at least some of the clauses match.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_DISJUNCTION_H_
#define CURLEW_ENGINE_SEARCH_SCORE_DISJUNCTION_H_

#include <memory>
#include <vector>

#include "engine/search/scorer.h"

namespace curlew::search {

// At least one clause; documents that `min_match` (at least 1) or more of them match. The score is
// the sum over the matching clauses, added up in double in the order given. Works clause by clause
// over windows of documents: small ones while it is led by others, large ones when it is walked.
// `cancel` (may be null) is looked at between windows and has to outlive the scorers.
std::unique_ptr<ScorerSupplier> NewDisjunctionSupplier(
    std::vector<std::unique_ptr<ScorerSupplier>> clauses, int min_match, ScoreMode mode,
    const CancelToken* cancel);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_DISJUNCTION_H_
