// Between gRPC's byte buffers and protobuf messages, without a copy where it can be.
#ifndef CURLEW_SERVER_WIRE_H_
#define CURLEW_SERVER_WIRE_H_

#include <grpcpp/support/byte_buffer.h>

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto_utils/response/search_response.h"

namespace google::protobuf {
class Message;
}

namespace curlew::server {

// Messages may be nested that deep (protobuf's own limit is 100). A query takes two levels, so that
// whoever reads the message sees, and can refuse in words of their own, what is too deep for them.
// A level costs the parser some 200 bytes of stack.
inline constexpr int kMaxMessageDepth = 1000;

// A request is parsed in pieces of that many bytes, so that its growth in memory can be looked at.
inline constexpr int kParsedPiece = 16 * 1024;

// Called before each piece with the number of bytes that are parsed; an error ends the parsing.
using ParseCheck = std::function<absl::Status(int64_t parsed)>;

// Parses straight from the received slices. An illegal_argument_exception says which message is
// malformed and, for text that is not UTF-8, which field. An error of `check` comes back as it is.
absl::Status ParseMessage(const grpc::ByteBuffer& bytes, google::protobuf::Message& message,
                          const ParseCheck& check = nullptr);

// One slice, written once: gRPC's own serialisation into several slices takes 45 % longer. Fails
// when the message is over protobuf's 2 GB.
absl::StatusOr<grpc::ByteBuffer> SerializeMessage(const google::protobuf::Message& message);

// The response's memory becomes the buffer's one slice.
grpc::ByteBuffer WrapResponse(proto_utils::ResponseBuffer response);

}  // namespace curlew::server

#endif  // CURLEW_SERVER_WIRE_H_
