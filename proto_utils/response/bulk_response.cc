#include "proto_utils/response/bulk_response.h"

#include "engine/util/error.h"
#include "proto_utils/status.h"
#include "protos/opensearch/bulk_response.pb.h"

namespace curlew::proto_utils {

using namespace org::opensearch::protobufs;  // NOLINT: the messages of a bulk response
using index::OpType;
using index::ResultKind;

namespace {

const char* NameOf(ResultKind kind) {
  switch (kind) {
    case ResultKind::kCreated:
      return "created";
    case ResultKind::kUpdated:
      return "updated";
    case ResultKind::kDeleted:
      return "deleted";
    case ResultKind::kNotFound:
      return "not_found";
    case ResultKind::kNoop:
      break;
  }
  return "noop";
}

// An index operation that may only create answers as a create.
ResponseItem& ArmOf(OpType type, Item& item) {
  switch (type) {
    case OpType::kCreate:
      return *item.mutable_create();
    case OpType::kUpdate:
      return *item.mutable_update();
    case OpType::kDelete:
      return *item.mutable_delete_();
    case OpType::kIndex:
      break;
  }
  return *item.mutable_index();
}

void FillTarget(const catalog::BulkItem& item, ResponseItem& out) {
  out.set_x_index(item.index.data(), item.index.size());
  const std::string_view id =
      item.generated_id.empty() ? item.operation.id : std::string_view(item.generated_id);
  if (!id.empty()) out.set_x_id(id.data(), id.size());
}

}  // namespace

void FillBulkFailure(const absl::Status& error, ResponseItem& out) {
  const ErrorDetails details = DescribeError(error);
  out.set_status(GrpcCodeOf(error));
  FillErrorCause(details, *out.mutable_error());
}

void FillBulkSuccess(const catalog::BulkItemResult& outcome, ResponseItem& out) {
  const index::OperationResult& result = outcome.result;
  // A missing document is no error: only its status tells.
  if (result.kind == ResultKind::kNotFound) out.set_status(GrpcCodeOfRest(404));
  out.set_result(NameOf(result.kind));
  out.set_x_version(result.version);
  if (result.seq_no >= 0) {
    out.set_x_seq_no(result.seq_no);
    out.set_x_primary_term(result.primary_term);
  }
  ShardInfo& shards = *out.mutable_x_shards();
  shards.set_total(outcome.shards_total);
  shards.set_successful(outcome.shards_successful);
  if (outcome.forced_refresh) out.set_forced_refresh(true);
  if (result.get_source.has_value()) {
    InlineGetDictUserDefined& get = *out.mutable_get();
    get.set_found(true);
    get.set_x_source(*result.get_source);
    if (result.seq_no >= 0) {
      get.set_x_seq_no(result.seq_no);
      get.set_x_primary_term(result.primary_term);
    }
  }
}

void FillBulkResponse(const ConvertedBulk& bulk, std::span<const catalog::BulkItemResult> results,
                      int64_t took_millis, BulkResponse& out) {
  bool errors = false;
  out.mutable_items()->Reserve(static_cast<int>(bulk.items.size()));
  for (size_t i = 0; i < bulk.items.size(); ++i) {
    const catalog::BulkItem& item = bulk.items[i];
    ResponseItem& answer = ArmOf(item.operation.type, *out.add_items());
    FillTarget(item, answer);
    const absl::Status& error =
        bulk.item_errors[i].ok() ? results[i].result.status : bulk.item_errors[i];
    if (error.ok()) {
      FillBulkSuccess(results[i], answer);
    } else {
      FillBulkFailure(error, answer);
      errors = true;
    }
  }
  out.set_errors(errors);
  out.set_took(took_millis);
  if (bulk.pipelines) out.set_ingest_took(0);
}

}  // namespace curlew::proto_utils
