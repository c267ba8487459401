// Writes one segment out of several, leaving deleted documents behind.
#ifndef CURLEW_ENGINE_INDEX_MERGE_MERGER_H_
#define CURLEW_ENGINE_INDEX_MERGE_MERGER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/live_docs/live_docs.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/codec/types.h"
#include "engine/index/segment_reader.h"
#include "engine/store/directory.h"

namespace curlew::index {

struct MergeInput {
  std::shared_ptr<const SegmentReader> reader;
  std::shared_ptr<const codec::LiveDocs> live_docs;  // null = all
};

// Where documents went: per input, the new number of each old document, or kNoMoreDocs for those
// left behind.
using DocumentMap = std::vector<std::vector<codec::DocId>>;

// Numbers the live documents of the inputs through, in order; returns how many there are.
codec::DocId MapDocuments(std::span<const MergeInput> inputs, DocumentMap& map);

// Writes segment `name` (not synced). Returns Cancelled when `abort` becomes true, looked at often.
// At least one document must be live. The order of inputs is the order of their documents.
absl::StatusOr<SegmentInfo> MergeSegments(store::Directory& directory, const std::string& name,
                                          std::span<const MergeInput> inputs,
                                          const DocumentMap& map, codec::DocId max_doc,
                                          const codec::StoredFormat& stored,
                                          const std::atomic<bool>& abort);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_MERGE_MERGER_H_
