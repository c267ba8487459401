// Names of a request -> names of indexes: patterns, lists and exclusions, as a pure function.
#ifndef CURLEW_ENGINE_CATALOG_RESOLVE_H_
#define CURLEW_ENGINE_CATALOG_RESOLVE_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/catalog/catalog.h"

namespace curlew::catalog {

// Whether `name` matches `pattern`, in which `*` stands for any characters.
bool MatchesPattern(std::string_view pattern, std::string_view name);

// Whether `names`, each of which may be a list, hold what means more than one index by itself: a
// name with `*`, "_all", or nothing but commas (no name at all stands for all indexes).
bool HasPattern(const std::vector<std::string>& names);

// The names among `existing` that `names` denotes, by Catalog::Resolve's rules.
absl::StatusOr<std::set<std::string>> ResolveNames(
    const std::vector<std::string>& names, const std::set<std::string, std::less<>>& existing,
    const ResolveOptions& options);

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_RESOLVE_H_
