#include "proto_utils/request/refusal.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <vector>

#include "engine/util/error.h"

namespace curlew::proto_utils {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

absl::Status Invalid(std::string_view path, std::string_view reason) {
  return IllegalArgument(fmt::format("{}: {}", Clip(path), reason));
}

absl::Status NotServed(std::string_view path) {
  return Unsupported(fmt::format("{} is not supported yet", Clip(path)));
}

std::string Join(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

std::string At(std::string_view path, int index) { return fmt::format("{}[{}]", path, index); }

std::string At(std::string_view path, std::string_view key) {
  return fmt::format("{}[{}]", path, Clip(key, 64));
}

bool HasUnknown(const Message& message) {
  return !message.GetReflection()->GetUnknownFields(message).empty();
}

absl::Status RefuseUnknown(const Message& message, std::string_view path) {
  const auto& unknown = message.GetReflection()->GetUnknownFields(message);
  if (unknown.empty()) return absl::OkStatus();
  return Unsupported(fmt::format("field number {} of {} ({}) is not known to this server",
                                 unknown.field(0).number(), message.GetDescriptor()->name(),
                                 path.empty() ? "the request" : Clip(path)));
}

namespace {

absl::Status RefuseUnknownBelow(const Message& message, const std::string& path) {
  if (absl::Status status = RefuseUnknown(message, path); !status.ok()) return status;
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> set;
  reflection->ListFields(message, &set);
  for (const FieldDescriptor* field : set) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const std::string inner = Join(path, field->name());
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const Message& child = field->is_repeated()
                                 ? reflection->GetRepeatedMessage(message, field, i)
                                 : reflection->GetMessage(message, field);
      if (absl::Status status = RefuseUnknownBelow(child, inner); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RefuseAllUnknown(const Message& message) { return RefuseUnknownBelow(message, ""); }

absl::Status RefuseOthers(const Message& message, std::initializer_list<int> served,
                          std::string_view path) {
  std::vector<const FieldDescriptor*> set;
  message.GetReflection()->ListFields(message, &set);
  for (const FieldDescriptor* field : set) {
    if (std::find(served.begin(), served.end(), field->number()) == served.end()) {
      return NotServed(Join(path, field->name()));
    }
  }
  return RefuseUnknown(message, path);
}

}  // namespace curlew::proto_utils
