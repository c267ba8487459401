// A search as the engine takes it.
#ifndef CURLEW_ENGINE_SEARCH_REQUEST_H_
#define CURLEW_ENGINE_SEARCH_REQUEST_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/mapping/query_value.h"
#include "engine/search/query/query.h"

namespace curlew::search {

// Which part of the source a hit carries. Patterns are dotted paths with `*`; empty includes = all.
struct SourceFilter {
  bool fetch = true;
  std::vector<std::string> includes;
  std::vector<std::string> excludes;

  bool whole() const { return fetch && includes.empty() && excludes.empty(); }
};

struct SortKey {
  enum class Kind : uint8_t { kScore, kDoc, kField };
  enum class Missing : uint8_t { kLast, kFirst, kValue };
  // Which of several values counts; kDefault = the smallest ascending, the largest descending.
  enum class Mode : uint8_t { kDefault, kMin, kMax, kSum, kAvg, kMedian };

  Kind kind = Kind::kField;
  std::string field;
  bool descending = false;
  Missing missing = Missing::kLast;
  mapping::QueryValue missing_value;
  Mode mode = Mode::kDefault;
  std::string unmapped_type;  // empty: an unmapped field is an error
};

inline constexpr int64_t kTrackTotalHitsExactly = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kTrackTotalHitsOff = -1;

// Filled by one thread, then read by all that search for it. Already validated for form; what
// depends on an index (window, fields) is checked by the engine.
struct SearchRequest {
  QueryPtr query;        // null = match all
  QueryPtr post_filter;  // null = none
  int64_t from = 0;
  int64_t size = 10;
  std::vector<SortKey> sort;  // empty = by score, descending
  std::vector<mapping::QueryValue> search_after;
  int64_t track_total_hits = 10000;  // count exactly up to this
  std::optional<float> min_score;
  bool track_scores = false;
  bool version = false;
  bool seq_no_primary_term = false;
  SourceFilter source;
  int64_t now_millis = 0;
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_REQUEST_H_
