// Outcomes of a bulk request -> the one BulkResponse.
#ifndef CURLEW_PROTO_UTILS_RESPONSE_BULK_RESPONSE_H_
#define CURLEW_PROTO_UTILS_RESPONSE_BULK_RESPONSE_H_

#include <cstdint>
#include <span>

#include "engine/catalog/bulk.h"
#include "proto_utils/request/bulk_request.h"

namespace org::opensearch::protobufs {
class BulkResponse;
class ResponseItem;
}  // namespace org::opensearch::protobufs

namespace curlew::proto_utils {

// `results`: one for each item, unused where the item failed before it reached the engine.
void FillBulkResponse(const ConvertedBulk& bulk, std::span<const catalog::BulkItemResult> results,
                      int64_t took_millis, org::opensearch::protobufs::BulkResponse& out);

// An item's status (a gRPC code by number) and error.
void FillBulkFailure(const absl::Status& error, org::opensearch::protobufs::ResponseItem& out);

// An item's result, version, sequence number, shards, and the document where it was asked for.
void FillBulkSuccess(const catalog::BulkItemResult& outcome,
                     org::opensearch::protobufs::ResponseItem& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_RESPONSE_BULK_RESPONSE_H_
