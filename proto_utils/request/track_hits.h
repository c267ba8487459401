// How exactly to count: track_total_hits and total_hits_as_int.
#ifndef CURLEW_PROTO_UTILS_REQUEST_TRACK_HITS_H_
#define CURLEW_PROTO_UTILS_REQUEST_TRACK_HITS_H_

#include <cstdint>

#include "absl/status/status.h"

namespace org::opensearch::protobufs {
class SearchRequest;
}

namespace curlew::proto_utils {

// Sets `out` to search::kTrackTotalHitsExactly, kTrackTotalHitsOff or the bound; leaves it alone
// when nothing is said. An empty TrackHits says nothing, a count of -1 switches counting off, the
// largest count is exact. total_hits_as_int asks for exact counts and takes no bound.
absl::Status ConvertTrackHits(const org::opensearch::protobufs::SearchRequest& proto, int64_t& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_TRACK_HITS_H_
