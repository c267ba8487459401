#include "handlers/index_admin_handler.h"

#include <fmt/format.h>
#include <google/protobuf/arena.h>
#include <google/protobuf/struct.pb.h>

#include <string>
#include <vector>

#include "engine/util/error.h"
#include "handlers/guard.h"
#include "handlers/json_body.h"
#include "protos/curlew/admin/v1/common.pb.h"
#include "protos/curlew/admin/v1/index_service.pb.h"

namespace curlew::handlers {
namespace {

namespace pb = curlew::admin::v1;

template <typename Request>
const Request& RequestOf(const CallPtr& call) {
  return static_cast<const Request&>(call->request());
}

template <typename Response>
Response& NewResponse(const CallPtr& call) {
  return *google::protobuf::Arena::CreateMessage<Response>(call->arena());
}

// Runs `work(request, response)` and finishes the call with what comes of it.
template <typename Request, typename Response, typename Work>
void Answer(const CallPtr& call, const Work& work) {
  const absl::Status status = Guard([&]() -> absl::Status {
    auto& response = NewResponse<Response>(call);
    CURLEW_RETURN_IF_ERROR(work(RequestOf<Request>(call), response));
    call->Finish(response);
    return absl::OkStatus();
  });
  if (!status.ok()) call->FinishError(status);
}

std::vector<std::string> Names(const google::protobuf::RepeatedPtrField<std::string>& names) {
  return {names.begin(), names.end()};
}

template <typename Request>
absl::StatusOr<std::string> BodyOf(const Request& request, bool required) {
  return BodyJson(request.has_body() ? &request.body() : nullptr, request.body_json(), required);
}

catalog::ResolveOptions OptionsOf(const pb::IndicesRequest& request) {
  catalog::ResolveOptions options;
  options.ignore_unavailable = request.ignore_unavailable();
  if (request.has_allow_no_indices()) options.allow_no_indices = request.allow_no_indices();
  return options;
}

// Does `work` on every shard of the request's indexes and counts. Fails only when all of them fail.
template <typename Work>
absl::Status Broadcast(catalog::Catalog& catalog,
                       const google::protobuf::RepeatedPtrField<std::string>& names,
                       const catalog::ResolveOptions& options, pb::BroadcastResponse& response,
                       const Work& work) {
  CURLEW_ASSIGN_OR_RETURN(const auto indexes, catalog.Resolve(Names(names), options));
  pb::ShardCounts& counts = *response.mutable_shards();
  absl::Status first;
  for (const auto& index : indexes) {
    for (const auto& shard : index->shards()) {
      counts.set_total(counts.total() + 1 + index->settings().number_of_replicas);
      if (const absl::Status status = work(*shard); status.ok()) {
        counts.set_successful(counts.successful() + 1);
      } else {
        counts.set_failed(counts.failed() + 1);
        first.Update(status);
      }
    }
  }
  return counts.successful() == 0 ? first : absl::OkStatus();
}

void FillIndexStats(const index::ShardStats& shard, pb::IndexStats& out) {
  const auto add = [](int64_t so_far, uint64_t more) {
    return so_far + static_cast<int64_t>(more);
  };
  out.set_docs_count(add(out.docs_count(), shard.docs_count));
  out.set_docs_deleted(add(out.docs_deleted(), shard.docs_deleted));
  out.set_store_bytes(add(out.store_bytes(), shard.store_bytes));
  out.set_segments_count(add(out.segments_count(), shard.segments_count));
  out.set_translog_operations(add(out.translog_operations(), shard.translog_operations));
  out.set_translog_bytes(add(out.translog_bytes(), shard.translog_bytes));
  out.set_index_total(add(out.index_total(), shard.index_total));
  out.set_delete_total(add(out.delete_total(), shard.delete_total));
  out.set_get_total(add(out.get_total(), shard.get_total));
  out.set_refresh_total(add(out.refresh_total(), shard.refresh_total));
  out.set_flush_total(add(out.flush_total(), shard.flush_total));
  out.set_merge_total(add(out.merge_total(), shard.merge_total));
  out.set_merge_bytes(add(out.merge_bytes(), shard.merge_bytes));
  out.set_max_seq_no(std::max(out.max_seq_no(), shard.max_seq_no));
  out.set_local_checkpoint(std::max(out.local_checkpoint(), shard.local_checkpoint));
  out.set_stored_raw_bytes(add(out.stored_raw_bytes(), shard.stored_raw_bytes));
  out.set_stored_bytes(add(out.stored_bytes(), shard.stored_bytes));
  out.set_buffer_bytes(add(out.buffer_bytes(), shard.buffer_bytes));
  out.set_mapped_files(add(out.mapped_files(), shard.mapped_files));
  out.set_mapped_bytes(add(out.mapped_bytes(), shard.mapped_bytes));
  out.set_open_files(add(out.open_files(), shard.open_files));
  out.set_reader_heap_bytes(add(out.reader_heap_bytes(), shard.reader_heap_bytes));
}

void FillActivity(const catalog::IndexActivity& activity, pb::IndexStats& out) {
  constexpr uint64_t kNanosPerMilli = 1'000'000;
  out.set_query_total(static_cast<int64_t>(activity.query_total.load()));
  out.set_query_time_millis(static_cast<int64_t>(activity.query_nanos.load() / kNanosPerMilli));
  out.set_fetch_total(static_cast<int64_t>(activity.fetch_total.load()));
  out.set_fetch_time_millis(static_cast<int64_t>(activity.fetch_nanos.load() / kNanosPerMilli));
}

void FillIndexSummary(const catalog::Index& index, pb::IndexSummary& out) {
  // As OpenSearch counts: replicas that no node can hold make an index yellow.
  out.set_health(index.settings().number_of_replicas == 0 ? "green" : "yellow");
  out.set_status("open");
  out.set_index(index.name());
  out.set_uuid(index.uuid());
  out.set_primaries(index.settings().number_of_shards);
  out.set_replicas(index.settings().number_of_replicas);
  for (size_t shard_number = 0; shard_number < index.shards().size(); ++shard_number) {
    const index::ShardStats stats = index.shards()[shard_number]->stats();
    out.set_docs_count(out.docs_count() + static_cast<int64_t>(stats.docs_count));
    out.set_docs_deleted(out.docs_deleted() + static_cast<int64_t>(stats.docs_deleted));
    out.set_store_bytes(out.store_bytes() + static_cast<int64_t>(stats.store_bytes));
    if (stats.failure.ok() || out.health() == "red") continue;
    out.set_health("red");
    out.set_status(fmt::format("shard [{}] takes no more writes: {}", shard_number,
                               DescribeError(stats.failure).reason));
  }
}

}  // namespace

void HandleCreateIndex(catalog::Catalog& catalog, const CallPtr& call) {
  Answer<pb::CreateIndexRequest, pb::CreateIndexResponse>(
      call, [&](const pb::CreateIndexRequest& request, pb::CreateIndexResponse& response) {
        CURLEW_ASSIGN_OR_RETURN(const std::string body, BodyOf(request, /*required=*/false));
        CURLEW_ASSIGN_OR_RETURN(const auto index, catalog.Create(request.index(), body));
        response.set_acknowledged(true);
        response.set_shards_acknowledged(true);
        response.set_index(index->name());
        return absl::OkStatus();
      });
}

void HandleDeleteIndex(catalog::Catalog& catalog, const CallPtr& call) {
  Answer<pb::DeleteIndexRequest, pb::AcknowledgedResponse>(
      call, [&](const pb::DeleteIndexRequest& request, pb::AcknowledgedResponse& response) {
        CURLEW_RETURN_IF_ERROR(
            catalog.Delete(Names(request.index()), request.ignore_unavailable()));
        response.set_acknowledged(true);
        return absl::OkStatus();
      });
}

void HandleGetIndex(catalog::Catalog& catalog, const CallPtr& call) {
  Answer<pb::GetIndexRequest, pb::GetIndexResponse>(
      call, [&](const pb::GetIndexRequest& request, pb::GetIndexResponse& response) {
        CURLEW_ASSIGN_OR_RETURN(const auto indexes, catalog.Resolve(Names(request.index()), {}));
        for (const auto& index : indexes) {
          CURLEW_RETURN_IF_ERROR(
              FillStruct(index->DescribeJson(), (*response.mutable_indices())[index->name()]));
        }
        return absl::OkStatus();
      });
}

void HandleListIndices(catalog::Catalog& catalog, const CallPtr& call) {
  Answer<pb::ListIndicesRequest, pb::ListIndicesResponse>(
      call, [&](const pb::ListIndicesRequest& request, pb::ListIndicesResponse& response) {
        catalog::ResolveOptions options;
        options.skip_failed = request.index().empty();
        CURLEW_ASSIGN_OR_RETURN(const auto indexes,
                                catalog.Resolve(Names(request.index()), options));
        for (const auto& index : indexes) FillIndexSummary(*index, *response.add_indices());
        if (!request.index().empty()) return absl::OkStatus();
        // The list of all shows what could not be opened too: red, and nothing known of it.
        for (const auto& [name, status] : catalog.failed()) {
          pb::IndexSummary& summary = *response.add_indices();
          summary.set_health("red");
          summary.set_status(fmt::format("failed: {}", DescribeError(status).reason));
          summary.set_index(name);
        }
        return absl::OkStatus();
      });
}

void HandlePutMapping(catalog::Catalog& catalog, const CallPtr& call) {
  Answer<pb::PutMappingRequest, pb::AcknowledgedResponse>(
      call, [&](const pb::PutMappingRequest& request, pb::AcknowledgedResponse& response) {
        if (request.index().empty()) {
          return ValidationError("Validation Failed: 1: index / indices is missing;");
        }
        CURLEW_ASSIGN_OR_RETURN(const std::string body, BodyOf(request, /*required=*/true));
        catalog::ResolveOptions options;
        options.allow_no_indices = false;
        CURLEW_ASSIGN_OR_RETURN(const auto indexes,
                                catalog.Resolve(Names(request.index()), options));
        // All or none: only a change that another request makes in between can still stop it.
        for (const auto& index : indexes) {
          CURLEW_RETURN_IF_ERROR(index->mapper()
                                     .current()
                                     ->Merge(body, analysis::AnalyzerRegistry::BuiltIn(),
                                             index->settings().mapping_limits)
                                     .status());
        }
        for (const auto& index : indexes) CURLEW_RETURN_IF_ERROR(index->mapper().Update(body));
        response.set_acknowledged(true);
        return absl::OkStatus();
      });
}

void HandleRefresh(catalog::Catalog& catalog, const CallPtr& call) {
  Answer<pb::IndicesRequest, pb::BroadcastResponse>(
      call, [&](const pb::IndicesRequest& request, pb::BroadcastResponse& response) {
        return Broadcast(catalog, request.index(), OptionsOf(request), response,
                         [](index::Shard& shard) { return shard.Refresh().status(); });
      });
}

void HandleFlush(catalog::Catalog& catalog, const CallPtr& call) {
  Answer<pb::IndicesRequest, pb::BroadcastResponse>(
      call, [&](const pb::IndicesRequest& request, pb::BroadcastResponse& response) {
        return Broadcast(catalog, request.index(), OptionsOf(request), response,
                         [](index::Shard& shard) { return shard.Flush(); });
      });
}

void HandleForceMerge(catalog::Catalog& catalog, const CallPtr& call) {
  Answer<pb::ForceMergeRequest, pb::BroadcastResponse>(
      call, [&](const pb::ForceMergeRequest& request, pb::BroadcastResponse& response) {
        if (request.only_expunge_deletes() && request.max_num_segments() != 0) {
          return ValidationError(
              "Validation Failed: 1: cannot set only_expunge_deletes and max_num_segments at the "
              "same time, those two parameters are mutually exclusive;");
        }
        // -1 is how OpenSearch writes that no number is given.
        index::ForceMergeOptions options;
        options.max_segments = request.max_num_segments() == -1 ? 0 : request.max_num_segments();
        options.only_expunge_deletes = request.only_expunge_deletes();
        if (options.max_segments < 0) {
          return IllegalArgument(fmt::format("[max_num_segments] must be at least 1, not [{}]",
                                             request.max_num_segments()));
        }
        return Broadcast(catalog, request.index(), {}, response,
                         [&](index::Shard& shard) { return shard.ForceMerge(options); });
      });
}

void HandleIndexStats(catalog::Catalog& catalog, const CallPtr& call) {
  Answer<pb::IndicesRequest, pb::IndexStatsResponse>(
      call, [&](const pb::IndicesRequest& request, pb::IndexStatsResponse& response) {
        CURLEW_ASSIGN_OR_RETURN(const auto indexes,
                                catalog.Resolve(Names(request.index()), OptionsOf(request)));
        for (const auto& index : indexes) {
          pb::IndexStats& stats = (*response.mutable_indices())[index->name()];
          stats.set_max_seq_no(-1);
          stats.set_local_checkpoint(-1);
          for (const auto& shard : index->shards()) FillIndexStats(shard->stats(), stats);
          FillActivity(index->activity(), stats);
        }
        return absl::OkStatus();
      });
}

}  // namespace curlew::handlers
