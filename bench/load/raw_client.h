// Sends prepared bytes and never parses an answer, so that the client costs little of the cores
// that it shares with the server.
#ifndef CURLEW_BENCH_LOAD_RAW_CLIENT_H_
#define CURLEW_BENCH_LOAD_RAW_CLIENT_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/load/latencies.h"

namespace curlew::bench {

grpc::ByteBuffer ToBuffer(const std::string& bytes);
std::string ToBytes(const grpc::ByteBuffer& buffer);

// One method of one server over one connection of its own. Thread-safe.
class RawClient {
 public:
  RawClient(const std::string& address, std::string method);

  // Blocks. Throws std::runtime_error when the call fails.
  void Call(const grpc::ByteBuffer& request, grpc::ByteBuffer* response = nullptr);
  // `done` runs on a gRPC thread.
  void CallAsync(const grpc::ByteBuffer& request, std::function<void(const grpc::Status&)> done);

 private:
  std::shared_ptr<grpc::Channel> channel_;
  grpc::GenericStub stub_;
  const std::string method_;
};

// `concurrency` callers, each sending its next request when the answer to the last is there. A call
// that fails ends its caller, and is thrown when all have ended.
Latencies ClosedLoop(RawClient& client, const std::vector<grpc::ByteBuffer>& requests,
                     int concurrency, std::chrono::milliseconds time);

// `per_second` requests a second whether or not answers come; a latency counts from the moment at
// which the request was due. Sends every request once.
Latencies OpenLoop(RawClient& client, const std::vector<grpc::ByteBuffer>& requests,
                   double per_second);

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_LOAD_RAW_CLIENT_H_
