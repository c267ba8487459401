#include "proto_utils/request/search_request.h"

#include <fmt/format.h>

#include "engine/util/error.h"
#include "proto_utils/request/refusal.h"
#include "proto_utils/request/search_body.h"
#include "proto_utils/request/source.h"
#include "proto_utils/request/targets.h"
#include "proto_utils/request/track_hits.h"
#include "protos/opensearch/search_request.pb.h"

namespace curlew::proto_utils {

using Request = org::opensearch::protobufs::SearchRequest;
using org::opensearch::protobufs::OPERATOR_AND;
using org::opensearch::protobufs::OPERATOR_OR;
using org::opensearch::protobufs::SEARCH_TYPE_DFS_QUERY_THEN_FETCH;
using org::opensearch::protobufs::SEARCH_TYPE_QUERY_THEN_FETCH;

namespace {

absl::Status AtLeast(int value, int least, const char* name) {
  if (value >= least) return absl::OkStatus();
  return Invalid(name, fmt::format("[{}] must be >= {}, found [{}]", name, least, value));
}

// Hints to a coordinator of many nodes change no answer; they only have to be in range.
absl::Status CheckHints(const Request& proto) {
  if (proto.has_batched_reduce_size()) {
    CURLEW_RETURN_IF_ERROR(AtLeast(proto.batched_reduce_size(), 2, "batched_reduce_size"));
  }
  if (proto.has_pre_filter_shard_size()) {
    CURLEW_RETURN_IF_ERROR(AtLeast(proto.pre_filter_shard_size(), 1, "pre_filter_shard_size"));
  }
  if (proto.has_max_concurrent_shard_requests()) {
    CURLEW_RETURN_IF_ERROR(
        AtLeast(proto.max_concurrent_shard_requests(), 1, "max_concurrent_shard_requests"));
  }
  return absl::OkStatus();
}

// How to read `q`: without effect as long as that is refused, but to be right.
absl::Status CheckQueryStringOptions(const Request& proto) {
  if (!proto.has_default_operator() || proto.default_operator() == OPERATOR_AND ||
      proto.default_operator() == OPERATOR_OR) {
    return absl::OkStatus();
  }
  return Invalid("default_operator", fmt::format("the operator must be OR or AND, got [{}]",
                                                 static_cast<int>(proto.default_operator())));
}

absl::Status CheckSearchType(const Request& proto) {
  if (!proto.has_search_type() || proto.search_type() == SEARCH_TYPE_QUERY_THEN_FETCH) {
    return absl::OkStatus();
  }
  if (proto.search_type() == SEARCH_TYPE_DFS_QUERY_THEN_FETCH) {
    return NotServed("search_type [SEARCH_TYPE_DFS_QUERY_THEN_FETCH]");
  }
  return Invalid("search_type",
                 fmt::format("no search type for [{}]", static_cast<int>(proto.search_type())));
}

}  // namespace

absl::Status ConvertSearchRequest(const Request& proto, ConvertedSearch& out) {
  CURLEW_RETURN_IF_ERROR(RefuseOthers(proto,
                                      {Request::kIndexFieldNumber,
                                       Request::kXSourceFieldNumber,
                                       Request::kXSourceExcludesFieldNumber,
                                       Request::kXSourceIncludesFieldNumber,
                                       Request::kAllowNoIndicesFieldNumber,
                                       Request::kAllowPartialSearchResultsFieldNumber,
                                       Request::kAnalyzeWildcardFieldNumber,
                                       Request::kDefaultOperatorFieldNumber,
                                       Request::kDfFieldNumber,
                                       Request::kBatchedReduceSizeFieldNumber,
                                       Request::kCcsMinimizeRoundtripsFieldNumber,
                                       Request::kExpandWildcardsFieldNumber,
                                       Request::kIgnoreThrottledFieldNumber,
                                       Request::kIgnoreUnavailableFieldNumber,
                                       Request::kMaxConcurrentShardRequestsFieldNumber,
                                       Request::kPhaseTookFieldNumber,
                                       Request::kPreFilterShardSizeFieldNumber,
                                       Request::kPreferenceFieldNumber,
                                       Request::kRequestCacheFieldNumber,
                                       Request::kTotalHitsAsIntFieldNumber,
                                       Request::kRoutingFieldNumber,
                                       Request::kSearchTypeFieldNumber,
                                       Request::kSearchRequestBodyFieldNumber},
                                      ""));
  CURLEW_RETURN_IF_ERROR(CheckHints(proto));
  CURLEW_RETURN_IF_ERROR(CheckSearchType(proto));
  CURLEW_RETURN_IF_ERROR(CheckQueryStringOptions(proto));

  out.indices.assign(proto.index().begin(), proto.index().end());
  CURLEW_RETURN_IF_ERROR(ConvertIndexOptions(proto, out.resolve));
  if (proto.has_allow_partial_search_results()) {
    out.allow_partial = proto.allow_partial_search_results();
  }
  out.routing = ConvertRouting(proto);
  CURLEW_RETURN_IF_ERROR(ConvertPreference(proto, out.shards));
  out.phase_took = proto.phase_took();

  CURLEW_RETURN_IF_ERROR(ConvertSearchBody(proto.search_request_body(), out.request));
  CURLEW_RETURN_IF_ERROR(ConvertSource(proto, out.request.source));
  return ConvertTrackHits(proto, out.request.track_total_hits);
}

}  // namespace curlew::proto_utils
