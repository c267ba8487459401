// Exact values of a field: what term, terms and match come down to on fields that are not analysed.
// Functions for any thread.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_EXACT_H_
#define CURLEW_ENGINE_SEARCH_QUERY_EXACT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/mapping/field.h"
#include "engine/mapping/query_value.h"
#include "engine/search/query/prepared.h"
#include "engine/search/query/query.h"

namespace curlew::search {

// The bytes of `value` as a term of `field`, which has terms or is a keyword.
absl::StatusOr<std::string> ToTerm(const mapping::MappedField& field,
                                   const mapping::QueryValue& value);

// Documents whose `field` is `value`: text and booleans score BM25 times `boost`, everything else
// scores `boost`.
absl::StatusOr<PreparedPtr> PrepareExact(const ShardContext& context, ScoreMode mode,
                                         const mapping::MappedField& field,
                                         const mapping::QueryValue& value, float boost);

// Documents whose `field` is one of `values`; scores `boost`.
absl::StatusOr<PreparedPtr> PrepareAnyOf(const ShardContext& context,
                                         const mapping::MappedField& field,
                                         const std::vector<mapping::QueryValue>& values,
                                         float boost);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_EXACT_H_
