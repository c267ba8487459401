// Calls with bytes instead of messages.
#ifndef CURLEW_TEST_SUPPORT_RAW_CALL_H_
#define CURLEW_TEST_SUPPORT_RAW_CALL_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <future>
#include <memory>
#include <string>
#include <utility>

namespace curlew::test {

// Sends any bytes to any unary method ("/package.Service/Method"); what comes back goes to
// `response`. Blocks.
inline grpc::Status CallRaw(const std::shared_ptr<grpc::Channel>& channel,
                            const std::string& method, const std::string& bytes,
                            grpc::ByteBuffer& response) {
  grpc::GenericStub stub(channel);
  grpc::Slice slice(bytes);
  const grpc::ByteBuffer request(&slice, 1);
  grpc::ClientContext context;
  std::promise<grpc::Status> status;
  stub.UnaryCall(&context, method, grpc::StubOptions(), &request, &response,
                 [&status](grpc::Status s) { status.set_value(std::move(s)); });
  return status.get_future().get();
}

// The same when only the status is of interest.
inline grpc::Status CallRaw(const std::shared_ptr<grpc::Channel>& channel,
                            const std::string& method, const std::string& bytes) {
  grpc::ByteBuffer response;
  return CallRaw(channel, method, bytes, response);
}

}  // namespace curlew::test

#endif  // CURLEW_TEST_SUPPORT_RAW_CALL_H_
