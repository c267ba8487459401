// Documents that hold terms at fixed distances from each other.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_PHRASE_SCORER_H_
#define CURLEW_ENGINE_SEARCH_SCORE_PHRASE_SCORER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/codec/norms/norms.h"
#include "engine/codec/terms/terms.h"
#include "engine/search/scorer.h"
#include "engine/search/similarity.h"

namespace curlew::search {

struct PhraseTerm {
  codec::TermEntry entry;
  uint32_t offset = 0;  // of its position from the phrase's first
};

// At least two terms, offsets ascending from 0. The phrase's frequency is the number of places
// where it starts. `terms`, `bm25` and `norms` (may be null) must outlive the scorers; `bm25` is
// null when scores are not wanted. `cancel` may be null.
std::unique_ptr<ScorerSupplier> NewPhraseSupplier(const codec::FieldTerms* terms,
                                                  std::vector<PhraseTerm> phrase, const Bm25* bm25,
                                                  const codec::Norms* norms,
                                                  const CancelToken* cancel);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_PHRASE_SCORER_H_
