#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/command.h"
#include "cli/connection.h"
#include "protos/grpc/health/v1/health.grpc.pb.h"

namespace curlew::cli {
namespace {

namespace pb = grpc::health::v1;

void RunHealth(Context& context, const std::string& service) {
  pb::HealthCheckRequest request;
  request.set_service(service);
  pb::HealthCheckResponse response;
  const grpc::Status status =
      pb::Health::NewStub(Connect(context))->Check(NewCall(context).get(), request, &response);
  if (status.error_code() == grpc::NOT_FOUND) {
    throw CommandError(kFailed, fmt::format("the server has no service [{}]", service));
  }
  Require(status, context);
  std::cout << pb::HealthCheckResponse::ServingStatus_Name(response.status()) << std::endl;
  if (response.status() != pb::HealthCheckResponse::SERVING) context.exit_code = kFailed;
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
