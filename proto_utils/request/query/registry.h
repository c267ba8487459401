// Query kinds by the case of QueryContainer: adding a kind is adding a file and a line here.
#ifndef CURLEW_PROTO_UTILS_REQUEST_QUERY_REGISTRY_H_
#define CURLEW_PROTO_UTILS_REQUEST_QUERY_REGISTRY_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/search/query/query.h"

namespace org::opensearch::protobufs {
class QueryContainer;
}

namespace curlew::proto_utils {

// The engine's query for a container. `path` names the container in messages
// ("search_request_body.query"). An empty container is INVALID_ARGUMENT, a kind that is not served
// UNIMPLEMENTED naming the arm.
absl::StatusOr<search::QueryPtr> ConvertQuery(
    const org::opensearch::protobufs::QueryContainer& container, const std::string& path);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_QUERY_REGISTRY_H_
