// Where a search goes: index options, routing and preference.
#ifndef CURLEW_PROTO_UTILS_REQUEST_TARGETS_H_
#define CURLEW_PROTO_UTILS_REQUEST_TARGETS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/catalog/catalog.h"

namespace org::opensearch::protobufs {
class SearchRequest;
}

namespace curlew::proto_utils {

// allow_no_indices, ignore_unavailable, expand_wildcards. There are no closed, hidden or throttled
// indexes, so that of the wildcard states only OPEN finds any.
absl::Status ConvertIndexOptions(const org::opensearch::protobufs::SearchRequest& proto,
                                 catalog::ResolveOptions& out);

// Routing values (split at commas): only their shards are searched; nullopt = all shards.
std::optional<std::vector<std::string>> ConvertRouting(
    const org::opensearch::protobufs::SearchRequest& proto);

// Every copy of a shard is the same one here, so that a preference among copies changes nothing;
// `_shards:0,2` picks shards by number, into `shards`. One that begins with an underscore and is
// not known is refused.
absl::Status ConvertPreference(const org::opensearch::protobufs::SearchRequest& proto,
                               std::optional<std::vector<int>>& shards);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_TARGETS_H_
