#include "engine/mapping/field_params.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "engine/codec/columns/numbers.h"
#include "engine/mapping/dates.h"
#include "engine/mapping/field_values.h"
#include "engine/mapping/java_numbers.h"
#include "engine/util/error.h"

namespace curlew::mapping {

namespace {

struct NamedKind {
  std::string_view name;
  FieldKind kind;
};
constexpr std::array kKinds = {
    NamedKind{"text", FieldKind::kText},       NamedKind{"keyword", FieldKind::kKeyword},
    NamedKind{"long", FieldKind::kLong},       NamedKind{"integer", FieldKind::kInteger},
    NamedKind{"short", FieldKind::kShort},     NamedKind{"byte", FieldKind::kByte},
    NamedKind{"double", FieldKind::kDouble},   NamedKind{"float", FieldKind::kFloat},
    NamedKind{"boolean", FieldKind::kBoolean}, NamedKind{"date", FieldKind::kDate},
};

constexpr std::array<std::string_view, 39> kKindsNotServed = {"alias",
                                                              "binary",
                                                              "completion",
                                                              "constant_keyword",
                                                              "date_nanos",
                                                              "date_range",
                                                              "derived",
                                                              "double_range",
                                                              "flat_object",
                                                              "float_range",
                                                              "geo_point",
                                                              "geo_shape",
                                                              "half_float",
                                                              "integer_range",
                                                              "ip",
                                                              "ip_range",
                                                              "join",
                                                              "knn_vector",
                                                              "long_range",
                                                              "match_only_text",
                                                              "nested",
                                                              "percolator",
                                                              "rank_feature",
                                                              "rank_features",
                                                              "scaled_float",
                                                              "search_as_you_type",
                                                              "semantic",
                                                              "star_tree",
                                                              "token_count",
                                                              "unsigned_long",
                                                              "version",
                                                              "wildcard",
                                                              "xy_point",
                                                              "xy_shape",
                                                              "annotated_text",
                                                              "icu_collation_keyword",
                                                              "sparse_vector",
                                                              "dense_vector",
                                                              "context_aware_grouping"};

enum class Role : uint8_t {
  kServed,
  kKept,       // shown, without effect on what we do
  kNotServed,  // refused, except with the value that means nothing
};

constexpr uint32_t Bit(FieldKind kind) { return 1u << static_cast<uint32_t>(kind); }
constexpr uint32_t kTextKind = Bit(FieldKind::kText);
constexpr uint32_t kKeywordKind = Bit(FieldKind::kKeyword);
constexpr uint32_t kDateKind = Bit(FieldKind::kDate);
constexpr uint32_t kBooleanKind = Bit(FieldKind::kBoolean);
constexpr uint32_t kNumberKinds = Bit(FieldKind::kLong) | Bit(FieldKind::kInteger) |
                                  Bit(FieldKind::kShort) | Bit(FieldKind::kByte) |
                                  Bit(FieldKind::kDouble) | Bit(FieldKind::kFloat);
constexpr uint32_t kAllKinds = kTextKind | kKeywordKind | kDateKind | kBooleanKind | kNumberKinds;

// A parameter: which types have it, what it is when left out (JSON; "" = nothing), and whether a
// mapping update may change it.
struct ParamRule {
  std::string_view name;
  uint32_t kinds;
  Role role;
  std::string_view fallback;
  bool updateable;
  // Shown even with the default's value once it was given.
  bool explicit_shown = false;
};

constexpr std::array kRules = {
    ParamRule{"index", kAllKinds, Role::kServed, "true", false},
    ParamRule{"store", kAllKinds, Role::kServed, "false", false},
    ParamRule{"doc_values", kAllKinds & ~kTextKind, Role::kServed, "true", false},
    ParamRule{"meta", kAllKinds, Role::kKept, "{}", true},
    ParamRule{"boost", kAllKinds, Role::kNotServed, "1.0", true},
    ParamRule{"copy_to", kAllKinds, Role::kNotServed, "[]", true},
    ParamRule{"norms", kTextKind, Role::kServed, "true", false},
    ParamRule{"norms", kKeywordKind, Role::kServed, "false", false},
    ParamRule{"index_options", kTextKind, Role::kServed, "\"positions\"", false},
    ParamRule{"index_options", kKeywordKind, Role::kServed, "\"docs\"", false},
    ParamRule{"similarity", kTextKind | kKeywordKind, Role::kServed, "", false},
    ParamRule{"eager_global_ordinals", kTextKind | kKeywordKind, Role::kKept, "false", true},
    ParamRule{"analyzer", kTextKind, Role::kServed, "\"default\"", false},
    ParamRule{"search_analyzer", kTextKind, Role::kServed, "", true},
    ParamRule{"search_quote_analyzer", kTextKind, Role::kNotServed, "", true},
    ParamRule{"position_increment_gap", kTextKind, Role::kServed, "-1", false},
    ParamRule{"term_vector", kTextKind, Role::kNotServed, "\"no\"", false},
    ParamRule{"fielddata", kTextKind, Role::kNotServed, "false", true},
    ParamRule{"fielddata_frequency_filter", kTextKind, Role::kNotServed, "", true},
    ParamRule{"index_phrases", kTextKind, Role::kNotServed, "false", false},
    ParamRule{"index_prefixes", kTextKind, Role::kNotServed, "", false},
    ParamRule{"ignore_above", kKeywordKind, Role::kServed, "2147483647", true},
    ParamRule{"normalizer", kKeywordKind, Role::kNotServed, "\"default\"", false},
    ParamRule{"split_queries_on_whitespace", kKeywordKind, Role::kNotServed, "false", true},
    ParamRule{"use_similarity", kKeywordKind, Role::kNotServed, "false", true},
    ParamRule{"null_value", kAllKinds & ~kTextKind, Role::kServed, "", false},
    ParamRule{"coerce", kNumberKinds, Role::kServed, "true", true, true},
    ParamRule{"ignore_malformed", kNumberKinds | kDateKind, Role::kServed, "false", true, true},
    ParamRule{"skip_list", kNumberKinds | kDateKind, Role::kKept, "false", false},
    ParamRule{"format", kDateKind, Role::kServed, "\"strict_date_optional_time||epoch_millis\"",
              false},
    ParamRule{"print_format", kDateKind, Role::kNotServed, "", true},
    ParamRule{"locale", kDateKind, Role::kNotServed, "\"ROOT\"", false},
};

const ParamRule* FindRule(FieldKind kind, std::string_view name) {
  for (const ParamRule& rule : kRules) {
    if (rule.name == name && (rule.kinds & Bit(kind)) != 0) return &rule;
  }
  return nullptr;
}

// Reads one definition into a node.
class FieldReader {
 public:
  FieldReader(FieldNode& node, const analysis::AnalyzerRegistry& analyzers)
      : node_(node), field_(node.field), analyzers_(analyzers) {}

  absl::Status Read(const JsonValue& definition) {
    SetDefaults();
    for (const auto& [name, value] : definition.members) {
      if (name == "type") continue;
      if (name == "fields") {
        CURLEW_RETURN_IF_ERROR(ReadMultiFields(value));
        continue;
      }
      const ParamRule* rule = FindRule(field_.kind, name);
      if (rule == nullptr) {
        return Error(fmt::format("unknown parameter [{}] on mapper [{}] of type [{}]", Clip(name),
                                 node_.name, KindName(field_.kind)));
      }
      CURLEW_RETURN_IF_ERROR(ReadParam(*rule, value));
    }
    std::sort(node_.params.begin(), node_.params.end(),
              [](const FieldParam& a, const FieldParam& b) { return a.name < b.name; });
    return Finish();
  }

 private:
  absl::Status Error(std::string reason) const {
    return MapperParsing(fmt::format("Failed to parse mapping: {}", reason));
  }
  absl::Status BadValue(std::string_view param, const JsonValue& value,
                        std::string_view wanted) const {
    return Error(fmt::format("[{}] of field [{}] must be {}, got [{}]", param, Clip(field_.path),
                             wanted, value.Describe()));
  }

  void SetDefaults() {
    const bool text = field_.kind == FieldKind::kText;
    field_.doc_values = !text;
    field_.norms = text;
    field_.index_options = text ? codec::IndexOptions::kPositions : codec::IndexOptions::kDocs;
    if (field_.numeric() && field_.kind != FieldKind::kBoolean) {
      field_.index_options = codec::IndexOptions::kNone;
    }
  }

  absl::Status ReadParam(const ParamRule& rule, const JsonValue& value) {
    std::string json;
    value.AppendJson(json);
    if (rule.role == Role::kNotServed) {
      const bool harmless = !rule.fallback.empty() &&
                            (json == rule.fallback || JsonString(value.AsText()) == rule.fallback ||
                             value.AsText() == rule.fallback);
      if (harmless) return absl::OkStatus();
      return Error(fmt::format("parameter [{}] on mapper [{}] of type [{}] is not supported",
                               rule.name, Clip(field_.path), KindName(field_.kind)));
    }
    CURLEW_RETURN_IF_ERROR(Apply(rule.name, value, json));
    if (json.empty() || (json == rule.fallback && !rule.explicit_shown)) return absl::OkStatus();
    node_.params.push_back({std::string(rule.name), std::move(json)});
    return absl::OkStatus();
  }

  // Takes over the value; `json` becomes its canonical form, "" if there is nothing to show.
  absl::Status Apply(std::string_view name, const JsonValue& value, std::string& json) {
    const auto boolean = [&](bool& out) -> absl::Status {
      const std::optional<bool> b = value.AsBool();
      if (!b) return BadValue(name, value, "a boolean");
      out = *b;
      json = *b ? "true" : "false";
      return absl::OkStatus();
    };
    bool kept = false;
    if (name == "index") return boolean(field_.indexed);
    if (name == "store") return boolean(field_.store);
    if (name == "doc_values") return boolean(field_.doc_values);
    if (name == "norms") return boolean(field_.norms);
    if (name == "coerce") return boolean(field_.coerce);
    if (name == "ignore_malformed") return boolean(field_.ignore_malformed);
    if (name == "skip_list" || name == "eager_global_ordinals") return boolean(kept);
    if (name == "null_value") return ReadNullValue(value, json);
    if (name == "meta") return ReadMeta(value);
    if (name == "ignore_above" || name == "position_increment_gap") {
      const std::optional<int64_t> n = value.AsInt();
      const bool gap = name == "position_increment_gap";
      if (!n || *n < (gap ? -1 : 0) || *n > 2147483647) {
        return BadValue(name, value, "a whole number of at least 0");
      }
      if (!gap) field_.ignore_above = static_cast<uint32_t>(*n);
      if (gap && *n >= 0) {
        field_.position_increment_gap = static_cast<int>(*n);
        has_gap_ = true;
      }
      json = fmt::format("{}", *n);
      return absl::OkStatus();
    }
    if (!value.IsString()) return BadValue(name, value, "a string");
    if (name == "format") {
      if (absl::Status s = CheckDateFormat(value.text); !s.ok()) {
        return WithCause(Error(fmt::format("Error parsing [format] on field [{}]: {}",
                                           Clip(field_.path), DescribeError(s).reason)),
                         s);
      }
      if (value.text != "strict_date_optional_time||epoch_millis") field_.format = value.text;
      return absl::OkStatus();
    }
    if (name == "analyzer") {
      analyzer_ = value.text;
    } else if (name == "search_analyzer") {
      search_analyzer_ = value.text;
    } else if (name == "similarity") {
      if (value.text != "BM25") {
        return Error(fmt::format("similarity [{}] on field [{}] is not supported", Clip(value.text),
                                 Clip(field_.path)));
      }
    } else {
      return ReadIndexOptions(value);
    }
    return absl::OkStatus();
  }

  absl::Status ReadIndexOptions(const JsonValue& value) {
    const bool text = field_.kind == FieldKind::kText;
    if (value.text == "docs") {
      field_.index_options = codec::IndexOptions::kDocs;
    } else if (value.text == "freqs") {
      field_.index_options = codec::IndexOptions::kFreqs;
    } else if (text && value.text == "positions") {
      field_.index_options = codec::IndexOptions::kPositions;
    } else if (text && value.text == "offsets") {
      return Error(
          fmt::format("index_options [offsets] on field [{}] is not supported", Clip(field_.path)));
    } else {
      return BadValue("index_options", value, text ? "docs, freqs or positions" : "docs or freqs");
    }
    return absl::OkStatus();
  }

  absl::Status ReadMeta(const JsonValue& value) {
    if (!value.IsObject()) return BadValue("meta", value, "an object");
    if (value.members.size() > 5) return BadValue("meta", value, "an object of at most 5 entries");
    for (const auto& [key, text] : value.members) {
      if (!text.IsString() || text.text.size() > 500 || key.size() > 20) {
        return BadValue("meta", value, "an object of short strings");
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadNullValue(const JsonValue& value, std::string& json) {
    if (value.kind == JsonValue::Kind::kNull) {
      json.clear();
      return absl::OkStatus();
    }
    if (value.IsObject() || value.kind == JsonValue::Kind::kArray) {
      return BadValue("null_value", value, "a scalar");
    }
    const std::string text = value.AsText();
    if (field_.kind == FieldKind::kKeyword) {
      if (text.size() > kMaxTermBytes) return BadValue("null_value", value, "shorter");
      node_.null_text = text;
      node_.has_null_value = true;
      json = JsonString(text);
    } else if (field_.kind == FieldKind::kDate) {
      // Read in Finish, when the format is known.
      null_date_ = text;
      json = JsonString(text);
    } else {
      Scalar scalar{Scalar::Kind::kString, text};
      if (value.kind == JsonValue::Kind::kBool) scalar.kind = Scalar::Kind::kBool;
      if (value.kind == JsonValue::Kind::kInt || value.kind == JsonValue::Kind::kUint) {
        scalar.kind = Scalar::Kind::kInteger;
      }
      if (value.kind == JsonValue::Kind::kDouble) scalar.kind = Scalar::Kind::kFraction;
      MappedField strict = field_;
      strict.coerce = value.IsString();  // numbers must be exact, texts may be numbers
      absl::Status why;
      if (text.empty() || EncodeNumber(strict, scalar, node_.null_number, why) != Encoded::kValue) {
        return WithCause(BadValue("null_value", value, fmt::format("a {}", KindName(field_.kind))),
                         why);
      }
      node_.has_null_value = true;
      json = NumberJson(node_.null_number);
    }
    field_.null_value = json;
    return absl::OkStatus();
  }

  std::string NumberJson(int64_t encoded) const {
    switch (field_.kind) {
      case FieldKind::kBoolean:
        return encoded != 0 ? "true" : "false";
      case FieldKind::kDouble:
        return JavaToString(codec::SortableToDouble(encoded));
      case FieldKind::kFloat:
        return JavaToString(codec::SortableToFloat(static_cast<int32_t>(encoded)));
      default:
        return fmt::format("{}", encoded);
    }
  }

  absl::Status ReadMultiFields(const JsonValue& value) {
    if (value.kind == JsonValue::Kind::kArray && value.items.empty()) return absl::OkStatus();
    if (!value.IsObject()) return BadValue("fields", value, "an object");
    for (const auto& [name, definition] : value.members) {
      if (name.empty() || name.find('.') != std::string::npos) {
        return Error(
            fmt::format("Field name [{}] which is a multi field of [{}] cannot be empty or "
                        "contain '.'",
                        Clip(name), Clip(field_.path)));
      }
      if (!definition.IsObject()) return BadValue("fields", definition, "an object of fields");
      const JsonValue* type = definition.Find("type");
      if (type == nullptr) {
        return Error(fmt::format("no type specified for property [{}] of field [{}]", Clip(name),
                                 Clip(field_.path)));
      }
      if (type->text == "object" || type->text == "nested") {
        return Error(fmt::format("Type [{}] cannot be used in multi field", type->text));
      }
      CURLEW_ASSIGN_OR_RETURN(
          std::shared_ptr<const FieldNode> child,
          ParseField(fmt::format("{}.{}", field_.path, name), name, definition, analyzers_));
      node_.multi.push_back(std::move(child));
    }
    std::sort(node_.multi.begin(), node_.multi.end(),
              [](const auto& a, const auto& b) { return a->name < b->name; });
    return absl::OkStatus();
  }

  absl::StatusOr<const analysis::Analyzer*> FindAnalyzer(const std::string& name) const {
    const analysis::Analyzer* found = analyzers_.Find(name);
    if (found == nullptr && name == "default") found = analyzers_.Find("standard");
    if (found != nullptr) return found;
    return Error(fmt::format("analyzer [{}] has not been configured in mappings (field [{}])",
                             Clip(name), Clip(field_.path)));
  }

  absl::Status Finish() {
    if (field_.kind == FieldKind::kText) {
      CURLEW_ASSIGN_OR_RETURN(field_.analyzer, FindAnalyzer(analyzer_.value_or("default")));
      const std::string search = search_analyzer_.value_or(analyzer_.value_or("default"));
      CURLEW_ASSIGN_OR_RETURN(field_.search_analyzer, FindAnalyzer(search));
      if (search == analyzer_.value_or("default")) {
        std::erase_if(node_.params,
                      [](const FieldParam& p) { return p.name == "search_analyzer"; });
      } else if (analyzer_.value_or("default") == "default") {
        // Shown beside another search analyzer, although it is what is left out otherwise.
        node_.params.insert(node_.params.begin(), {"analyzer", "\"default\""});
      }
      if (has_gap_ && field_.index_options < codec::IndexOptions::kPositions) {
        return Error(
            fmt::format("Cannot set position_increment_gap on field [{}] without positions enabled",
                        Clip(field_.path)));
      }
    }
    if (!field_.indexed) {
      field_.norms = false;
      field_.index_options = codec::IndexOptions::kNone;
    }
    if (null_date_) {
      // One that is no date is kept and has no effect, as in OpenSearch.
      if (auto date = ParseDate(*null_date_, field_.format); date.ok()) {
        node_.null_number = date->first;
        node_.has_null_value = true;
      }
    }
    return absl::OkStatus();
  }

  FieldNode& node_;
  MappedField& field_;
  const analysis::AnalyzerRegistry& analyzers_;
  std::optional<std::string> analyzer_;
  std::optional<std::string> search_analyzer_;
  std::optional<std::string> null_date_;
  bool has_gap_ = false;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const FieldNode>> ParseField(
    std::string_view path, std::string_view name, const JsonValue& definition,
    const analysis::AnalyzerRegistry& analyzers) {
  const JsonValue* type = definition.Find("type");
  const std::string type_name = type == nullptr ? "" : type->AsText();
  auto node = std::make_shared<FieldNode>();
  node->name = std::string(name);
  node->field.path = std::string(path);
  for (const NamedKind& k : kKinds) {
    if (k.name != type_name) continue;
    node->field.kind = k.kind;
    FieldReader reader(*node, analyzers);
    CURLEW_RETURN_IF_ERROR(reader.Read(definition));
    return node;
  }
  for (const std::string_view known : kKindsNotServed) {
    if (known == type_name) {
      return MapperParsing(
          fmt::format("Failed to parse mapping: type [{}] declared on field [{}] "
                      "is not supported",
                      type_name, Clip(path)));
    }
  }
  return MapperParsing(
      fmt::format("Failed to parse mapping: No handler for type [{}] declared on field [{}]",
                  Clip(type_name), Clip(name)));
}

namespace {

std::string_view ValueOf(const FieldNode& node, const ParamRule& rule) {
  for (const FieldParam& p : node.params) {
    if (p.name == rule.name) return p.json;
  }
  return rule.fallback;
}

bool MayChange(const ParamRule& rule, std::string_view from, std::string_view to) {
  if (from == to || rule.updateable) return true;
  return rule.name == "norms" && from == "true" && to == "false";
}

}  // namespace

absl::StatusOr<std::shared_ptr<const FieldNode>> MergeField(
    const std::shared_ptr<const FieldNode>& base, const std::shared_ptr<const FieldNode>& update) {
  if (base->field.kind != update->field.kind) {
    return IllegalArgument(fmt::format("mapper [{}] cannot be changed from type [{}] to [{}]",
                                       Clip(base->field.path), KindName(base->field.kind),
                                       KindName(update->field.kind)));
  }
  std::string conflicts;
  for (const ParamRule& rule : kRules) {
    if ((rule.kinds & Bit(base->field.kind)) == 0) continue;
    const std::string_view from = ValueOf(*base, rule);
    const std::string_view to = ValueOf(*update, rule);
    if (MayChange(rule, from, to)) continue;
    conflicts += fmt::format("\n\tCannot update parameter [{}] from [{}] to [{}]", rule.name,
                             from.empty() ? "null" : Clip(from), to.empty() ? "null" : Clip(to));
  }
  if (!conflicts.empty()) {
    return IllegalArgument(fmt::format("Mapper for [{}] conflicts with existing mapper:{}",
                                       Clip(base->field.path), conflicts));
  }
  bool same = base->params.size() == update->params.size();
  for (size_t i = 0; same && i < base->params.size(); ++i) {
    same = base->params[i].name == update->params[i].name &&
           base->params[i].json == update->params[i].json;
  }
  std::vector<std::shared_ptr<const FieldNode>> multi = base->multi;
  for (const auto& child : update->multi) {
    const auto at = std::find_if(multi.begin(), multi.end(),
                                 [&](const auto& m) { return m->name == child->name; });
    if (at == multi.end()) {
      multi.push_back(child);
      same = false;
      continue;
    }
    CURLEW_ASSIGN_OR_RETURN(std::shared_ptr<const FieldNode> merged, MergeField(*at, child));
    same = same && merged == *at;
    *at = std::move(merged);
  }
  if (same) return base;
  auto merged = std::make_shared<FieldNode>(*update);
  std::sort(multi.begin(), multi.end(),
            [](const auto& a, const auto& b) { return a->name < b->name; });
  merged->multi = std::move(multi);
  return merged;
}

void AppendFieldJson(const FieldNode& node, std::string& out) {
  out += "{\"type\":";
  AppendJsonString(KindName(node.field.kind), out);
  for (const FieldParam& p : node.params) {
    out.push_back(',');
    AppendJsonString(p.name, out);
    out.push_back(':');
    out += p.json;
  }
  if (!node.multi.empty()) {
    char separator = '{';
    out += ",\"fields\":";
    for (const auto& child : node.multi) {
      out.push_back(separator);
      AppendJsonString(child->name, out);
      out.push_back(':');
      AppendFieldJson(*child, out);
      separator = ',';
    }
    out.push_back('}');
  }
  out.push_back('}');
}

}  // namespace curlew::mapping
