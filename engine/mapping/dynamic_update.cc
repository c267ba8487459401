#include "engine/mapping/dynamic_update.h"

#include <fmt/format.h>

#include "engine/mapping/json_value.h"
#include "engine/util/error.h"

namespace curlew::mapping {

namespace {

std::string_view TypeName(const NewNode& node) {
  return node.is_object ? "object" : KindName(node.kind);
}

absl::Status Conflict(const NewNode& node, std::string_view parent_path, std::string_view wanted) {
  return IllegalArgument(fmt::format("mapper [{}{}{}] cannot be changed from type [{}] to [{}]",
                                     Clip(parent_path), parent_path.empty() ? "" : ".",
                                     Clip(node.name), TypeName(node), wanted));
}

void AppendNode(const NewNode& node, std::string& out) {
  if (!node.is_object) {
    out += "{\"type\":";
    AppendJsonString(KindName(node.kind), out);
    if (!node.format.empty()) {
      out += ",\"format\":";
      AppendJsonString(node.format, out);
    }
    if (node.kind == FieldKind::kText) {
      out += R"(,"fields":{"keyword":{"type":"keyword","ignore_above":256}})";
    }
    out.push_back('}');
    return;
  }
  if (node.children.empty()) {
    out += R"({"type":"object"})";
    return;
  }
  out += "{\"properties\":";
  char separator = '{';
  for (const auto& child : node.children) {
    out.push_back(separator);
    AppendJsonString(child->name, out);
    out.push_back(':');
    AppendNode(*child, out);
    separator = ',';
  }
  out += "}}";
}

}  // namespace

NewNode* DynamicUpdate::Find(NewNode* parent, std::string_view name) const {
  for (const auto& child : parent->children) {
    if (child->name == name) return child.get();
  }
  return nullptr;
}

NewNode* DynamicUpdate::Create(NewNode* parent, std::string_view name) {
  NewNode* node = parent->children.emplace_back(std::make_unique<NewNode>()).get();
  node->name = std::string(name);
  ++count_;
  return node;
}

NewNode* DynamicUpdate::AddObject(NewNode* parent, std::string_view name,
                                  std::string_view parent_path, absl::Status& error) {
  if (NewNode* found = Find(parent, name)) {
    if (found->is_object) return found;
    error = Conflict(*found, parent_path, "object");
    return nullptr;
  }
  NewNode* node = Create(parent, name);
  node->is_object = true;
  return node;
}

NewNode* DynamicUpdate::AddField(NewNode* parent, std::string_view name, FieldKind kind,
                                 std::string_view format, std::string_view parent_path,
                                 absl::Status& error) {
  if (NewNode* found = Find(parent, name)) {
    if (!found->is_object && found->kind == kind && found->format == format) return found;
    error = Conflict(*found, parent_path, KindName(kind));
    return nullptr;
  }
  NewNode* node = Create(parent, name);
  node->kind = kind;
  node->format = std::string(format);
  return node;
}

std::string DynamicUpdate::ToJson() const {
  std::string out;
  AppendNode(root_, out);
  return out;
}

}  // namespace curlew::mapping
