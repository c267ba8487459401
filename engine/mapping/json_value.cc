#include "engine/mapping/json_value.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "engine/mapping/java_numbers.h"
#include "engine/util/error.h"
#include "engine/util/json_error.h"

namespace curlew::mapping {

JsonValue::JsonValue() = default;
JsonValue::JsonValue(const JsonValue&) = default;
JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue&) = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;
JsonValue::~JsonValue() = default;

const JsonValue* JsonValue::Find(std::string_view name) const {
  for (const auto& [key, value] : members) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::optional<bool> JsonValue::AsBool() const {
  if (kind == Kind::kBool) return boolean;
  if (kind == Kind::kString && text == "true") return true;
  if (kind == Kind::kString && text == "false") return false;
  return std::nullopt;
}

std::optional<int64_t> JsonValue::AsInt() const {
  if (kind == Kind::kInt) return integer;
  if (kind == Kind::kString) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && error == std::errc() && end == text.data() + text.size()) return value;
  }
  return std::nullopt;
}

std::string JsonValue::AsText() const {
  switch (kind) {
    case Kind::kBool:
      return boolean ? "true" : "false";
    case Kind::kInt:
      return fmt::format("{}", integer);
    case Kind::kUint:
      return fmt::format("{}", unsigned_integer);
    case Kind::kDouble:
      return JavaToString(number);
    case Kind::kString:
      return text;
    default:
      return "";
  }
}

std::string JsonValue::Describe() const {
  if (IsString()) return Clip(text);
  std::string json;
  AppendJson(json);
  return Clip(json);
}

void JsonValue::AppendJson(std::string& out) const {
  switch (kind) {
    case Kind::kNull:
      out += "null";
      return;
    case Kind::kString:
      AppendJsonString(text, out);
      return;
    case Kind::kArray: {
      char separator = '[';
      for (const JsonValue& item : items) {
        out.push_back(separator);
        item.AppendJson(out);
        separator = ',';
      }
      if (items.empty()) out.push_back('[');
      out.push_back(']');
      return;
    }
    case Kind::kObject: {
      char separator = '{';
      for (const auto& [key, value] : members) {
        out.push_back(separator);
        AppendJsonString(key, out);
        out.push_back(':');
        value.AppendJson(out);
        separator = ',';
      }
      if (members.empty()) out.push_back('{');
      out.push_back('}');
      return;
    }
    default:
      out += AsText();
  }
}

void AppendJsonString(std::string_view text, std::string& out) {
  out.push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out.push_back(c);
        }
    }
  }
  out.push_back('"');
}

std::string JsonString(std::string_view text) {
  std::string out;
  AppendJsonString(text, out);
  return out;
}

namespace {

absl::Status ParseError(std::string reason) {
  return MakeError("parse_exception", 400, std::move(reason));
}

// simdjson lets an escaped half of a surrogate pair through.
absl::Status CheckText(std::string_view text) {
  if (simdjson::validate_utf8(text.data(), text.size())) return absl::OkStatus();
  return ParseError("not valid JSON: a surrogate without its partner");
}

absl::Status Convert(simdjson::dom::element from, JsonValue& to) {
  using simdjson::dom::element_type;
  using Kind = JsonValue::Kind;
  switch (from.type()) {
    case element_type::NULL_VALUE:
      to.kind = Kind::kNull;
      break;
    case element_type::BOOL:
      to.kind = Kind::kBool;
      to.boolean = bool(from);
      break;
    case element_type::INT64:
      to.kind = Kind::kInt;
      to.integer = int64_t(from);
      break;
    case element_type::UINT64:
      to.kind = Kind::kUint;
      to.unsigned_integer = uint64_t(from);
      break;
    case element_type::DOUBLE:
      to.kind = Kind::kDouble;
      to.number = double(from);
      break;
    case element_type::STRING:
      to.kind = Kind::kString;
      to.text = std::string(std::string_view(from));
      CURLEW_RETURN_IF_ERROR(CheckText(to.text));
      break;
    case element_type::ARRAY:
      to.kind = Kind::kArray;
      for (const simdjson::dom::element item : simdjson::dom::array(from)) {
        CURLEW_RETURN_IF_ERROR(Convert(item, to.items.emplace_back()));
      }
      break;
    case element_type::OBJECT: {
      to.kind = Kind::kObject;
      std::vector<std::string_view> keys;
      for (const auto& [key, value] : simdjson::dom::object(from)) {
        keys.push_back(key);
        CURLEW_RETURN_IF_ERROR(CheckText(key));
        CURLEW_RETURN_IF_ERROR(
            Convert(value, to.members.emplace_back(std::string(key), JsonValue()).second));
      }
      std::sort(keys.begin(), keys.end());
      if (const auto twice = std::adjacent_find(keys.begin(), keys.end()); twice != keys.end()) {
        return ParseError(fmt::format("Duplicate field '{}'", Clip(*twice)));
      }
      break;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<JsonValue> ParseJsonValue(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto error = parser.parse(json.data(), json.size()).get(root)) {
    return ParseError(fmt::format("not valid JSON: {}", DescribeJsonError(error, json)));
  }
  JsonValue value;
  CURLEW_RETURN_IF_ERROR(Convert(root, value));
  return value;
}

}  // namespace curlew::mapping
