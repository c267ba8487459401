// Whether a write may happen, and which version it gets: OpenSearch's rules (InternalEngine's plans
// for operations on the primary), as a function of the current state of the id.
#ifndef CURLEW_ENGINE_INDEX_VERSION_RULES_H_
#define CURLEW_ENGINE_INDEX_VERSION_RULES_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/index/buffer/ram_buffer.h"
#include "engine/index/operation.h"

namespace curlew::index {

// What is known of an id: nothing, a tombstone (its meta, not live), or a document.
struct CurrentVersion {
  std::optional<DocumentMeta> meta;
  bool live = false;
};

// The version that an index, create or delete operation will have, or the
// version_conflict_engine_exception that stops it.
absl::StatusOr<int64_t> PlanVersion(const Operation& operation, const CurrentVersion& current);

// The conflict of an update whose if_seq_no or if_primary_term does not match the live document.
absl::Status CheckSeqNo(const Operation& operation, const DocumentMeta& current);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_VERSION_RULES_H_
