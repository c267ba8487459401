// The rules by which OpenSearch refuses a whole bulk request, in its words.
#include <fmt/format.h>

#include "engine/util/error.h"
#include "proto_utils/request/bulk_item.h"

namespace curlew::proto_utils {

using index::Operation;
using index::OpType;
using index::VersionType;

namespace {

constexpr size_t kMaxIdBytes = 512;

const char* NameOf(VersionType type) {
  switch (type) {
    case VersionType::kExternal:
      return "EXTERNAL";
    case VersionType::kExternalGte:
      return "EXTERNAL_GTE";
    case VersionType::kInternal:
      break;
  }
  return "INTERNAL";
}

// Versions and sequence numbers of index, update and delete.
void CheckVersions(const BulkItemDraft& draft, std::vector<std::string>& errors) {
  const Operation& op = draft.item.operation;
  const bool internal = op.version_type == VersionType::kInternal;
  const int64_t version = op.version.value_or(-3);  // how OpenSearch shows that there is none
  if (internal ? draft.has_version && version <= 0 : version < 0) {
    errors.push_back(fmt::format("illegal version value [{}] for version type [{}]", version,
                                 NameOf(op.version_type)));
  }
  if (internal && draft.has_version) {
    errors.emplace_back(
        "internal versioning can not be used for optimistic concurrency control. Please use "
        "`if_seq_no` and `if_primary_term` instead");
  }
  if (op.if_seq_no.has_value() && (!internal || draft.has_version)) {
    errors.emplace_back("compare and write operations can not use versioning");
  }
  if (op.if_seq_no.has_value() && !op.if_primary_term.has_value()) {
    errors.emplace_back("ifSeqNo is set, but primary term is [0]");
  }
  if (op.if_primary_term.has_value() && !op.if_seq_no.has_value()) {
    errors.push_back(
        fmt::format("ifSeqNo is unassigned, but primary term is [{}]", *op.if_primary_term));
  }
}

void CheckIndex(const BulkItemDraft& draft, std::vector<std::string>& errors) {
  const Operation& op = draft.item.operation;
  if (op.type == OpType::kCreate) {
    // The first broken rule hides the others, as in OpenSearch.
    if (op.version_type != VersionType::kInternal) {
      errors.emplace_back("create operations only support internal versioning. use index instead");
      return;
    }
    if (draft.has_version) {
      errors.emplace_back("create operations do not support explicit versions. use index instead");
      return;
    }
    if (op.if_seq_no.has_value() || op.if_primary_term.has_value()) {
      errors.emplace_back("create operations do not support compare and set. use index instead");
      return;
    }
  }
  if (!draft.has_id && (op.version_type != VersionType::kInternal || draft.has_version)) {
    errors.emplace_back("an id must be provided if version type or value are set");
  }
  CheckVersions(draft, errors);
  if (op.id.size() > kMaxIdBytes) {
    errors.push_back(fmt::format("id [{}] is too long, must be no longer than {} bytes but was: {}",
                                 Clip(op.id), kMaxIdBytes, op.id.size()));
  }
}

void CheckUpdate(const BulkItemDraft& draft, std::vector<std::string>& errors) {
  const Operation& op = draft.item.operation;
  if (op.id.empty()) errors.emplace_back("id is missing");
  CheckVersions(draft, errors);
  if (op.if_seq_no.has_value()) {
    if (op.retry_on_conflict > 0) {
      errors.emplace_back("compare and write operations can not be retried");
    }
    if (op.doc_as_upsert) {
      errors.emplace_back("compare and write operations can not be used with upsert");
    }
    if (op.upsert.has_value()) {
      errors.emplace_back("upsert requests don't support `if_seq_no` and `if_primary_term`");
    }
  }
  const bool has_doc = op.doc.has_value() && !op.doc->empty();
  if (!has_doc) errors.emplace_back("script or doc is missing");
  if (!has_doc && op.doc_as_upsert) {
    errors.emplace_back("doc must be specified if doc_as_upsert is enabled");
  }
}

}  // namespace

void ValidateBulkItem(const BulkItemDraft& draft, std::vector<std::string>& errors) {
  if (!draft.has_index) errors.emplace_back("index is missing");
  switch (draft.item.operation.type) {
    case OpType::kIndex:
    case OpType::kCreate:
      CheckIndex(draft, errors);
      break;
    case OpType::kUpdate:
      CheckUpdate(draft, errors);
      break;
    case OpType::kDelete:
      if (draft.item.operation.id.empty()) errors.emplace_back("id is missing");
      CheckVersions(draft, errors);
      break;
  }
}

}  // namespace curlew::proto_utils
