#include "config/setting.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "engine/util/error.h"

namespace curlew::config {
namespace {

struct Unit {
  std::string_view suffix;
  int64_t factor;
};

constexpr Unit kByteUnits[] = {
    {"kb", 1ll << 10}, {"mb", 1ll << 20}, {"gb", 1ll << 30}, {"tb", 1ll << 40}, {"k", 1ll << 10},
    {"m", 1ll << 20},  {"g", 1ll << 30},  {"t", 1ll << 40},  {"b", 1},
};
constexpr Unit kTimeUnits[] = {
    {"ms", 1}, {"s", 1000}, {"m", 60 * 1000}, {"h", 3600 * 1000}, {"d", 24 * 3600 * 1000},
};

absl::Status Refuse(const Setting& setting, std::string_view text, std::string_view allowed) {
  return IllegalArgument(
      fmt::format("setting [{}] cannot be [{}]: {}", setting.key, Clip(text), allowed));
}

bool ParseInteger(std::string_view text, int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// `number` + unit; a number alone counts `bare` each, and is refused when `bare` is 0 (unless it is
// 0 itself).
bool ParseWithUnit(std::string_view text, std::span<const Unit> units, int64_t bare,
                   int64_t& value) {
  std::string lower(text);
  for (char& c : lower) c = Lower(c);
  std::string_view digits = lower;
  int64_t factor = bare;
  for (const Unit& unit : units) {
    if (digits.ends_with(unit.suffix)) {
      digits.remove_suffix(unit.suffix.size());
      factor = unit.factor;
      break;
    }
  }
  int64_t number = 0;
  if (!ParseInteger(digits, number)) return false;
  if (factor == 0) {
    value = 0;
    return number == 0;
  }
  return !__builtin_mul_overflow(number, factor, &value);
}

absl::StatusOr<int64_t> InBounds(const Setting& setting, std::string_view text, int64_t value,
                                 std::string_view unit) {
  if (value < setting.least) {
    return Refuse(setting, text, fmt::format("it must be at least {}{}", setting.least, unit));
  }
  if (value > setting.most) {
    return Refuse(setting, text, fmt::format("it must be at most {}{}", setting.most, unit));
  }
  return value;
}

bool IsChoice(std::string_view choices, std::string_view text) {
  while (true) {
    const size_t bar = choices.find('|');
    if (choices.substr(0, bar) == text) return true;
    if (bar == std::string_view::npos) return false;
    choices.remove_prefix(bar + 1);
  }
}

}  // namespace

absl::StatusOr<int64_t> ParseValue(const Setting& setting, std::string_view text) {
  int64_t value = 0;
  switch (setting.type) {
    case Type::kString:
      if (text.find('\0') != std::string_view::npos) {
        return Refuse(setting, text, "it must not contain a zero byte");
      }
      return 0;
    case Type::kBool:
      if (text == "true") return 1;
      if (text == "false") return 0;
      return Refuse(setting, text, "it must be true or false");
    case Type::kInteger:
      if (!ParseInteger(text, value)) return Refuse(setting, text, "it must be a whole number");
      return InBounds(setting, text, value, "");
    case Type::kBytes:
      if (!ParseWithUnit(text, kByteUnits, 1, value)) {
        return Refuse(setting, text, "it must be a size such as 512kb, 10mb or 2gb");
      }
      return InBounds(setting, text, value, "b");
    case Type::kTime:
      if (!ParseWithUnit(text, kTimeUnits, 0, value)) {
        return Refuse(setting, text, "it must be a time such as 500ms, 30s, 5m or 1h");
      }
      return InBounds(setting, text, value, "ms");
    case Type::kChoice:
      if (IsChoice(setting.choices, text)) return 0;
      return Refuse(setting, text, fmt::format("it must be one of {}", setting.choices));
  }
  return 0;
}

std::string_view TypeName(Type type) {
  switch (type) {
    case Type::kString:
      return "string";
    case Type::kBool:
      return "bool";
    case Type::kInteger:
      return "integer";
    case Type::kBytes:
      return "bytes";
    case Type::kTime:
      return "time";
    case Type::kChoice:
      return "choice";
  }
  return "";
}

std::string_view OriginName(Origin origin) {
  switch (origin) {
    case Origin::kDefault:
      return "default";
    case Origin::kFile:
      return "file";
    case Origin::kEnvironment:
      return "env";
    case Origin::kFlag:
      return "flag";
  }
  return "";
}

}  // namespace curlew::config
