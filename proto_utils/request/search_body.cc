#include "proto_utils/request/search_body.h"

#include <fmt/format.h>

#include <chrono>

#include "engine/catalog/index_settings.h"
#include "engine/util/error.h"
#include "proto_utils/request/query/registry.h"
#include "proto_utils/request/refusal.h"
#include "proto_utils/request/sort.h"
#include "protos/opensearch/search_request.pb.h"

namespace curlew::proto_utils {

using Body = org::opensearch::protobufs::SearchRequestBody;

namespace {

constexpr char kPath[] = "search_request_body";

// A field that OpenSearch takes as a switch and that is served in its resting position only.
absl::Status RefuseOn(bool on, const char* name) {
  return on ? NotServed(Join(kPath, name)) : absl::OkStatus();
}

// Only "-1", no timeout, is served.
absl::Status CheckTimeout(const Body& body) {
  if (!body.has_timeout()) return absl::OkStatus();
  CURLEW_ASSIGN_OR_RETURN(const std::chrono::nanoseconds timeout,
                          catalog::ParseTimeValue(body.timeout(), "timeout"));
  return RefuseOn(timeout.count() >= 0, "timeout");
}

absl::Status CheckNumbers(const Body& body) {
  if (body.from() < 0) {
    return Invalid("search_request_body.from",
                   fmt::format("[from] parameter cannot be negative, found [{}]", body.from()));
  }
  if (body.size() < 0) {
    return Invalid("search_request_body.size",
                   fmt::format("[size] parameter cannot be negative, found [{}]", body.size()));
  }
  if (body.terminate_after() < 0) {
    return Invalid(
        "search_request_body.terminate_after",
        fmt::format("[terminate_after] must be > 0, found [{}]", body.terminate_after()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ConvertSearchBody(const Body& body, search::SearchRequest& out) {
  CURLEW_RETURN_IF_ERROR(CheckNumbers(body));
  // stats only names groups of a node's counters; include_named_queries_score has no effect while
  // named queries are refused.
  CURLEW_RETURN_IF_ERROR(RefuseOthers(
      body,
      {Body::kExplainFieldNumber, Body::kFromFieldNumber, Body::kTrackTotalHitsFieldNumber,
       Body::kMinScoreFieldNumber, Body::kPostFilterFieldNumber, Body::kProfileFieldNumber,
       Body::kVerbosePipelineFieldNumber, Body::kQueryFieldNumber, Body::kSearchAfterFieldNumber,
       Body::kSizeFieldNumber, Body::kSortFieldNumber, Body::kXSourceFieldNumber,
       Body::kTerminateAfterFieldNumber, Body::kTrackScoresFieldNumber,
       Body::kIncludeNamedQueriesScoreFieldNumber, Body::kVersionFieldNumber,
       Body::kSeqNoPrimaryTermFieldNumber, Body::kStatsFieldNumber, Body::kTimeoutFieldNumber},
      kPath));
  CURLEW_RETURN_IF_ERROR(CheckTimeout(body));
  CURLEW_RETURN_IF_ERROR(RefuseOn(body.explain(), "explain"));
  CURLEW_RETURN_IF_ERROR(RefuseOn(body.profile(), "profile"));
  CURLEW_RETURN_IF_ERROR(RefuseOn(body.verbose_pipeline(), "verbose_pipeline"));
  CURLEW_RETURN_IF_ERROR(RefuseOn(body.terminate_after() > 0, "terminate_after"));

  if (body.has_from()) out.from = body.from();
  if (body.has_size()) out.size = body.size();
  if (body.has_min_score()) out.min_score = body.min_score();
  out.track_scores = body.track_scores();
  out.version = body.version();
  out.seq_no_primary_term = body.seq_no_primary_term();
  if (body.has_query()) {
    CURLEW_ASSIGN_OR_RETURN(out.query, ConvertQuery(body.query(), Join(kPath, "query")));
  }
  if (body.has_post_filter()) {
    CURLEW_ASSIGN_OR_RETURN(out.post_filter,
                            ConvertQuery(body.post_filter(), Join(kPath, "post_filter")));
  }
  CURLEW_RETURN_IF_ERROR(ConvertSort(body, out.sort));
  return ConvertSearchAfter(body, out.search_after);
}

}  // namespace curlew::proto_utils
