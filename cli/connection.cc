#include "cli/connection.h"

#include <fmt/format.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <simdjson.h>

#include <chrono>
#include <string_view>

namespace curlew::cli {

std::shared_ptr<grpc::Channel> Connect(const Context& context) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetMaxSendMessageSize(-1);
  return grpc::CreateCustomChannel(context.server, grpc::InsecureChannelCredentials(), arguments);
}

std::unique_ptr<grpc::ClientContext> NewCall(const Context& context) {
  auto call = std::make_unique<grpc::ClientContext>();
  call->set_deadline(std::chrono::system_clock::now() +
                     std::chrono::seconds(context.timeout_seconds));
  return call;
}

std::string Readable(const std::string& message) {
  constexpr std::string_view kDetails = "; details=";
  const size_t end = message.find(kDetails);
  std::string text = message.substr(0, end);
  if (end == std::string::npos) return text;
  // Of a search that failed on its shards the text only says that it did; its cause says why.
  simdjson::dom::parser parser;
  simdjson::dom::element details;
  std::string_view reason;
  const std::string json = message.substr(end + kDetails.size());
  if (parser.parse(json).get(details) != simdjson::SUCCESS ||
      details["error"]["root_cause"].at(0)["reason"].get(reason) != simdjson::SUCCESS) {
    return text;
  }
  if (!reason.empty() && text.find(reason) == std::string::npos) {
    text += "\n  " + std::string(reason);
  }
  return text;
}

bool IsAnswer(const grpc::Status& status) {
  // A server's refusal is an exception's name and its reason in brackets; what the channel says of
  // itself never is.
  return status.error_code() != grpc::UNAVAILABLE ||
         status.error_message().find("Exception[") != std::string::npos;
}

void Require(const grpc::Status& status, const Context& context) {
  switch (status.error_code()) {
    case grpc::OK:
      return;
    case grpc::UNAVAILABLE:
      if (IsAnswer(status)) {
        throw CommandError(kFailed, Readable(status.error_message()));
      }
      throw CommandError(
          kUnreachable,
          fmt::format("no server answers at {} ({})\n  start one with `curlewd --data "
                      "DIR --listen {}`, or name another with --server HOST:PORT",
                      context.server, status.error_message(), context.server));
    case grpc::DEADLINE_EXCEEDED:
      throw CommandError(kFailed, fmt::format("no answer within {} s\n  give it more time with "
                                              "--timeout SECONDS",
                                              context.timeout_seconds));
    case grpc::RESOURCE_EXHAUSTED:
      throw CommandError(kFailed,
                         fmt::format("{}\n  the server is busy or the message is too large: "
                                     "try again, or send less at a time",
                                     Readable(status.error_message())));
    default:
      throw CommandError(kFailed, Readable(status.error_message()));
  }
}

}  // namespace curlew::cli
