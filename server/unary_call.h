// The one reactor of all unary calls: bytes in, arena, admission, deadline and cancel flag, post to a
// pool, finish exactly once.
//
// gRPC 1.51 has two callback threads that also do the socket I/O; nothing that blocks or takes more
// than a millisecond runs on them. Raw methods are used throughout, since typed callback methods
// answer a request that does not parse with UNIMPLEMENTED.
#ifndef CURLEW_SERVER_UNARY_CALL_H_
#define CURLEW_SERVER_UNARY_CALL_H_

#include <functional>
#include <string>

#include "engine/util/thread_pool.h"
#include "handlers/call.h"

namespace grpc {
class ByteBuffer;
class CallbackServerContext;
class ServerUnaryReactor;
}  // namespace grpc

namespace curlew::server {

class Admission;

// Called on the method's pool (inline on the callback thread when there is none) once the request is
// parsed and admitted. What it throws becomes INTERNAL.
using Handler = std::function<void(handlers::CallPtr)>;

struct Method {
  std::string name;                                    // for messages and statistics
  const google::protobuf::Message* prototype = nullptr;  // of the request
  ThreadPool* pool = nullptr;
  Handler handler;
};

// Starts a call: counts the request's bytes against `admission` (RESOURCE_EXHAUSTED when over),
// parses on a pooled arena (INVALID_ARGUMENT when malformed, saying what), posts to the pool
// (RESOURCE_EXHAUSTED when its queue is full). Returns the reactor that gRPC wants.
grpc::ServerUnaryReactor* StartCall(const Method& method, Admission& admission,
                                    grpc::CallbackServerContext* context,
                                    const grpc::ByteBuffer* request, grpc::ByteBuffer* response);

}  // namespace curlew::server

#endif  // CURLEW_SERVER_UNARY_CALL_H_
