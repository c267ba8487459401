#include <fmt/format.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include <CLI/CLI.hpp>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <vector>

#include "cli/command.h"
#include "cli/connection.h"

namespace curlew::cli {
namespace {

// grpc.health.v1.HealthCheckRequest {string service = 1} and HealthCheckResponse {enum status = 1}
// are too small to be worth generated code: a length-delimited field there, one varint here.
grpc::ByteBuffer HealthRequest(const std::string& service) {
  std::string bytes;
  if (!service.empty()) bytes = fmt::format("\x0a{}{}", static_cast<char>(service.size()), service);
  grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

std::string HealthStatus(const grpc::ByteBuffer& response) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (response.Dump(&slices).ok()) {
    for (const grpc::Slice& slice : slices) {
      bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    }
  }
  const int status = bytes.size() == 2 && bytes[0] == 0x08 ? bytes[1] : 0;
  static constexpr const char* kNames[] = {"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};
  return status >= 0 && status <= 3 ? kNames[status] : "UNKNOWN";
}

void RunHealth(Context& context, const std::string& service) {
  if (service.size() > 127)
    throw CommandError(kUsage, "a service's name has at most 127 characters");
  grpc::GenericStub stub(Connect(context));
  const auto call = NewCall(context);
  const grpc::ByteBuffer request = HealthRequest(service);
  grpc::ByteBuffer response;
  grpc::Status status;
  std::mutex mutex;
  std::condition_variable ready;
  bool done = false;
  stub.UnaryCall(call.get(), "/grpc.health.v1.Health/Check", grpc::StubOptions(), &request,
                 &response, [&](grpc::Status s) {
                   std::lock_guard lock(mutex);
                   status = std::move(s);
                   done = true;
                   ready.notify_one();
                 });
  std::unique_lock lock(mutex);
  ready.wait(lock, [&] { return done; });
  if (status.error_code() == grpc::NOT_FOUND) {
    throw CommandError(kFailed, fmt::format("the server has no service [{}]", service));
  }
  Require(status, context);
  const std::string text = HealthStatus(response);
  std::cout << text << std::endl;
  if (text != "SERVING") context.exit_code = kFailed;
}

}  // namespace

void AddHealthCommand(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("health", "Says whether the server serves (exit code 0)");
  auto service = std::make_shared<std::string>();
  command->add_option("service", *service,
                      "One service, such as org.opensearch.protobufs.services.SearchService");
  command->callback([&context, service] { RunHealth(context, *service); });
}

}  // namespace curlew::cli
