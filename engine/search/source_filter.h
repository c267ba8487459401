// Cuts a source down to the parts that a search asks for.
#ifndef CURLEW_ENGINE_SEARCH_SOURCE_FILTER_H_
#define CURLEW_ENGINE_SEARCH_SOURCE_FILTER_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/search/path_patterns.h"
#include "engine/search/request.h"
#include "engine/util/cancel.h"

namespace curlew::search {

// The most characters that the patterns of a list may have together, counting two more for each:
// a bound on what a character of a key costs.
inline constexpr size_t kMaxPatternPlaces = 16384;
// illegal_argument_exception naming the list when one of them is longer.
absl::Status CheckSourceFilter(const SourceFilter& filter);

// OpenSearch's rules: a path that an include matches is taken with all below it, one that an
// exclude matches is left out with all below it, and the exclude wins; objects of which nothing is
// left disappear unless an include (or no include at all) named them; in arrays, objects and arrays
// of which nothing is left disappear. Keys stay in the document's order, values are copied as they
// are written, and what is left out is skipped, not decoded.
//
// Immutable, thread-safe.
class SourceFilterer {
 public:
  explicit SourceFilterer(const SourceFilter& filter);

  // The filtered form of `source`, a JSON object, appended to `out`. Fails when it is no JSON, or
  // when `cancel` (may be null) says so while it works.
  absl::Status Apply(std::string_view source, const CancelToken* cancel, std::string& out) const;

 private:
  const PathPatterns includes_;
  const PathPatterns excludes_;
  const bool include_all_;
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SOURCE_FILTER_H_
