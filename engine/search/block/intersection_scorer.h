// Documents with all of several terms, some of them in phrases, block by block of the rarest term:
// each block's documents are held against the other lists in order of their length, phrases are
// looked for in what is left. With a collector that wants only the best, blocks and documents whose
// bounds are too small are dropped before they are looked up, phrases before their positions are
// read.
//
// The order goes over all terms of the query, those of phrases included: a rare term beside a
// phrase of frequent words decides first.
#ifndef CURLEW_ENGINE_SEARCH_BLOCK_INTERSECTION_SCORER_H_
#define CURLEW_ENGINE_SEARCH_BLOCK_INTERSECTION_SCORER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/search/block/term_list.h"
#include "engine/search/scorer.h"

namespace curlew::search {

// A clause of a conjunction: a term or a phrase, by numbers of Required::terms. All terms of a
// phrase have its similarity, that of all of them together.
struct RequiredClause {
  std::vector<size_t> terms;
  std::vector<std::vector<uint32_t>> offsets;  // of a phrase: where each term stands in it
  bool scoring = true;
  bool phrase = false;
};

struct Required {
  std::vector<TermClause> terms;
  std::vector<RequiredClause> clauses;
  std::vector<TermClause> excluded;  // none of these
  bool in_conjunction = false;       // a conjunction is adding its clauses
};

// One term or more. Scores are the sums of the scoring clauses' in their order, in double, as those
// of ConjunctionScorer. `walk`, which must outlive the result, serves terms that do not lie in
// blocks.
std::unique_ptr<BulkScorer> NewIntersectionBulkScorer(Required required, ScoreMode mode,
                                                      ScorerSupplier& walk);

// How many documents that would give, `live` ones (null: all). -1: the terms do not lie in blocks.
absl::StatusOr<int64_t> CountIntersection(const Required& required, const codec::LiveDocs* live,
                                          const CancelToken& cancel);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_BLOCK_INTERSECTION_SCORER_H_
