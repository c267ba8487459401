#include "proto_utils/response/search_head.h"

#include <cmath>
#include <set>
#include <tuple>

#include "engine/util/error.h"
#include "proto_utils/status.h"
#include "protos/opensearch/search_response.pb.h"

namespace curlew::proto_utils {

using namespace org::opensearch::protobufs;  // NOLINT: the messages of a search response

namespace {

void FillFailures(const search::SearchResult& result, ShardStatistics& out) {
  // Many shards of an index commonly fail for one reason: the first of them speaks for all.
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const search::ShardFailure& failure : result.failures) {
    const ErrorDetails details = DescribeError(failure.status);
    if (!seen.emplace(failure.index, details.type, details.reason).second) continue;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // for clients that know no other
    org::opensearch::protobufs::ShardFailure& old_form = *out.add_failures();
#pragma GCC diagnostic pop
    old_form.set_index(failure.index);
    old_form.set_shard(failure.shard);
    FillErrorCause(details, *old_form.mutable_reason());
    ShardSearchFailure& new_form = *out.add_failures_2();
    new_form.set_index(failure.index);
    new_form.set_shard(failure.shard);
    FillErrorCause(details, *new_form.mutable_reason());
  }
}

}  // namespace

void FillHead(const search::SearchResult& result, const SearchTimes& times, SearchResponse& out) {
  out.set_took(times.took);
  FillShardStatistics(result, *out.mutable_x_shards());
  if (times.phases.has_value()) {
    PhaseTook& phases = *out.mutable_phase_took();
    phases.set_query(times.phases->query);
    phases.set_fetch(times.phases->fetch);
  }
}

void FillShardStatistics(const search::SearchResult& result, ShardStatistics& out) {
  out.set_total(result.total_shards);
  out.set_successful(result.successful_shards);
  out.set_failed(static_cast<int>(result.failures.size()));
  out.set_skipped(0);
  FillFailures(result, out);
}

void FillTotal(const search::SearchResult& result, HitsMetadataTotal& out) {
  if (!result.track_total) return;
  TotalHits& total = *out.mutable_total_hits();
  total.set_value(result.total.value);
  total.set_relation(result.total.exact ? TOTAL_HITS_RELATION_EQ : TOTAL_HITS_RELATION_GTE);
}

void FillMaxScore(const search::SearchResult& result, HitsMetadataMaxScore& out) {
  if (result.total_shards == 0) {
    out.set_float_(0.0f);
  } else if (!std::isfinite(result.max_score)) {
    out.set_null_value(NULL_VALUE_NULL);
  } else {
    out.set_float_(result.max_score);
  }
}

}  // namespace curlew::proto_utils
