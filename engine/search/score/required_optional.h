// Documents of one query, scored higher where another matches too.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_REQUIRED_OPTIONAL_H_
#define CURLEW_ENGINE_SEARCH_SCORE_REQUIRED_OPTIONAL_H_

#include <memory>

#include "engine/search/scorer.h"

namespace curlew::search {

// Matches what `required` does; scores the sum of both, added in float as Lucene does.
std::unique_ptr<ScorerSupplier> NewRequiredOptionalSupplier(
    std::unique_ptr<ScorerSupplier> required, std::unique_ptr<ScorerSupplier> optional);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_REQUIRED_OPTIONAL_H_
