// What a search response says besides its hits.
#ifndef CURLEW_PROTO_UTILS_RESPONSE_SEARCH_HEAD_H_
#define CURLEW_PROTO_UTILS_RESPONSE_SEARCH_HEAD_H_

#include "engine/search/coordinator.h"
#include "proto_utils/response/search_response.h"

namespace org::opensearch::protobufs {
class HitsMetadataMaxScore;
class HitsMetadataTotal;
class SearchResponse;
class ShardStatistics;
}  // namespace org::opensearch::protobufs

namespace curlew::proto_utils {

// took, timed_out, x_shards, phase_took.
void FillHead(const search::SearchResult& result, const SearchTimes& times,
              org::opensearch::protobufs::SearchResponse& out);

// Counts, and failures grouped by index and cause, in the old field and the new one.
void FillShardStatistics(const search::SearchResult& result,
                         org::opensearch::protobufs::ShardStatistics& out);

// Left empty when hits are not counted.
void FillTotal(const search::SearchResult& result,
               org::opensearch::protobufs::HitsMetadataTotal& out);

// 0 when no shard was searched, null when nothing was scored.
void FillMaxScore(const search::SearchResult& result,
                  org::opensearch::protobufs::HitsMetadataMaxScore& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_RESPONSE_SEARCH_HEAD_H_
