#include "server/described_service.h"

#include <google/protobuf/message.h>
#include <grpcpp/impl/codegen/server_callback_handlers.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <cstdlib>

namespace curlew::server {

DescribedService::DescribedService(const google::protobuf::ServiceDescriptor& service,
                                   const std::map<std::string, Binding>& bindings,
                                   Admission& admission)
    : name_(service.full_name()) {
  size_t bound = 0;
  for (int i = 0; i < service.method_count(); ++i) {
    const google::protobuf::MethodDescriptor& descriptor = *service.method(i);
    Method& method = methods_.emplace_back();
    method.name = name_ + "/" + descriptor.name();
    const auto binding = bindings.find(descriptor.name());
    if (binding != bindings.end()) {
      if (descriptor.client_streaming() || descriptor.server_streaming()) std::abort();
      method.prototype = google::protobuf::MessageFactory::generated_factory()->GetPrototype(
          descriptor.input_type());
      method.pool = binding->second.pool;
      method.handler = binding->second.handler;
      method.checks_fields = binding->second.checks_fields;
      method.small = binding->second.small;
      ++bound;
    }
    // Streaming methods are not served; the refusal of one looks like that of a unary call.
    AddMethod(new grpc::internal::RpcServiceMethod(paths_.emplace_back("/" + method.name).c_str(),
                                                   grpc::internal::RpcMethod::NORMAL_RPC, nullptr));
    MarkMethodRawCallback(
        i, new grpc::internal::CallbackUnaryHandler<grpc::ByteBuffer, grpc::ByteBuffer>(
               [&method, &admission](grpc::CallbackServerContext* context,
                                     const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
                 return StartCall(method, admission, context, request, response);
               }));
  }
  if (bound != bindings.size()) std::abort();  // a name in the table that the service does not have
}

}  // namespace curlew::server
