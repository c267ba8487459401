// A call as its handler sees it: the parsed request, where to put the answer, and whether anybody
// still waits.
#ifndef CURLEW_HANDLERS_CALL_H_
#define CURLEW_HANDLERS_CALL_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "engine/util/cancel.h"

namespace google::protobuf {
class Arena;
class Message;
}  // namespace google::protobuf

namespace curlew::proto_utils {
class ResponseBuffer;
}

namespace curlew::handlers {

// Lives until the call is finished and every reference is gone, so that a handler may keep the
// shared_ptr for work that goes on elsewhere. Finish* may be called from any thread; the first one
// wins, later ones do nothing.
class Call {
 public:
  virtual ~Call() = default;

  // On the arena; valid as long as the handler, or what it started, holds a reference.
  virtual const google::protobuf::Message& request() const = 0;
  // For messages that live as long as that.
  virtual google::protobuf::Arena* arena() = 0;
  // To be asked before much memory is taken, from any thread: counts `bytes` more, until the last
  // reference is gone.
  // False when they would be over what the node may hold; the handler then answers
  // NotEnoughMemory() (guard.h). The received and parsed request is counted already, and what
  // Finish* is given counts by itself.
  virtual bool Charge(int64_t bytes) = 0;
  // Cancelled when the client goes or the server gives up; carries the call's deadline.
  virtual const CancelToken& cancel() const = 0;

  virtual void Finish(const google::protobuf::Message& response) = 0;
  virtual void FinishBytes(proto_utils::ResponseBuffer response) = 0;
  virtual void FinishError(const absl::Status& status) = 0;
};

using CallPtr = std::shared_ptr<Call>;

}  // namespace curlew::handlers

#endif  // CURLEW_HANDLERS_CALL_H_
