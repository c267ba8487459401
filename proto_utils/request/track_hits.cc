#include "proto_utils/request/track_hits.h"

#include <fmt/format.h>

#include <limits>

#include "engine/search/request.h"
#include "engine/util/error.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/search_request.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::SearchRequest;
using org::opensearch::protobufs::TrackHits;

absl::Status ConvertTrackHits(const SearchRequest& proto, int64_t& out) {
  constexpr char kPath[] = "search_request_body.track_total_hits";
  const TrackHits& track = proto.search_request_body().track_total_hits();
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(track, kPath));
  const bool as_int = proto.total_hits_as_int();
  switch (track.track_hits_case()) {
    case TrackHits::kEnabled:
      out = track.enabled() ? search::kTrackTotalHitsExactly : search::kTrackTotalHitsOff;
      break;
    case TrackHits::kCount:
      if (track.count() < -1) {
        return Invalid(kPath,
                       fmt::format("[track_total_hits] parameter must be positive or equals to -1, "
                                   "got {}",
                                   track.count()));
      }
      if (track.count() == std::numeric_limits<int32_t>::max()) {
        out = search::kTrackTotalHitsExactly;
      } else if (track.count() == -1) {
        out = search::kTrackTotalHitsOff;
      } else if (as_int) {
        return Invalid("total_hits_as_int",
                       fmt::format("cannot be used if the tracking of total hits is not accurate, "
                                   "got [track_total_hits] {}",
                                   track.count()));
      } else {
        out = track.count();
      }
      break;
    case TrackHits::TRACK_HITS_NOT_SET:
      if (as_int) out = search::kTrackTotalHitsExactly;
      break;
  }
  return absl::OkStatus();
}

}  // namespace curlew::proto_utils
