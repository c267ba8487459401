// `_source` of a search: what the parameters and the body say -> one filter.
#ifndef CURLEW_PROTO_UTILS_REQUEST_SOURCE_H_
#define CURLEW_PROTO_UTILS_REQUEST_SOURCE_H_

#include "absl/status/status.h"
#include "engine/search/request.h"

namespace org::opensearch::protobufs {
class SearchRequest;
}

namespace curlew::proto_utils {

// Parameters (x_source, x_source_includes, x_source_excludes) replace the body's x_source whole
// when any of them is given; a non-empty x_source_includes replaces the list in x_source. Nothing
// given: the whole source. A path both included and excluded is refused.
absl::Status ConvertSource(const org::opensearch::protobufs::SearchRequest& proto,
                           search::SourceFilter& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_SOURCE_H_
