#include "handlers/json_body.h"

#include <fmt/format.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include "engine/util/error.h"

namespace curlew::handlers {
namespace {

std::string Text(const google::protobuf::util::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

}  // namespace

absl::StatusOr<std::string> BodyJson(const google::protobuf::Struct* body,
                                     const std::string& body_json, bool required) {
  if (body != nullptr && !body_json.empty()) {
    return IllegalArgument("exactly one of [body] and [body_json] may be set, found both");
  }
  if (!body_json.empty()) return body_json;
  if (body == nullptr) {
    if (required) return IllegalArgument("request body is required: set [body] or [body_json]");
    return std::string();
  }
  std::string json;
  const auto status = google::protobuf::util::MessageToJsonString(*body, &json);
  if (!status.ok()) return IllegalArgument(fmt::format("[body] is not valid: {}", Text(status)));
  return json;
}

absl::Status FillStruct(std::string_view json, google::protobuf::Struct& out) {
  const auto status = google::protobuf::util::JsonStringToMessage(
      google::protobuf::StringPiece(json.data(), json.size()), &out);
  if (!status.ok()) return absl::InternalError(Text(status));
  return absl::OkStatus();
}

}  // namespace curlew::handlers
