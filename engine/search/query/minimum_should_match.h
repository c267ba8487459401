// minimum_should_match: how many optional clauses have to match.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_MINIMUM_SHOULD_MATCH_H_
#define CURLEW_ENGINE_SEARCH_QUERY_MINIMUM_SHOULD_MATCH_H_

#include <string_view>

#include "absl/status/statusor.h"

namespace curlew::search {

// What `spec` makes of `clauses` optional clauses, at least 0, possibly more than there are:
// "3", "-1" (all but one), "75%" and "-25%" (rounded towards zero), "2<75%" (all up to two clauses,
// 75 % of more), several of those in rising order separated by blanks. Errors name the spec.
absl::StatusOr<int> MinimumShouldMatch(int clauses, std::string_view spec);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_MINIMUM_SHOULD_MATCH_H_
