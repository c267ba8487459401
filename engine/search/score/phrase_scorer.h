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

// A term of the phrase and all its places there: its postings are read once however often it
// occurs.
struct PhraseTerm {
  codec::TermEntry entry;
  std::vector<uint32_t> offsets;  // of its positions from the phrase's first, ascending
};

// Distinct terms with at least two places between them; no two at the same offset. The phrase's
// frequency is the number of positions where it starts. `terms`, `bm25` and `norms` (may be null)
// must outlive the scorers; `bm25` is null when scores are not wanted. `cancel` may be null.
std::unique_ptr<ScorerSupplier> NewPhraseSupplier(const codec::FieldTerms* terms,
                                                  std::vector<PhraseTerm> phrase, const Bm25* bm25,
                                                  const codec::Norms* norms,
                                                  const CancelToken* cancel);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_PHRASE_SCORER_H_
