// Scorers whose scores come from outside: all documents, a filter with a constant, a factor.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_CONSTANT_H_
#define CURLEW_ENGINE_SEARCH_SCORE_CONSTANT_H_

#include <memory>

#include "engine/search/scorer.h"

namespace curlew::search {

// Documents 0 to max_doc - 1, each with `score`.
std::unique_ptr<ScorerSupplier> NewAllDocsSupplier(DocId max_doc, float score);

// The matches of `filter`, each with `score`.
std::unique_ptr<ScorerSupplier> NewConstantSupplier(std::unique_ptr<ScorerSupplier> filter,
                                                    float score);

// The matches of `inner`, their scores times `factor`.
std::unique_ptr<ScorerSupplier> NewBoostSupplier(std::unique_ptr<ScorerSupplier> inner,
                                                 float factor);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_CONSTANT_H_
