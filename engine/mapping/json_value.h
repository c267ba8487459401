// A small JSON tree: mappings are read into it, checked and printed from it.
#ifndef CURLEW_ENGINE_MAPPING_JSON_VALUE_H_
#define CURLEW_ENGINE_MAPPING_JSON_VALUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace curlew::mapping {

// A value; owns everything below it. Plain data: one thread at a time while it is changed. Numbers
// keep their value, not their spelling.
struct JsonValue {
  enum class Kind : uint8_t { kNull, kBool, kInt, kUint, kDouble, kString, kArray, kObject };

  // Declared, because clang looks for them while the type of `members` is not complete yet.
  JsonValue();
  JsonValue(const JsonValue&);
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(const JsonValue&);
  JsonValue& operator=(JsonValue&&) noexcept;
  ~JsonValue();

  Kind kind = Kind::kNull;
  bool boolean = false;
  int64_t integer = 0;
  uint64_t unsigned_integer = 0;
  double number = 0;
  std::string text;
  std::vector<JsonValue> items;
  std::vector<std::pair<std::string, JsonValue>> members;  // in the order of the text

  bool IsObject() const { return kind == Kind::kObject; }
  bool IsString() const { return kind == Kind::kString; }
  bool IsNumber() const {
    return kind == Kind::kInt || kind == Kind::kUint || kind == Kind::kDouble;
  }
  const JsonValue* Find(std::string_view name) const;

  // true, false, "true", "false"; nullopt for anything else.
  std::optional<bool> AsBool() const;
  // A whole number, also as text.
  std::optional<int64_t> AsInt() const;
  // A scalar as Java's toString gives it; "" for objects, arrays and null.
  std::string AsText() const;
  // How it reads in an error message.
  std::string Describe() const;

  void AppendJson(std::string& out) const;
};

// Strict JSON without duplicate keys. Errors are of type parse_exception.
absl::StatusOr<JsonValue> ParseJsonValue(std::string_view json);

// `text` as a JSON string with its quotes.
void AppendJsonString(std::string_view text, std::string& out);
std::string JsonString(std::string_view text);

}  // namespace curlew::mapping

#endif  // CURLEW_ENGINE_MAPPING_JSON_VALUE_H_
