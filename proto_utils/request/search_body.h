// SearchRequestBody -> the engine's request.
#ifndef CURLEW_PROTO_UTILS_REQUEST_SEARCH_BODY_H_
#define CURLEW_PROTO_UTILS_REQUEST_SEARCH_BODY_H_

#include "absl/status/status.h"
#include "engine/search/request.h"

namespace org::opensearch::protobufs {
class SearchRequestBody;
}

namespace curlew::proto_utils {

// Everything but x_source and track_total_hits, which parameters outside the body take part in
// (source.h, track_hits.h).
absl::Status ConvertSearchBody(const org::opensearch::protobufs::SearchRequestBody& body,
                               search::SearchRequest& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_SEARCH_BODY_H_
