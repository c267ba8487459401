// The one reactor of all unary calls: bytes in, admission, arena, deadline and cancel flag, post to
// a pool, finish exactly once.
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

// Called on the method's pool (inline on the callback thread when there is none) once the request
// is admitted and parsed. What it throws becomes INTERNAL, and so does dropping the call without an
// answer.
using Handler = std::function<void(handlers::CallPtr)>;

// Outlives its calls, and so do the pool and the Admission.
struct Method {
  std::string name;                                      // "package.Service/Method"
  const google::protobuf::Message* prototype = nullptr;  // of the request
  ThreadPool* pool = nullptr;
  Handler handler;  // none: the method is declared but not served (UNIMPLEMENTED, by name)
  // The handler refuses fields that are not known itself, with their paths; else StartCall does.
  bool checks_fields = false;
  // Answered however much memory is in use: for looking at a node that is full.
  bool small = false;
};

// Starts a call and returns the reactor that gRPC wants: counts the request's bytes against
// `admission` (RESOURCE_EXHAUSTED when over), posts to the pool (RESOURCE_EXHAUSTED when its queue
// is full), and there, unless the client has gone or its deadline has passed, parses the request
// onto an arena (INVALID_ARGUMENT when malformed, RESOURCE_EXHAUSTED when what it becomes in memory
// is too much) and calls the handler.
//
// What the request takes is given back when the handler's last reference goes; what the answer
// takes, when the client has read it.
//
// A call that is cancelled or expires is finished at once, even while its handler still works: what
// the handler answers later is dropped. So no handler can keep the server from shutting down.
grpc::ServerUnaryReactor* StartCall(const Method& method, Admission& admission,
                                    grpc::CallbackServerContext* context,
                                    const grpc::ByteBuffer* request, grpc::ByteBuffer* response);

}  // namespace curlew::server

#endif  // CURLEW_SERVER_UNARY_CALL_H_
