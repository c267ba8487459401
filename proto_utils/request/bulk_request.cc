#include "proto_utils/request/bulk_request.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "engine/catalog/index_settings.h"
#include "engine/util/error.h"
#include "proto_utils/request/bulk_item.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/bulk_request.pb.h"

namespace curlew::proto_utils {

using namespace org::opensearch::protobufs;  // NOLINT: the messages of a bulk request

namespace {

// More broken rules than anybody reads.
constexpr size_t kMostErrors = 20;

absl::Status ReadRefresh(const BulkRequest& proto, catalog::RefreshPolicy& out) {
  switch (proto.refresh()) {
    case REFRESH_UNSPECIFIED:
    case REFRESH_FALSE:
      out = catalog::RefreshPolicy::kNone;
      return absl::OkStatus();
    case REFRESH_TRUE:
      out = catalog::RefreshPolicy::kTrue;
      return absl::OkStatus();
    case REFRESH_WAIT_FOR:
      out = catalog::RefreshPolicy::kWaitFor;
      return absl::OkStatus();
    default:
      return Invalid("refresh", fmt::format("unknown value [{}] for refresh",
                                            static_cast<int>(proto.refresh())));
  }
}

// The request's x_source: whether updates show the document. Parts of it are not served.
absl::Status ReadSource(const BulkRequest& proto, std::optional<bool>& out) {
  if (!proto.x_source_includes().empty()) return NotServed("x_source_includes");
  if (!proto.x_source_excludes().empty()) return NotServed("x_source_excludes");
  CURLEW_RETURN_IF_ERROR(
      RefuseOthers(proto.x_source(), {SourceConfigParam::kFetchFieldNumber}, "x_source"));
  if (proto.x_source().has_fetch()) out = proto.x_source().fetch();
  return absl::OkStatus();
}

// A shard has one copy, whatever its index's number of replicas says; `shortage` is what becomes of
// items that wait for more.
absl::Status ReadActiveShards(const BulkRequest& proto, absl::Status& shortage) {
  constexpr char kPath[] = "wait_for_active_shards";
  const WaitForActiveShards& wait = proto.wait_for_active_shards();
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(wait, kPath));
  if (wait.has_count()) {
    if (wait.count() < 0) {
      return Invalid(Join(kPath, "count"),
                     fmt::format("shard count cannot be a negative value, got [{}]", wait.count()));
    }
    if (wait.count() > 1) {
      shortage = MakeError("unavailable_shards_exception", 503,
                           fmt::format("Not enough active copies to meet shard count of [{}] "
                                       "(have 1, needed {})",
                                       wait.count(), wait.count()));
    }
  } else if (wait.option() == WAIT_FOR_ACTIVE_SHARD_OPTIONS_ALL) {
    return NotServed("wait_for_active_shards.option [WAIT_FOR_ACTIVE_SHARD_OPTIONS_ALL]");
  }
  return absl::OkStatus();
}

absl::Status ValidationFailed(const std::vector<std::string>& errors) {
  std::string text = "Validation Failed: ";
  for (size_t i = 0; i < errors.size(); ++i) text += fmt::format("{}: {};", i + 1, errors[i]);
  return ValidationError(std::move(text));
}

// What is said once for all items.
absl::Status ReadRequest(const BulkRequest& proto, BulkDefaults& defaults, absl::Status& shortage,
                         ConvertedBulk& out) {
  CURLEW_RETURN_IF_ERROR(RefuseOthers(
      proto,
      {BulkRequest::kIndexFieldNumber, BulkRequest::kXSourceFieldNumber,
       BulkRequest::kXSourceIncludesFieldNumber, BulkRequest::kXSourceExcludesFieldNumber,
       BulkRequest::kPipelineFieldNumber, BulkRequest::kRefreshFieldNumber,
       BulkRequest::kRequireAliasFieldNumber, BulkRequest::kRoutingFieldNumber,
       BulkRequest::kTimeoutFieldNumber, BulkRequest::kWaitForActiveShardsFieldNumber,
       BulkRequest::kBulkRequestBodyFieldNumber},
      ""));
  CURLEW_RETURN_IF_ERROR(ReadRefresh(proto, out.refresh));
  CURLEW_RETURN_IF_ERROR(ReadSource(proto, defaults.want_source));
  CURLEW_RETURN_IF_ERROR(ReadActiveShards(proto, shortage));
  if (proto.has_timeout()) {
    // Shards are on this node, so that there is nothing to wait for.
    CURLEW_RETURN_IF_ERROR(
        catalog::ParseTimeValue(proto.timeout(), "BulkRequest.timeout").status());
  }
  if (proto.has_index()) defaults.index = proto.index();
  defaults.routing = proto.routing();
  defaults.pipeline = proto.pipeline();
  defaults.require_alias = proto.require_alias();
  return absl::OkStatus();
}

}  // namespace

absl::Status ConvertBulkRequest(const BulkRequest& proto, ConvertedBulk& out) {
  BulkDefaults defaults;
  absl::Status shortage;
  CURLEW_RETURN_IF_ERROR(ReadRequest(proto, defaults, shortage, out));

  const int count = proto.bulk_request_body_size();
  std::vector<std::string> errors;
  if (count == 0) errors.emplace_back("no requests added");
  out.items.reserve(count);
  out.item_errors.reserve(count);
  for (int i = 0; i < count; ++i) {
    BulkItemDraft draft;
    CURLEW_RETURN_IF_ERROR(ConvertBulkItem(proto.bulk_request_body(i), defaults, i, draft));
    if (errors.size() < kMostErrors) {
      const size_t before = errors.size();
      ValidateBulkItem(draft, errors);
      for (size_t e = before; e < errors.size(); ++e) errors[e] += fmt::format(" (item {})", i);
    }
    out.pipelines |= draft.names_pipeline;
    if (draft.error.ok()) draft.error = shortage;
    out.item_errors.push_back(std::move(draft.error));
    out.items.push_back(std::move(draft.item));
  }
  return errors.empty() ? absl::OkStatus() : ValidationFailed(errors);
}

}  // namespace curlew::proto_utils
