// Engine errors as clients see them: gRPC code and text, or the error of a bulk item.
#ifndef CURLEW_PROTO_UTILS_STATUS_H_
#define CURLEW_PROTO_UTILS_STATUS_H_

#include <string>

#include "absl/status/status.h"
#include "engine/util/error.h"

namespace grpc {
class Status;
}
namespace org::opensearch::protobufs {
class ErrorCause;
}

namespace curlew::proto_utils {

// The gRPC code of a REST status (OpenSearch's table; 400 -> INVALID_ARGUMENT, 404 -> NOT_FOUND,
// ...).
int GrpcCodeOfRest(int rest_status);

// The gRPC code of an error, of a call or of a bulk item: that of its REST status, except where the
// status' own code says more (DATA_LOSS, RESOURCE_EXHAUSTED for a full disk, CANCELLED,
// DEADLINE_EXCEEDED, UNIMPLEMENTED).
int GrpcCodeOf(const absl::Status& status);

// Code and text of a failed call: `IndexNotFoundException[no such index [x]]; details={"error":...,
// "status":404}` with the same JSON object as REST, cut so that the trailers stay below 8 KB (a
// client's default limit). Cancelled, deadline and unimplemented keep their codes.
grpc::Status ToGrpcStatus(const absl::Status& status);

// Fills the error of a bulk item or a shard failure: type, reason, caused_by, metadata.
void FillErrorCause(const ErrorDetails& details, org::opensearch::protobufs::ErrorCause& out);

// index_not_found_exception -> IndexNotFoundException.
std::string JavaName(const std::string& type);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_STATUS_H_
