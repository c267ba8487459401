#include "server/unary_call.h"

#include <fmt/format.h>
#include <google/protobuf/arena.h>
#include <google/protobuf/message.h>
#include <grpc/support/time.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "engine/util/error.h"
#include "handlers/guard.h"
#include "proto_utils/request/refusal.h"
#include "proto_utils/response/search_response.h"
#include "proto_utils/status.h"
#include "server/admission.h"
#include "server/arena_block.h"
#include "server/wire.h"

namespace curlew::server {
namespace {

// A timeout above that is none: gRPC may carry 99,999,999 hours, which do not fit in nanoseconds.
constexpr int64_t kLongestTimeoutSeconds = 365LL * 24 * 3600;

// What cannot take much memory, however it is made, need not be looked at closely.
constexpr int64_t kSmallRequest = 64 * 1024;

CancelToken::Clock::time_point DeadlineOf(const grpc::CallbackServerContext& context) {
  const gpr_timespec deadline = context.raw_deadline();
  if (gpr_time_cmp(deadline, gpr_inf_future(deadline.clock_type)) == 0) {
    return CancelToken::Clock::time_point::max();
  }
  const gpr_timespec left = gpr_time_sub(deadline, gpr_now(deadline.clock_type));
  if (left.tv_sec > kLongestTimeoutSeconds) return CancelToken::Clock::time_point::max();
  return CancelToken::Clock::now() + std::chrono::seconds(left.tv_sec) +
         std::chrono::nanoseconds(left.tv_nsec);
}

// Owned by itself from Start to OnDone (gRPC has the plain pointer), and by the handler as long as
// that keeps its CallPtr; the gRPC call may be long gone by then. `response_` belongs to the gRPC
// call: only the one who sets `finished_` touches it, and gRPC lets it go only after that one has
// called Reply.
class UnaryCall final : public handlers::Call,
                        public RunningCalls::Call,
                        public grpc::ServerUnaryReactor,
                        public std::enable_shared_from_this<UnaryCall> {
 public:
  UnaryCall(const Method& method, Admission& admission, const grpc::CallbackServerContext& context,
            grpc::ByteBuffer* request, grpc::ByteBuffer* response)
      : method_(method), admission_(admission), cancel_(DeadlineOf(context)), response_(response) {
    // Not a copy: gRPC would keep the received bytes until the client has read the answer.
    request_bytes_.Swap(request);
  }

  ~UnaryCall() override { GiveBack(); }

  void Start() {
    self_ = shared_from_this();
    admission_.running().Add(self_);
    if (admission_.running().stopping()) {
      FinishError(RunningCalls::Stopping());
      return;
    }
    if (!method_.handler) {
      FinishError(Unsupported(fmt::format("method [{}] is not served yet", method_.name)));
      return;
    }
    const auto size = static_cast<int64_t>(request_bytes_.Length());
    if (!Charge(size)) {
      Reject(
          fmt::format("the node holds too much work: [{}] more bytes would take requests and "
                      "responses in flight over [{}]; try again later",
                      size, admission_.limit_bytes()));
      return;
    }
    if (method_.pool == nullptr) {
      Run();
    } else if (!method_.pool->Post([self = shared_from_this()] { self->Run(); })) {
      Reject(fmt::format("no place in the queue of [{}]; try again later", method_.name));
    }
  }

  const google::protobuf::Message& request() const override { return *request_; }
  google::protobuf::Arena* arena() override { return &*arena_; }
  const CancelToken& cancel() const override { return cancel_; }

  bool Charge(int64_t bytes) override {
    if (!method_.small) {
      if (!admission_.TryTake(bytes)) return false;
    } else {
      admission_.Take(bytes);
    }
    charged_.fetch_add(bytes);
    return true;
  }

  void Finish(const google::protobuf::Message& response) override {
    if (finished_.load()) return;
    absl::StatusOr<grpc::ByteBuffer> bytes = SerializeMessage(response);
    if (!bytes.ok()) return FinishError(bytes.status());
    Reply(*std::move(bytes));
  }

  void FinishBytes(proto_utils::ResponseBuffer response) override {
    if (finished_.load()) return;
    Reply(WrapResponse(std::move(response)));
  }

  void FinishError(const absl::Status& status) override {
    if (finished_.exchange(true)) return;
    grpc::ServerUnaryReactor::Finish(proto_utils::ToGrpcStatus(status));
  }

  void End(const absl::Status& status) override {
    FinishError(status);
    cancel_.Cancel();
  }

  void OnCancel() override {
    cancel_.Cancel();
    const bool expired = CancelToken::Clock::now() >= cancel_.deadline();
    FinishError(expired ? DeadlineExceeded() : Cancelled());
  }

  void OnDone() override {
    admission_.Give(response_size_);
    admission_.running().Remove(this);
    self_.reset();
  }

 private:
  void Run() {
    if (finished_.load()) return;
    if (absl::Status status = cancel_.Check(); !status.ok()) return FinishError(status);
    // The handler's references end in an answer, whatever it does, and with the last one goes what
    // the request took: gRPC keeps the call itself until the client has read the answer. (Outside
    // of the try, so that an exception is reported before they go.)
    const handlers::CallPtr lease(this, [self = shared_from_this()](handlers::Call*) {
      self->FinishError(
          MakeError("exception", 500, fmt::format("[{}] gave no answer", self->method_.name)));
      self->ReleaseRequest();
    });
    try {
      if (absl::Status status = Parse(); !status.ok()) return FinishError(status);
      method_.handler(lease);
    } catch (const std::exception& e) {
      FinishThrown(e.what());
    } catch (...) {
      FinishThrown("unknown exception");
    }
  }

  absl::Status Parse() {
    google::protobuf::ArenaOptions options;
    block_.emplace();
    options.initial_block = block_->data();
    options.initial_block_size = ArenaBlock::kSize;
    options.start_block_size = 64 * 1024;
    options.max_block_size = 1024 * 1024;
    arena_.emplace(options);
    google::protobuf::Message* request = method_.prototype->New(&*arena_);
    request_ = request;
    const auto size = static_cast<int64_t>(request_bytes_.Length());
    int64_t held = 0;  // counted so far
    int64_t next_look = kSmallRequest;
    const auto look = [&](int64_t parsed) {
      auto now = static_cast<int64_t>(arena_->SpaceAllocated());
      // Fields that are not known lie outside of the arena: forty bytes for one of the request.
      if (parsed >= next_look) {
        next_look = parsed * 2;
        now = std::max(now, static_cast<int64_t>(request->SpaceUsedLong()));
      }
      if (now <= held) return absl::OkStatus();
      if (!Charge(now - held)) {
        return handlers::NotEnoughMemory(fmt::format(
            "the request of [{}] bytes, which take [{}] after [{}] are parsed", size, now, parsed));
      }
      held = now;
      return absl::OkStatus();
    };
    absl::Status status = ParseMessage(request_bytes_, *request, look);
    if (status.ok()) status = look(size);
    request_bytes_.Clear();
    if (absl::IsResourceExhausted(status)) admission_.CallRejected();
    if (status.ok() && !method_.checks_fields) status = proto_utils::RefuseAllUnknown(*request);
    return status;
  }

  void ReleaseRequest() {
    request_ = nullptr;
    arena_.reset();
    block_.reset();
    GiveBack();
  }

  void GiveBack() { admission_.Give(charged_.exchange(0)); }

  void Reply(grpc::ByteBuffer bytes) {
    if (finished_.exchange(true)) return;
    response_size_ = static_cast<int64_t>(bytes.Length());
    admission_.Take(response_size_);
    response_->Swap(&bytes);
    grpc::ServerUnaryReactor::Finish(grpc::Status::OK);
  }

  void Reject(std::string reason) {
    admission_.CallRejected();
    request_bytes_.Clear();
    FinishError(MakeError("rejected_execution_exception", 429, std::move(reason)));
  }

  void FinishThrown(const char* what) {
    spdlog::error("{} threw: {}", method_.name, what);
    FinishError(MakeError("exception", 500, fmt::format("internal error: {}", Clip(what))));
  }

  const Method& method_;
  Admission& admission_;
  CancelToken cancel_;
  std::atomic<bool> finished_{false};
  grpc::ByteBuffer request_bytes_;  // until parsed
  grpc::ByteBuffer* const response_;
  std::atomic<int64_t> charged_{0};  // taken from admission_ for the request and the handler's work
  int64_t response_size_ = 0;        // the same, for the answer
  std::optional<ArenaBlock> block_;
  std::optional<google::protobuf::Arena> arena_;  // goes before its block
  const google::protobuf::Message* request_ = nullptr;
  std::shared_ptr<UnaryCall> self_;
};

}  // namespace

grpc::ServerUnaryReactor* StartCall(const Method& method, Admission& admission,
                                    grpc::CallbackServerContext* context,
                                    const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  // Made by gRPC for this call alone, and not looked at again.
  auto call = std::make_shared<UnaryCall>(method, admission, *context,
                                          const_cast<grpc::ByteBuffer*>(request), response);
  call->Start();
  return call.get();
}

}  // namespace curlew::server
