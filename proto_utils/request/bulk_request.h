// BulkRequest -> the engine's items; the document bytes stay views into the request.
#ifndef CURLEW_PROTO_UTILS_REQUEST_BULK_REQUEST_H_
#define CURLEW_PROTO_UTILS_REQUEST_BULK_REQUEST_H_

#include <vector>

#include "absl/status/status.h"
#include "engine/catalog/bulk.h"

namespace org::opensearch::protobufs {
class BulkRequest;
}

namespace curlew::proto_utils {

struct ConvertedBulk {
  std::vector<catalog::BulkItem> items;
  // Items that fail by themselves before they reach the engine (an empty id): OK for the others.
  std::vector<absl::Status> item_errors;
  catalog::RefreshPolicy refresh = catalog::RefreshPolicy::kNone;
  // Items named a pipeline, so that the answer says how long they took (ingest_took).
  bool pipelines = false;
};

// Errors refuse the whole request ("Validation Failed: 1: ...;" as OpenSearch words it). `out`
// keeps views into `proto`.
absl::Status ConvertBulkRequest(const org::opensearch::protobufs::BulkRequest& proto,
                                ConvertedBulk& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_REQUEST_BULK_REQUEST_H_
