// A gRPC service made from its protobuf descriptor and a table of handlers.
//
// Does what a generated WithRawCallbackMethod_X class for every method would do, in one place, so
// that all methods share their error behaviour and a method without a handler still answers by
// name.
#ifndef CURLEW_SERVER_DESCRIBED_SERVICE_H_
#define CURLEW_SERVER_DESCRIBED_SERVICE_H_

#include <google/protobuf/descriptor.h>
#include <grpcpp/impl/service_type.h>

#include <deque>
#include <map>
#include <string>

#include "server/unary_call.h"

namespace curlew::server {

struct Binding {
  ThreadPool* pool = nullptr;  // null: inline, for handlers of microseconds that never block
  Handler handler;
  // As in Method.
  bool checks_fields = false;
  bool small = false;
};

// Outlives the grpc::Server that it is registered with.
class DescribedService final : public grpc::Service {
 public:
  // `bindings`: by method name; every name must be a unary method of `service`. Methods without a
  // binding answer UNIMPLEMENTED.
  DescribedService(const google::protobuf::ServiceDescriptor& service,
                   const std::map<std::string, Binding>& bindings, Admission& admission);

  const std::string& name() const { return name_; }

 private:
  const std::string name_;
  std::deque<std::string> paths_;  // gRPC keeps pointers to these
  std::deque<Method> methods_;
};

}  // namespace curlew::server

#endif  // CURLEW_SERVER_DESCRIBED_SERVICE_H_
