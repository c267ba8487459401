// Sort keys, looked up in a mapping: where their values come from and how they compare.
//
// Inside a shard every key value is a 64-bit code, the smaller the better: a column's number, the
// bits of a score, a document's number, the place of a string in the segment's dictionary - all
// bits flipped when the key is descending.
#ifndef CURLEW_ENGINE_SEARCH_SORT_H_
#define CURLEW_ENGINE_SEARCH_SORT_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/mapping/field.h"
#include "engine/search/hit.h"
#include "engine/search/query/query.h"
#include "engine/search/request.h"

namespace curlew::search {

// A sort key bound to a mapping. Owned by the collector of its search, whose readers refer to it.
struct ResolvedKey {
  enum class Source : uint8_t { kScore, kDoc, kNumber, kString };

  Source source = Source::kNumber;
  std::string field;
  mapping::FieldKind kind = mapping::FieldKind::kLong;  // decides the type that is shown
  bool descending = false;
  SortKey::Mode mode = SortKey::Mode::kMin;
  bool unmapped = false;
  // Stands in for a missing value: a column value, or a text (none = null, see null_first).
  int64_t missing_number = 0;
  std::optional<std::string> missing_text;
  bool null_first = false;

  // A column value, score or document as a code, and back.
  int64_t Flip(int64_t value) const { return descending ? ~value : value; }
  // The code of a missing string without a text to stand in.
  int64_t NullCode() const {
    return null_first ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  }
};

// True when `sort` is nothing but the best scores first: what no sort at all means.
bool IsByScore(const std::vector<SortKey>& sort);

// Errors as OpenSearch reports them: unmapped fields, text fields, fields without columns, modes.
absl::StatusOr<std::vector<ResolvedKey>> ResolveSort(const ShardContext& context,
                                                     const std::vector<SortKey>& sort);

// One value of search_after: a column value, score or document number not flipped yet, or a text
// (none = null).
struct AfterValue {
  int64_t number = 0;
  std::optional<std::string> text;
};
absl::StatusOr<std::vector<AfterValue>> ParseSearchAfter(
    const ShardContext& context, const std::vector<ResolvedKey>& keys,
    const std::vector<mapping::QueryValue>& values);

// What the client sees of a number, score or document (not flipped).
SortValue ToSortValue(const ResolvedKey& key, int64_t number);

// Orders two values of a key as the hits go: negative when `a` comes first. Numbers of different
// types compare as numbers; a number and a text do not compare: `mixed` is set then.
int CompareSortValues(const SortKey& key, const SortValue& a, const SortValue& b, bool& mixed);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SORT_H_
