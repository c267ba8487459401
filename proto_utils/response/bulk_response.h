// Outcomes of a bulk request -> the one BulkResponse.
#ifndef CURLEW_PROTO_UTILS_RESPONSE_BULK_RESPONSE_H_
#define CURLEW_PROTO_UTILS_RESPONSE_BULK_RESPONSE_H_

#include <cstdint>
#include <span>

#include "engine/catalog/bulk.h"
#include "proto_utils/request/bulk_request.h"

namespace org::opensearch::protobufs {
class BulkResponse;
}

namespace curlew::proto_utils {

void FillBulkResponse(const ConvertedBulk& bulk, std::span<const catalog::BulkItemResult> results,
                      int64_t took_millis, org::opensearch::protobufs::BulkResponse& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_RESPONSE_BULK_RESPONSE_H_
