// The sort order of a search, and where in it a page starts.
#ifndef CURLEW_PROTO_UTILS_REQUEST_SORT_H_
#define CURLEW_PROTO_UTILS_REQUEST_SORT_H_

#include <vector>

#include "absl/status/status.h"
#include "engine/search/request.h"

namespace org::opensearch::protobufs {
class SearchRequestBody;
}

namespace curlew::proto_utils {

// Every arm of SortCombinations; one without an arm is skipped. By geo distance or script, inside
// nested objects or with a numeric type: refused by name.
absl::Status ConvertSort(const org::opensearch::protobufs::SearchRequestBody& body,
                         std::vector<search::SortKey>& out);

absl::Status ConvertSearchAfter(const org::opensearch::protobufs::SearchRequestBody& body,
                                std::vector<mapping::QueryValue>& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_SORT_H_
