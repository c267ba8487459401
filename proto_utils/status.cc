#include "proto_utils/status.h"

#include <fmt/format.h>
#include <grpcpp/support/status.h>

#include "proto_utils/json_text.h"
#include "protos/opensearch/errors.pb.h"

namespace curlew::proto_utils {
namespace {

// Clients commonly accept 8 KB of trailers in all; percent-encoding of the text may triple parts of
// it.
constexpr size_t kMaxMessageBytes = 4096;

// The members that every error object has: type, reason, facts, cause.
void AppendMembers(const ErrorDetails& details, std::string& out) {
  out += "\"type\":";
  AppendJsonString(details.type, out);
  out += ",\"reason\":";
  AppendJsonString(details.reason, out);
  for (const auto& [key, value] : details.metadata) {
    out += ',';
    AppendJsonString(key, out);
    out += ':';
    AppendJsonString(value, out);
  }
}

void AppendCauses(const ErrorDetails* cause, std::string& out) {
  if (cause == nullptr) return;
  out += ",\"caused_by\":{";
  AppendMembers(*cause, out);
  AppendCauses(cause->cause.get(), out);
  out += '}';
}

// REST's error object. A search's root cause is what failed on the shards, else the error itself.
std::string RestErrorJson(const ErrorDetails& details) {
  const ErrorDetails& root =
      details.type == "search_phase_execution_exception" && details.cause != nullptr
          ? *details.cause
          : details;
  std::string out = "{\"error\":{\"root_cause\":[{";
  AppendMembers(root, out);
  out += "}],";
  AppendMembers(details, out);
  AppendCauses(details.cause.get(), out);
  out += fmt::format("}},\"status\":{}}}", details.rest_status);
  return out;
}

}  // namespace

int GrpcCodeOfRest(int rest_status) {
  switch (rest_status) {
    case 400:
    case 406:
    case 414:
    case 415:
    case 421:
    case 422:
      return grpc::INVALID_ARGUMENT;
    case 401:
    case 402:
    case 403:
      return grpc::PERMISSION_DENIED;
    case 404:
    case 410:
      return grpc::NOT_FOUND;
    case 405:
    case 501:
    case 505:
      return grpc::UNIMPLEMENTED;
    case 407:
      return grpc::UNAUTHENTICATED;
    case 408:
    case 504:
      return grpc::DEADLINE_EXCEEDED;
    case 409:
      return grpc::ABORTED;
    case 411:
    case 412:
    case 417:
    case 423:
    case 424:
      return grpc::FAILED_PRECONDITION;
    case 413:
    case 416:
      return grpc::OUT_OF_RANGE;
    case 429:
    case 507:
      return grpc::RESOURCE_EXHAUSTED;
    case 500:
      return grpc::INTERNAL;
    case 502:
    case 503:
      return grpc::UNAVAILABLE;
    default:
      if (rest_status >= 100 && rest_status < 300) return grpc::OK;
      if (rest_status >= 300 && rest_status < 400) return grpc::FAILED_PRECONDITION;
      return grpc::UNKNOWN;
  }
}

int GrpcCodeOf(const absl::Status& status) {
  switch (status.code()) {
    // These say more than the REST status that goes with them: REST knows only 500 for a damaged
    // file and a full disk, and no number for a caller that is gone.
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kResourceExhausted:
      return static_cast<int>(status.code());
    default:
      break;
  }
  return status.ok() ? grpc::OK : GrpcCodeOfRest(DescribeError(status).rest_status);
}

std::string JavaName(const std::string& type) {
  std::string name;
  bool upper = true;
  for (char c : type) {
    if (c == '_') {
      upper = true;
    } else {
      name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      upper = false;
    }
  }
  return name;
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  switch (status.code()) {
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kUnimplemented:
      return {static_cast<grpc::StatusCode>(status.code()),
              Clip(DescribeError(status).reason, kMaxMessageBytes)};
    default:
      break;
  }
  const ErrorDetails details = DescribeError(status);
  std::string message =
      fmt::format("{}[{}]", JavaName(details.type), Clip(details.reason, kMaxMessageBytes / 2));
  const std::string json = RestErrorJson(details);
  // A cut object would only confuse whoever parses it: leave it out when it does not fit.
  if (message.size() + json.size() + 10 <= kMaxMessageBytes) message += "; details=" + json;
  return {static_cast<grpc::StatusCode>(GrpcCodeOf(status)), message};
}

void FillErrorCause(const ErrorDetails& details, org::opensearch::protobufs::ErrorCause& out) {
  out.set_type(details.type);
  out.set_reason(details.reason);
  if (!details.metadata.empty()) {
    auto& fields = *out.mutable_metadata()->mutable_fields();
    for (const auto& [key, value] : details.metadata) fields[key].set_string(value);
  }
  if (details.cause != nullptr) FillErrorCause(*details.cause, *out.mutable_caused_by());
}

}  // namespace curlew::proto_utils
