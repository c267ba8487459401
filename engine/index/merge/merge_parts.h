// The parts of a merge, one per format. Internal to the merger.
#ifndef CURLEW_ENGINE_INDEX_MERGE_MERGE_PARTS_H_
#define CURLEW_ENGINE_INDEX_MERGE_MERGE_PARTS_H_

#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/index/merge/merger.h"

namespace curlew::index {

// What all parts work on.
struct MergeJob {
  store::Directory& directory;
  const std::string& name;
  std::span<const MergeInput> inputs;
  const DocumentMap& map;
  codec::DocId max_doc;
  const std::atomic<bool>& abort;

  absl::Status CheckAbort() const;
  // What an input's readers cannot say, or say against themselves: the merge ends, the inputs stay.
  // `what` of the input is wrong: "the postings of field [f]".
  absl::Status Damaged(size_t input, std::string_view what) const;
};

absl::Status MergeInverted(const MergeJob& job);
absl::Status MergeColumns(const MergeJob& job);
absl::Status MergePoints(const MergeJob& job);
absl::Status MergeNorms(const MergeJob& job);
// The norms of one field in the result; empty when no document has any.
absl::Status MergedNorms(const MergeJob& job, const std::string& field,
                         std::vector<uint8_t>& bytes);
absl::Status MergeStored(const MergeJob& job, const codec::StoredFormat& stored);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_MERGE_MERGE_PARTS_H_
