// Documents that all clauses match.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_CONJUNCTION_H_
#define CURLEW_ENGINE_SEARCH_SCORE_CONJUNCTION_H_

#include <memory>
#include <vector>

#include "engine/search/scorer.h"

namespace curlew::search {

struct ConjunctionClause {
  std::unique_ptr<ScorerSupplier> supplier;
  bool scoring = false;
};

// At least one clause. The cheapest one leads, the others are probed in order of cost; the score is
// the sum over the scoring clauses, added up in double in the order given. `cancel` may be null.
std::unique_ptr<ScorerSupplier> NewConjunctionSupplier(std::vector<ConjunctionClause> clauses,
                                                       const CancelToken* cancel);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_CONJUNCTION_H_
