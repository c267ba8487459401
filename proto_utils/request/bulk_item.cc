#include "proto_utils/request/bulk_item.h"

#include <fmt/format.h>

#include "engine/util/error.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/bulk_request.pb.h"

namespace curlew::proto_utils {

using namespace org::opensearch::protobufs;  // NOLINT: the messages of a bulk request
using index::Operation;

namespace {

constexpr char kItems[] = "bulk_request_body";

// The path of an item is made for errors only.
std::string PathOf(int position, std::string_view rest = {}) {
  return rest.empty() ? At(kItems, position) : Join(At(kItems, position), rest);
}

std::string PathInOperation(int position, std::string_view operation, std::string_view field) {
  return PathOf(position, fmt::format("operation_container.{}.{}", operation, field));
}

absl::Status CheckUnknown(const google::protobuf::Message& proto, int position,
                          std::string_view rest) {
  return HasUnknown(proto) ? RefuseUnknown(proto, PathOf(position, rest)) : absl::OkStatus();
}

// What all four operations have.
template <typename Op>
void ReadTarget(const Op& op, const BulkDefaults& defaults, BulkItemDraft& out) {
  out.has_index = op.has_x_index() || defaults.index.has_value();
  if (op.has_x_index()) {
    out.item.index = op.x_index();
  } else if (defaults.index.has_value()) {
    out.item.index = *defaults.index;
  }
  out.has_id = op.has_x_id();
  out.item.operation.id = op.x_id();
  out.item.operation.routing = op.has_routing() ? std::string_view(op.routing()) : defaults.routing;
}

// Sequence number -2 and term 0 are OpenSearch's "none".
template <typename Op>
absl::Status ReadCompareAndSet(const Op& op, int position, std::string_view name, Operation& out) {
  constexpr int64_t kUnassigned = -2;
  if (op.has_if_seq_no() && op.if_seq_no() != kUnassigned) {
    if (op.if_seq_no() < 0) {
      return Invalid(
          PathInOperation(position, name, "if_seq_no"),
          fmt::format("sequence numbers must be non negative, got [{}]", op.if_seq_no()));
    }
    out.if_seq_no = op.if_seq_no();
  }
  if (op.has_if_primary_term() && op.if_primary_term() != 0) {
    if (op.if_primary_term() < 0) {
      return Invalid(
          PathInOperation(position, name, "if_primary_term"),
          fmt::format("primary term must be non negative, got [{}]", op.if_primary_term()));
    }
    out.if_primary_term = op.if_primary_term();
  }
  return absl::OkStatus();
}

// OpenSearch takes FORCE for INTERNAL.
template <typename Op>
void ReadVersion(const Op& op, BulkItemDraft& out) {
  constexpr int64_t kMatchAny = -3;
  Operation& operation = out.item.operation;
  if (op.version_type() == VERSION_TYPE_EXTERNAL) {
    operation.version_type = index::VersionType::kExternal;
  } else if (op.version_type() == VERSION_TYPE_EXTERNAL_GTE) {
    operation.version_type = index::VersionType::kExternalGte;
  }
  out.has_version = op.has_version() && op.version() != kMatchAny;
  if (out.has_version) operation.version = op.version();
}

// There are no pipelines: every name but "_none" is that of a missing one.
template <typename Op>
void ReadPipeline(const Op& op, const BulkDefaults& defaults, BulkItemDraft& out) {
  const std::string_view name =
      op.has_pipeline() ? std::string_view(op.pipeline()) : defaults.pipeline;
  if (name.empty() || name == "_none") return;
  out.names_pipeline = true;
  out.error = IllegalArgument(fmt::format("pipeline with id [{}] does not exist", Clip(name)));
}

void CheckId(BulkItemDraft& out) {
  if (out.has_id && out.item.operation.id.empty()) {
    out.error = IllegalArgument("if _id is specified it must not be empty");
  }
}

absl::Status ConvertIndex(const IndexOperation& op, const BulkDefaults& defaults, int position,
                          BulkItemDraft& out) {
  CURLEW_RETURN_IF_ERROR(CheckUnknown(op, position, "operation_container.index"));
  out.item.operation.type =
      op.op_type() == OP_TYPE_CREATE ? index::OpType::kCreate : index::OpType::kIndex;
  ReadTarget(op, defaults, out);
  ReadVersion(op, out);
  out.item.require_alias = op.has_require_alias() ? op.require_alias() : defaults.require_alias;
  ReadPipeline(op, defaults, out);
  CheckId(out);
  return ReadCompareAndSet(op, position, "index", out.item.operation);
}

absl::Status ConvertCreate(const WriteOperation& op, const BulkDefaults& defaults, int position,
                           BulkItemDraft& out) {
  CURLEW_RETURN_IF_ERROR(CheckUnknown(op, position, "operation_container.create"));
  out.item.operation.type = index::OpType::kCreate;
  ReadTarget(op, defaults, out);
  out.item.require_alias = op.has_require_alias() ? op.require_alias() : defaults.require_alias;
  ReadPipeline(op, defaults, out);
  CheckId(out);
  return absl::OkStatus();
}

absl::Status ConvertDelete(const DeleteOperation& op, const BulkDefaults& defaults, int position,
                           BulkItemDraft& out) {
  CURLEW_RETURN_IF_ERROR(CheckUnknown(op, position, "operation_container.delete"));
  out.item.operation.type = index::OpType::kDelete;
  ReadTarget(op, defaults, out);
  ReadVersion(op, out);
  return ReadCompareAndSet(op, position, "delete", out.item.operation);
}

// The item's x_source; one that cuts the document is refused.
absl::Status ReadUpdateSource(const UpdateAction& action, int position, Operation& out) {
  const SourceConfig& source = action.x_source();
  CURLEW_RETURN_IF_ERROR(CheckUnknown(source, position, "update_action.x_source"));
  if (source.has_filter()) {
    if (!source.filter().includes().empty() || !source.filter().excludes().empty()) {
      return NotServed(PathOf(position, "update_action.x_source.filter"));
    }
    CURLEW_RETURN_IF_ERROR(
        CheckUnknown(source.filter(), position, "update_action.x_source.filter"));
    out.want_source = true;
  } else {
    out.want_source = source.fetch();
  }
  return absl::OkStatus();
}

absl::Status ReadUpdateAction(const BulkRequestBody& proto, int position, Operation& out) {
  const UpdateAction& action = proto.update_action();
  CURLEW_RETURN_IF_ERROR(CheckUnknown(action, position, "update_action"));
  if (action.has_script()) return NotServed(PathOf(position, "update_action.script"));
  if (action.scripted_upsert()) {
    return NotServed(PathOf(position, "update_action.scripted_upsert"));
  }
  if (action.has_doc()) {
    out.doc = action.doc();
  } else if (proto.has_object()) {
    out.doc = proto.object();
  }
  if (action.has_upsert()) out.upsert = action.upsert();
  out.doc_as_upsert = action.doc_as_upsert();
  if (action.has_detect_noop()) out.detect_noop = action.detect_noop();
  return ReadUpdateSource(action, position, out);
}

absl::Status ConvertUpdate(const BulkRequestBody& proto, const BulkDefaults& defaults, int position,
                           BulkItemDraft& out) {
  const UpdateOperation& op = proto.operation_container().update();
  CURLEW_RETURN_IF_ERROR(CheckUnknown(op, position, "operation_container.update"));
  out.item.operation.type = index::OpType::kUpdate;
  ReadTarget(op, defaults, out);
  out.item.require_alias = op.has_require_alias() ? op.require_alias() : defaults.require_alias;
  out.item.operation.retry_on_conflict = op.retry_on_conflict();
  CURLEW_RETURN_IF_ERROR(ReadCompareAndSet(op, position, "update", out.item.operation));
  CURLEW_RETURN_IF_ERROR(ReadUpdateAction(proto, position, out.item.operation));
  if (defaults.want_source.has_value()) out.item.operation.want_source = *defaults.want_source;
  return absl::OkStatus();
}

}  // namespace

absl::Status ConvertBulkItem(const BulkRequestBody& proto, const BulkDefaults& defaults,
                             int position, BulkItemDraft& out) {
  CURLEW_RETURN_IF_ERROR(CheckUnknown(proto, position, ""));
  if (!proto.extra_field_values().empty()) {
    return NotServed(PathOf(position, "extra_field_values"));
  }
  const OperationContainer& container = proto.operation_container();
  CURLEW_RETURN_IF_ERROR(CheckUnknown(container, position, "operation_container"));
  switch (container.operation_container_case()) {
    case OperationContainer::kIndex:
      out.item.operation.source = proto.object();
      return ConvertIndex(container.index(), defaults, position, out);
    case OperationContainer::kCreate:
      out.item.operation.source = proto.object();
      return ConvertCreate(container.create(), defaults, position, out);
    case OperationContainer::kUpdate:
      return ConvertUpdate(proto, defaults, position, out);
    case OperationContainer::kDelete:
      return ConvertDelete(container.delete_(), defaults, position, out);
    case OperationContainer::OPERATION_CONTAINER_NOT_SET:
      break;
  }
  return Invalid(PathOf(position, "operation_container"),
                 "an operation (create, index, update, or delete) must be given");
}

}  // namespace curlew::proto_utils
