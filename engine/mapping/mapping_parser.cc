#include "engine/mapping/mapping_parser.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "engine/mapping/dates.h"
#include "engine/mapping/field_params.h"
#include "engine/mapping/field_values.h"
#include "engine/mapping/json_value.h"
#include "engine/util/error.h"
#include "engine/util/text_hash.h"

namespace curlew::mapping {

namespace {

using ObjectPtr = std::shared_ptr<const ObjectNode>;

absl::Status Error(std::string reason) {
  return MapperParsing(fmt::format("Failed to parse mapping: {}", reason));
}

std::string JoinPath(std::string_view parent, std::string_view name) {
  return parent.empty() ? std::string(name) : fmt::format("{}.{}", parent, name);
}

absl::StatusOr<std::string> ReadDynamic(const JsonValue& value, std::string_view where) {
  if (const std::optional<bool> b = value.AsBool()) return std::string(*b ? "true" : "false");
  for (const std::string_view known :
       {"strict", "strict_allow_templates", "false_allow_templates"}) {
    if (value.IsString() && value.text == known) return std::string(known);
  }
  return Error(fmt::format("[dynamic] of [{}] must be true, false or strict, got [{}]", Clip(where),
                           value.Describe()));
}

absl::StatusOr<ObjectPtr> MergeObjects(const ObjectNode& base, const ObjectNode& update);

// Puts `update` into the place of `base`, a child of the same name.
absl::Status MergeChild(ChildNode& base, const ChildNode& update) {
  if (base.object != nullptr && update.object != nullptr) {
    CURLEW_ASSIGN_OR_RETURN(base.object, MergeObjects(*base.object, *update.object));
    return absl::OkStatus();
  }
  if (base.field != nullptr && update.field != nullptr) {
    CURLEW_ASSIGN_OR_RETURN(base.field, MergeField(base.field, update.field));
    return absl::OkStatus();
  }
  const bool was_object = base.object != nullptr;
  return IllegalArgument(fmt::format("can't merge {} mapping [{}] with {} mapping",
                                     was_object ? "a non object" : "an object",
                                     Clip(was_object ? base.object->path : base.field->field.path),
                                     was_object ? "an object" : "a non object"));
}

absl::StatusOr<ObjectPtr> MergeObjects(const ObjectNode& base, const ObjectNode& update) {
  auto merged = std::make_shared<ObjectNode>(base);
  if (!update.dynamic.empty()) merged->dynamic = update.dynamic;
  if (update.enabled_given && update.enabled != base.enabled) {
    return IllegalArgument(fmt::format(
        "the [enabled] parameter can't be updated for the object mapping [{}]", Clip(base.path)));
  }
  // Large mappings get updates of a few fields: look each up instead of walking all.
  std::vector<ChildNode> added;
  for (const ChildNode& child : update.children) {
    const ChildNode* old = base.Find(child.name);
    if (old == nullptr) {
      added.push_back(child);
      continue;
    }
    CURLEW_RETURN_IF_ERROR(
        MergeChild(merged->children[static_cast<size_t>(old - base.children.data())], child));
  }
  for (ChildNode& child : added) merged->children.push_back(std::move(child));
  merged->Freeze();
  return merged;
}

class TreeReader {
 public:
  explicit TreeReader(const analysis::AnalyzerRegistry& analyzers) : analyzers_(analyzers) {}

  absl::Status ReadProperties(const JsonValue& value, ObjectNode& parent) {
    if (value.kind == JsonValue::Kind::kArray && value.items.empty()) return absl::OkStatus();
    if (!value.IsObject()) {
      return Error(fmt::format("[properties] of [{}] must be an object, got [{}]",
                               parent.path.empty() ? "_doc" : Clip(parent.path), value.Describe()));
    }
    Places places;
    for (const auto& [name, definition] : value.members) {
      if (!definition.IsObject()) {
        return Error(
            fmt::format("Expected map for property [properties] on field [{}] but got [{}]",
                        Clip(name), definition.Describe()));
      }
      CURLEW_RETURN_IF_ERROR(ReadProperty(name, definition, parent, places));
    }
    return absl::OkStatus();
  }

 private:
  // Where a name is among its parent's children: two dotted names may share their first part.
  using Places = TextMap<std::string, size_t>;

  // A dotted name stands for objects within each other.
  absl::Status ReadProperty(std::string_view name, const JsonValue& definition, ObjectNode& parent,
                            Places& places) {
    const size_t dot = name.find('.');
    const std::string_view first = name.substr(0, dot);
    if (first.empty() || (dot != std::string_view::npos && dot + 1 == name.size())) {
      return Error(fmt::format("name cannot be empty string (property [{}] of [{}])", Clip(name),
                               parent.path.empty() ? "_doc" : Clip(parent.path)));
    }
    ChildNode child;
    child.name = std::string(first);
    const std::string path = JoinPath(parent.path, first);
    if (parent.path.empty() && IsMetadataName(first)) {
      return Error(fmt::format("[{}] is a metadata field and cannot be mapped", first));
    }
    if (dot != std::string_view::npos) {
      auto object = std::make_shared<ObjectNode>();
      object->name = child.name;
      object->path = path;
      Places none;
      CURLEW_RETURN_IF_ERROR(ReadProperty(name.substr(dot + 1), definition, *object, none));
      object->Freeze();
      child.object = std::move(object);
    } else if (IsObjectDefinition(definition)) {
      CURLEW_ASSIGN_OR_RETURN(child.object, ReadObject(child.name, path, definition));
    } else {
      if (definition.Find("type") == nullptr) {
        return Error(fmt::format("No type specified for field [{}]", Clip(path)));
      }
      CURLEW_ASSIGN_OR_RETURN(child.field, ParseField(path, child.name, definition, analyzers_));
    }
    const auto [at, is_new] = places.emplace(child.name, parent.children.size());
    if (!is_new) return MergeChild(parent.children[at->second], child);
    parent.children.push_back(std::move(child));
    return absl::OkStatus();
  }

  static bool IsObjectDefinition(const JsonValue& definition) {
    if (const JsonValue* type = definition.Find("type")) return type->AsText() == "object";
    return definition.Find("properties") != nullptr ||
           (definition.members.size() == 1 && definition.Find("enabled") != nullptr);
  }

  absl::StatusOr<ObjectPtr> ReadObject(const std::string& name, const std::string& path,
                                       const JsonValue& definition) {
    auto object = std::make_shared<ObjectNode>();
    object->name = name;
    object->path = path;
    for (const auto& [key, value] : definition.members) {
      if (key == "type") continue;
      if (key == "properties") {
        CURLEW_RETURN_IF_ERROR(ReadProperties(value, *object));
      } else if (key == "dynamic") {
        CURLEW_ASSIGN_OR_RETURN(object->dynamic, ReadDynamic(value, path));
      } else if (key == "enabled") {
        const std::optional<bool> enabled = value.AsBool();
        if (!enabled) {
          return Error(fmt::format("[enabled] of [{}] must be a boolean, got [{}]", Clip(path),
                                   value.Describe()));
        }
        object->enabled = *enabled;
        object->enabled_given = true;
      } else {
        return Error(
            fmt::format("Mapping definition for [{}] has unsupported parameters:  [{} : {}]",
                        Clip(path), Clip(key), value.Describe()));
      }
    }
    object->Freeze();
    return object;
  }

  const analysis::AnalyzerRegistry& analyzers_;
};

absl::Status ReadDateFormats(const JsonValue& value, RootOptions& options) {
  if (value.kind != JsonValue::Kind::kArray) {
    return Error(
        fmt::format("[dynamic_date_formats] must be an array, got [{}]", value.Describe()));
  }
  std::vector<std::string> formats;
  for (const JsonValue& item : value.items) {
    if (!item.IsString()) {
      return Error(
          fmt::format("[dynamic_date_formats] must be strings, got [{}]", item.Describe()));
    }
    if (absl::Status s = CheckDateFormat(item.text); !s.ok()) {
      return WithCause(Error(DescribeError(s).reason), s);
    }
    formats.push_back(item.text);
  }
  options.dynamic_date_formats = std::move(formats);
  return absl::OkStatus();
}

absl::Status ReadFlag(std::string_view name, const JsonValue& value, std::optional<bool>& out) {
  out = value.AsBool();
  if (out) return absl::OkStatus();
  return Error(fmt::format("[{}] must be a boolean, got [{}]", name, value.Describe()));
}

// Whether `value` is what the metadata setting `name` is anyway.
bool IsDefaultSetting(std::string_view name, const JsonValue& value) {
  if (name == "dynamic_templates") return value.items.empty() && !value.IsObject();
  const JsonValue* flag = value.Find(name == "_routing" ? "required" : "enabled");
  return value.IsObject() &&
         (value.members.empty() || (value.members.size() == 1 && flag != nullptr &&
                                    flag->AsBool() == std::optional<bool>(name != "_routing")));
}

absl::Status ReadRoot(const JsonValue& json, MappingUse use, TreeReader& reader, ObjectNode& root,
                      RootOptions& options) {
  for (const auto& [name, value] : json.members) {
    if (name == "properties") {
      CURLEW_RETURN_IF_ERROR(reader.ReadProperties(value, root));
    } else if (name == "dynamic") {
      CURLEW_ASSIGN_OR_RETURN(root.dynamic, ReadDynamic(value, "_doc"));
    } else if (name == "date_detection") {
      CURLEW_RETURN_IF_ERROR(ReadFlag(name, value, options.date_detection));
    } else if (name == "numeric_detection") {
      CURLEW_RETURN_IF_ERROR(ReadFlag(name, value, options.numeric_detection));
    } else if (name == "dynamic_date_formats") {
      CURLEW_RETURN_IF_ERROR(ReadDateFormats(value, options));
    } else if (name == "_meta") {
      if (!value.IsObject()) {
        return Error(fmt::format("[_meta] must be an object, got [{}]", value.Describe()));
      }
      options.meta_json.clear();
      value.AppendJson(options.meta_json);
    } else if (name == "_source" || name == "_routing" || name == "dynamic_templates" ||
               name == "_field_names" || name == "_data_stream_timestamp" || name == "derived") {
      if (!IsDefaultSetting(name, value)) {
        if (use == MappingUse::kUpdate && name == "_source") {
          return IllegalArgument(
              fmt::format("[_source] cannot be changed to [{}]", value.Describe()));
        }
        return Error(
            fmt::format("[{}] with the value [{}] is not supported", name, value.Describe()));
      }
    } else if (name == "_doc" && json.members.size() == 1) {
      return IllegalArgument(
          "The mapping definition cannot be nested under a type [_doc] unless include_type_name is "
          "set to true.");
    } else {
      return Error(fmt::format("Root mapping definition has unsupported parameters:  [{} : {}]",
                               Clip(name), value.Describe()));
    }
  }
  return absl::OkStatus();
}

void AppendObjectBody(const ObjectNode& object, bool is_root, bool first, std::string& out) {
  const auto key = [&](std::string_view name) {
    if (!first) out.push_back(',');
    first = false;
    AppendJsonString(name, out);
    out.push_back(':');
  };
  if (!is_root && object.children.empty()) {
    key("type");
    out += "\"object\"";
  }
  if (!object.dynamic.empty()) {
    key("dynamic");
    AppendJsonString(object.dynamic, out);
  }
  if (!object.enabled) {
    key("enabled");
    out += "false";
  }
  if (!object.children.empty()) {
    key("properties");
    char separator = '{';
    for (const ChildNode& child : object.children) {
      out.push_back(separator);
      AppendJsonString(child.name, out);
      out.push_back(':');
      if (child.object != nullptr) {
        out.push_back('{');
        AppendObjectBody(*child.object, false, true, out);
        out.push_back('}');
      } else {
        AppendFieldJson(*child.field, out);
      }
      separator = ',';
    }
    out.push_back('}');
  }
}

class LimitChecker {
 public:
  explicit LimitChecker(const MappingLimits& limits) : limits_(limits) {}

  absl::Status Object(const ObjectNode& object, int depth) {
    if (depth > limits_.depth) {
      return IllegalArgument(
          fmt::format("Limit of mapping depth [{}] has been exceeded due to object field [{}]",
                      limits_.depth, Clip(object.path)));
    }
    for (const ChildNode& child : object.children) {
      CURLEW_RETURN_IF_ERROR(Name(child.name));
      if (child.object != nullptr) {
        CURLEW_RETURN_IF_ERROR(Object(*child.object, depth + 1));
      } else {
        CURLEW_RETURN_IF_ERROR(MultiFields(*child.field));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Total() const {
    if (count_ <= limits_.total_fields) return absl::OkStatus();
    return IllegalArgument(
        fmt::format("Limit of total fields [{}] has been exceeded", limits_.total_fields));
  }

 private:
  absl::Status MultiFields(const FieldNode& field) {
    for (const auto& child : field.multi) {
      CURLEW_RETURN_IF_ERROR(Name(child->name));
      CURLEW_RETURN_IF_ERROR(MultiFields(*child));
    }
    return absl::OkStatus();
  }

  absl::Status Name(std::string_view name) {
    ++count_;
    const size_t limit = static_cast<size_t>(limits_.field_name_length);
    if (!IsLongerThan(name, limit)) return absl::OkStatus();
    return IllegalArgument(
        fmt::format("Field name [{}] is longer than the limit of [{}] characters", Clip(name),
                    limits_.field_name_length));
  }

  const MappingLimits& limits_;
  int count_ = 0;
};

}  // namespace

bool IsMetadataName(std::string_view name) {
  if (name.empty() || name.front() != '_') return false;
  constexpr std::array<std::string_view, 10> kNames = {
      "_id",     "_source",  "_routing",     "_index",       "_version",
      "_seq_no", "_ignored", "_field_names", "_nested_path", "_primary_term"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

absl::StatusOr<MappingTree> ParseMappingTree(std::string_view json, MappingUse use,
                                             const analysis::AnalyzerRegistry& analyzers) {
  MappingTree tree;
  auto root = std::make_shared<ObjectNode>();
  if (!json.empty()) {
    absl::StatusOr<JsonValue> value = ParseJsonValue(json);
    if (!value.ok()) {
      return WithCause(Error(DescribeError(value.status()).reason), value.status());
    }
    if (!value->IsObject())
      return Error(fmt::format("expected an object, got [{}]", value->Describe()));
    TreeReader reader(analyzers);
    CURLEW_RETURN_IF_ERROR(ReadRoot(*value, use, reader, *root, tree.options));
  }
  root->Freeze();
  tree.root = std::move(root);
  return tree;
}

absl::StatusOr<MappingTree> MergeMappingTrees(const MappingTree& base, const MappingTree& update) {
  MappingTree merged;
  CURLEW_ASSIGN_OR_RETURN(merged.root, MergeObjects(*base.root, *update.root));
  merged.options = base.options;
  if (update.options.date_detection) merged.options.date_detection = update.options.date_detection;
  if (update.options.numeric_detection) {
    merged.options.numeric_detection = update.options.numeric_detection;
  }
  if (update.options.dynamic_date_formats) {
    merged.options.dynamic_date_formats = update.options.dynamic_date_formats;
  }
  if (!update.options.meta_json.empty()) merged.options.meta_json = update.options.meta_json;
  return merged;
}

std::string MappingTreeToJson(const MappingTree& tree) {
  std::string out = "{";
  const auto key = [&](std::string_view name) {
    if (out.size() > 1) out.push_back(',');
    AppendJsonString(name, out);
    out.push_back(':');
  };
  const RootOptions& o = tree.options;
  if (!o.meta_json.empty()) {
    key("_meta");
    out += o.meta_json;
  }
  if (o.date_detection) {
    key("date_detection");
    out += *o.date_detection ? "true" : "false";
  }
  if (o.dynamic_date_formats) {
    key("dynamic_date_formats");
    out.push_back('[');
    for (const std::string& format : *o.dynamic_date_formats) {
      if (out.back() != '[') out.push_back(',');
      AppendJsonString(format, out);
    }
    out.push_back(']');
  }
  if (o.numeric_detection) {
    key("numeric_detection");
    out += *o.numeric_detection ? "true" : "false";
  }
  AppendObjectBody(*tree.root, true, out.size() == 1, out);
  out.push_back('}');
  return out;
}

absl::Status CheckLimits(const MappingTree& tree, const MappingLimits& limits) {
  LimitChecker checker(limits);
  CURLEW_RETURN_IF_ERROR(checker.Object(*tree.root, 1));
  return checker.Total();
}

}  // namespace curlew::mapping
