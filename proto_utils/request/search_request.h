// SearchRequest -> the engine's request. Every field is served, or refused naming its path.
#ifndef CURLEW_PROTO_UTILS_REQUEST_SEARCH_REQUEST_H_
#define CURLEW_PROTO_UTILS_REQUEST_SEARCH_REQUEST_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/catalog/catalog.h"
#include "engine/search/request.h"

namespace org::opensearch::protobufs {
class SearchRequest;
}

namespace curlew::proto_utils {

struct ConvertedSearch {
  std::vector<std::string> indices;
  catalog::ResolveOptions resolve;
  bool allow_partial = true;
  // The search goes to the shards of these routing values only (nullopt: to all) ...
  std::optional<std::vector<std::string>> routing;
  // ... and to these shard numbers only.
  std::optional<std::vector<int>> shards;
  bool phase_took = false;
  search::SearchRequest request;  // now_millis is left to the caller
};

// Errors: INVALID_ARGUMENT for what is wrong, UNIMPLEMENTED for what is not served yet; both name
// the field's path in the message (`search_request_body.rescore`).
absl::Status ConvertSearchRequest(const org::opensearch::protobufs::SearchRequest& proto,
                                  ConvertedSearch& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_SEARCH_REQUEST_H_
