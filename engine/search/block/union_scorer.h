// The best documents of any of several terms, found term by term: the heaviest terms first, whose
// documents set a threshold that lets most of the others' blocks be skipped.
//
// This is MAXSCORE (Turtle and Flood, "Query evaluation: strategies and optimizations", 1995) with
// the bounds of blocks (Ding and Suel, "Faster top-k document retrieval using block-max indexes",
// 2011), evaluated a term at a time: pass i takes the documents of term i, probes the terms behind
// it for each that can still win, and the passes end when the bounds of the rest are too small
// together. No score buffer is filled, and that an earlier pass has seen a document matters only
// when it would be taken again.
#ifndef CURLEW_ENGINE_SEARCH_BLOCK_UNION_SCORER_H_
#define CURLEW_ENGINE_SEARCH_BLOCK_UNION_SCORER_H_

#include <memory>
#include <vector>

#include "engine/search/block/term_list.h"
#include "engine/search/scorer.h"

namespace curlew::search {

// Terms of which a document needs all `required`, or at least one if there are none, and no
// `excluded`. Required and optional ones score.
struct UnionTerms {
  std::vector<TermClause> required;
  std::vector<TermClause> optional;
  std::vector<TermClause> excluded;
};

// The required terms' sum and the optional ones' are each added up in the clauses' order, in
// double, and then in float: as RequiredOptionalScorer and DisjunctionScorer do. For collectors
// that want only the best; `walk`, which must outlive the result, serves the others, and terms that
// do not lie in blocks.
std::unique_ptr<BulkScorer> NewUnionBulkScorer(UnionTerms terms, ScorerSupplier& walk);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_BLOCK_UNION_SCORER_H_
