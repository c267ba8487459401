// Documents of one query that another does not match.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_EXCLUSION_H_
#define CURLEW_ENGINE_SEARCH_SCORE_EXCLUSION_H_

#include <memory>

#include "engine/search/scorer.h"

namespace curlew::search {

// Scores as `included` does. `cancel` may be null.
std::unique_ptr<ScorerSupplier> NewExclusionSupplier(std::unique_ptr<ScorerSupplier> included,
                                                     std::unique_ptr<ScorerSupplier> excluded,
                                                     const CancelToken* cancel);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_EXCLUSION_H_
