// The way to the server, and what its refusals look like to people.
#ifndef CURLEW_CLI_CONNECTION_H_
#define CURLEW_CLI_CONNECTION_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <memory>
#include <string>

#include "cli/command.h"

namespace curlew::cli {

std::shared_ptr<grpc::Channel> Connect(const Context& context);
// With the command's deadline.
std::unique_ptr<grpc::ClientContext> NewCall(const Context& context);
// Whether a failed call was answered by a server, and not given up by the channel for want of one.
bool IsAnswer(const grpc::Status& status);
// Throws CommandError for a failed call: the server's words without the machine-readable part, and
// what to do where that is known.
void Require(const grpc::Status& status, const Context& context);
// The readable part of a server's message.
std::string Readable(const std::string& message);

}  // namespace curlew::cli

#endif  // CURLEW_CLI_CONNECTION_H_
