// Reads the codes of one sort key in one segment (see sort.h for what a code is).
#ifndef CURLEW_ENGINE_SEARCH_COLLECT_SORT_READER_H_
#define CURLEW_ENGINE_SEARCH_COLLECT_SORT_READER_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "engine/index/snapshot.h"
#include "engine/search/scorer.h"
#include "engine/search/sort.h"
#include "engine/util/cancel.h"

namespace curlew::search {

// Strings are coded by their place in the segment: 4 * ordinal + 3. The three codes before that are
// for texts that the segment does not have and that belong before the ordinal's. One thread at a
// time.
class SortReader {
 public:
  virtual ~SortReader() = default;
  // One code a document; `scores` is empty unless some key needs them.
  virtual void Read(std::span<const DocId> docs, std::span<const float> scores,
                    int64_t* codes) const = 0;
  virtual int64_t CodeOf(const AfterValue& after) const = 0;
  // The codes of a block of the column (kColumnBlockDocs documents) lie between these, as far as
  // that is known without looking.
  struct Bounds {
    int64_t best = std::numeric_limits<int64_t>::min();
    int64_t worst = std::numeric_limits<int64_t>::max();
  };
  virtual Bounds BoundsOf(uint32_t) const { return {}; }
  // The text of a code of a string key; none for null.
  virtual std::optional<std::string> TextOf(int64_t) const { return std::nullopt; }
};

// `cancel` (may be null): the ids of a segment are gathered here when a search sorts on them for
// the first time. `key` and `segment` have to outlive the reader.
absl::StatusOr<std::unique_ptr<SortReader>> NewSortReader(const ResolvedKey& key,
                                                          const index::SnapshotSegment& segment,
                                                          const CancelToken* cancel);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_COLLECT_SORT_READER_H_
