#include "bench/load/raw_client.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace curlew::bench {

using Clock = std::chrono::steady_clock;

grpc::ByteBuffer ToBuffer(const std::string& bytes) {
  grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

std::string ToBytes(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  if (!buffer.Dump(&slices).ok()) return {};
  std::string bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

namespace {

std::shared_ptr<grpc::Channel> OwnConnection(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  // Channels with equal arguments would share a connection otherwise.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

RawClient::RawClient(const std::string& address, std::string method)
    : channel_(OwnConnection(address)), stub_(channel_), method_(std::move(method)) {}

void RawClient::CallAsync(const grpc::ByteBuffer& request,
                          std::function<void(const grpc::Status&)> done) {
  struct State {
    grpc::ClientContext context;
    grpc::ByteBuffer request, response;
  };
  auto state = std::make_shared<State>();
  state->request = request;
  stub_.UnaryCall(&state->context, method_, grpc::StubOptions(), &state->request, &state->response,
                  [state, done = std::move(done)](grpc::Status status) { done(status); });
}

void RawClient::Call(const grpc::ByteBuffer& request, grpc::ByteBuffer* response) {
  grpc::ClientContext context;
  grpc::ByteBuffer sent = request, received;
  std::mutex mutex;
  std::condition_variable ready;
  bool finished = false;
  grpc::Status status;
  stub_.UnaryCall(&context, method_, grpc::StubOptions(), &sent, &received, [&](grpc::Status s) {
    std::lock_guard lock(mutex);
    status = std::move(s);
    finished = true;
    ready.notify_one();
  });
  std::unique_lock lock(mutex);
  ready.wait(lock, [&] { return finished; });
  if (!status.ok()) throw std::runtime_error(method_ + ": " + status.error_message());
  if (response != nullptr) *response = received;
}

Latencies ClosedLoop(RawClient& client, const std::vector<grpc::ByteBuffer>& requests,
                     int concurrency, std::chrono::milliseconds time) {
  std::mutex mutex;
  Latencies all;
  std::exception_ptr failed;
  std::atomic<size_t> next{0};
  const Clock::time_point stop = Clock::now() + time;
  std::vector<std::thread> callers;
  for (int i = 0; i < concurrency; ++i) {
    callers.emplace_back([&] {
      Latencies mine;
      while (true) {
        const Clock::time_point start = Clock::now();
        if (start >= stop) break;
        try {
          client.Call(requests[next.fetch_add(1) % requests.size()]);
        } catch (...) {
          std::lock_guard lock(mutex);
          failed = std::current_exception();
          return;
        }
        mine.Add(Clock::now() - start);
      }
      std::lock_guard lock(mutex);
      all.Add(mine);
    });
  }
  for (std::thread& caller : callers) caller.join();
  if (failed) std::rethrow_exception(failed);
  return all;
}

Latencies OpenLoop(RawClient& client, const std::vector<grpc::ByteBuffer>& requests,
                   double per_second) {
  std::mutex mutex;
  std::condition_variable all_answered;
  size_t left = requests.size();
  Latencies latencies;
  std::string error;
  const auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / per_second));
  const Clock::time_point start = Clock::now();
  for (size_t i = 0; i < requests.size(); ++i) {
    const Clock::time_point due = start + interval * static_cast<int64_t>(i);
    std::this_thread::sleep_until(due);
    client.CallAsync(requests[i], [&, due](const grpc::Status& status) {
      std::lock_guard lock(mutex);
      latencies.Add(Clock::now() - due);
      if (!status.ok()) error = status.error_message();
      if (--left == 0) all_answered.notify_one();
    });
  }
  std::unique_lock lock(mutex);
  all_answered.wait(lock, [&] { return left == 0; });
  if (!error.empty()) throw std::runtime_error(error);
  return latencies;
}

}  // namespace curlew::bench
