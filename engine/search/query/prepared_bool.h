// Prepared clauses combined: what bool and match queries come down to. Clauses are
// owned by what they make.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_PREPARED_BOOL_H_
#define CURLEW_ENGINE_SEARCH_QUERY_PREPARED_BOOL_H_

#include <vector>

#include "engine/search/query/prepared.h"

namespace curlew::search {

// `must` and `should` were prepared with scores if they are wanted, the others without. All of must
// and filter, none of must_not, at least `min_should` of should have to match (at least one anyway
// when there is nothing else but must_not). Scores the sum of must and should; without either, 0.
struct BoolClauses {
  std::vector<PreparedPtr> must;
  std::vector<PreparedPtr> filter;
  std::vector<PreparedPtr> must_not;
  std::vector<PreparedPtr> should;
  int min_should = 0;
};

// Simplifies where a single clause is left. Fails with more than context.max_clause_count leaves.
absl::StatusOr<PreparedPtr> PrepareBool(const ShardContext& context, ScoreMode mode,
                                        BoolClauses clauses);

// The matches of `query` that `filter` matches too, scored as `query` does.
PreparedPtr PrepareFiltered(const ShardContext& context, ScoreMode mode, PreparedPtr query,
                            PreparedPtr filter);

// The error of too many clauses.
absl::Status TooManyClauses(int limit);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_PREPARED_BOOL_H_
