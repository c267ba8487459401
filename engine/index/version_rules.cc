#include "engine/index/version_rules.h"

#include <string>

#include <fmt/format.h>

#include "engine/util/error.h"

namespace curlew::index {

namespace {

absl::Status Conflict(std::string_view id, const std::string& why) {
  return MakeError("version_conflict_engine_exception", 409,
                   fmt::format("[{}]: version conflict, {}", Clip(id, 512), why));
}

bool HasSeqNoCondition(const Operation& operation) {
  return operation.if_seq_no.has_value() || operation.if_primary_term.has_value();
}

std::string Required(const Operation& operation) {
  return fmt::format("required seqNo [{}], primary term [{}].", operation.if_seq_no.value_or(-2),
                     operation.if_primary_term.value_or(0));
}

}  // namespace

absl::Status CheckSeqNo(const Operation& operation, const DocumentMeta& current) {
  if (!HasSeqNoCondition(operation)) return absl::OkStatus();
  if (operation.if_seq_no.value_or(current.seq_no) == current.seq_no &&
      operation.if_primary_term.value_or(current.primary_term) == current.primary_term) {
    return absl::OkStatus();
  }
  return Conflict(operation.id,
                  fmt::format("{} current document has seqNo [{}] and primary term [{}]",
                              Required(operation), current.seq_no, current.primary_term));
}

absl::StatusOr<int64_t> PlanVersion(const Operation& operation, const CurrentVersion& current) {
  if (HasSeqNoCondition(operation)) {
    if (!current.live) {
      return Conflict(operation.id, Required(operation) + " but no document was found");
    }
    CURLEW_RETURN_IF_ERROR(CheckSeqNo(operation, *current.meta));
  }
  const bool known = current.meta.has_value();
  const int64_t version = known ? current.meta->version : 0;

  if (operation.version_type == VersionType::kInternal) {
    if (operation.type == OpType::kCreate && current.live) {
      return Conflict(operation.id,
                      fmt::format("document already exists (current version [{}])", version));
    }
    if (operation.version.has_value() && (!known || version != *operation.version)) {
      return Conflict(operation.id,
                      fmt::format("current version [{}] is different than the one provided [{}]",
                                  known ? version : -1, *operation.version));
    }
    // An external version may have been the largest number there is: it wraps, as Java's long does.
    return known ? static_cast<int64_t>(static_cast<uint64_t>(version) + 1) : 1;
  }

  const int64_t provided = operation.version.value_or(0);
  if (known) {
    if (operation.version_type == VersionType::kExternal && version >= provided) {
      return Conflict(operation.id,
                      fmt::format("current version [{}] is higher or equal to the one provided "
                                  "[{}]",
                                  version, provided));
    }
    if (operation.version_type == VersionType::kExternalGte && version > provided) {
      return Conflict(operation.id,
                      fmt::format("current version [{}] is higher than the one provided [{}]",
                                  version, provided));
    }
  }
  return provided;
}

}  // namespace curlew::index
