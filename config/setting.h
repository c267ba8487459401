// What one setting is: key, type, default, bounds and meaning. The whole list is setting_table.cc.
#ifndef CURLEW_CONFIG_SETTING_H_
#define CURLEW_CONFIG_SETTING_H_

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace curlew::config {

enum class Type : uint8_t {
  kString,
  kBool,
  kInteger,
  kBytes,  // "10mb"; a number alone is bytes; units are powers of 1,024
  kTime,   // "30s", "500ms"; a number alone only if it is 0; counted in milliseconds
  kChoice,
};

// Where a value comes from; a later one wins over an earlier one.
enum class Origin : uint8_t { kDefault, kFile, kEnvironment, kFlag };

struct Setting {
  std::string_view key;
  Type type;
  std::string_view default_text;
  std::string_view doc;  // one line
  // Bounds of numbers, in the type's unit (bytes, milliseconds).
  int64_t least = 0;
  int64_t most = std::numeric_limits<int64_t>::max();
  // Of kChoice, separated by '|'.
  std::string_view choices = {};
};

std::span<const Setting> AllSettings();

// The text as a number: 0 or 1 for booleans, bytes, milliseconds; 0 for strings and choices. An
// illegal_argument_exception names key, value and what is allowed.
absl::StatusOr<int64_t> ParseValue(const Setting& setting, std::string_view text);

std::string_view TypeName(Type type);
std::string_view OriginName(Origin origin);

}  // namespace curlew::config

#endif  // CURLEW_CONFIG_SETTING_H_
