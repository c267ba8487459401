// One operation of a bulk request -> the engine's item, and OpenSearch's rules for it.
#ifndef CURLEW_PROTO_UTILS_REQUEST_BULK_ITEM_H_
#define CURLEW_PROTO_UTILS_REQUEST_BULK_ITEM_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/catalog/bulk.h"

namespace org::opensearch::protobufs {
class BulkRequestBody;
}

namespace curlew::proto_utils {

// What the request says for items that do not say it themselves.
struct BulkDefaults {
  std::optional<std::string_view> index;
  std::string_view routing;
  std::string_view pipeline;
  bool require_alias = false;
  // The request's x_source: whether updates answer with the document, whatever they say.
  std::optional<bool> want_source;
};

// An item on its way: what the engine takes, and what only the rules need.
struct BulkItemDraft {
  catalog::BulkItem item;
  bool has_index = false;
  // Set: the item fails by this, the others go on.
  absl::Status error;
  // An empty id was given; it is not shown in the answer.
  bool has_id = false;
  bool has_version = false;
  bool names_pipeline = false;
};

// Errors refuse the whole request. `out` keeps views into `proto` and `defaults`.
absl::Status ConvertBulkItem(const org::opensearch::protobufs::BulkRequestBody& proto,
                             const BulkDefaults& defaults, int position, BulkItemDraft& out);

// What OpenSearch refuses a whole request for, one message a rule ("id is missing").
void ValidateBulkItem(const BulkItemDraft& draft, std::vector<std::string>& errors);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_BULK_ITEM_H_
