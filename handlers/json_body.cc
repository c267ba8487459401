#include "handlers/json_body.h"

#include <fmt/format.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <cmath>

#include "engine/util/error.h"

namespace curlew::handlers {
namespace {

std::string Text(const google::protobuf::util::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

// The printer writes infinities and NaN as strings and leaves unset values out: neither is what the
// client meant.
absl::Status CheckValue(const google::protobuf::Value& value, const std::string& path);

absl::Status CheckFields(const google::protobuf::Struct& object, const std::string& path) {
  for (const auto& [name, value] : object.fields()) {
    CURLEW_RETURN_IF_ERROR(CheckValue(value, path + "." + name));
  }
  return absl::OkStatus();
}

absl::Status CheckValue(const google::protobuf::Value& value, const std::string& path) {
  switch (value.kind_case()) {
    case google::protobuf::Value::kNumberValue:
      if (std::isfinite(value.number_value())) return absl::OkStatus();
      return IllegalArgument(
          fmt::format("[{}] is no JSON number: {}", Clip(path), value.number_value()));
    case google::protobuf::Value::kStructValue:
      return CheckFields(value.struct_value(), path);
    case google::protobuf::Value::kListValue:
      for (const auto& entry : value.list_value().values()) {
        CURLEW_RETURN_IF_ERROR(CheckValue(entry, path));
      }
      return absl::OkStatus();
    case google::protobuf::Value::KIND_NOT_SET:
      return IllegalArgument(fmt::format("[{}] has no value", Clip(path)));
    default:
      return absl::OkStatus();
  }
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
  CURLEW_RETURN_IF_ERROR(CheckFields(*body, "body"));
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
