#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

#include "engine/catalog/index_settings.h"
#include "engine/util/error.h"

namespace curlew::catalog {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

absl::StatusOr<std::chrono::nanoseconds> ParseTimeValue(std::string_view text,
                                                        std::string_view setting) {
  struct Unit {
    std::string_view suffix;
    int64_t nanos;
  };
  // Longer suffixes first: "ms" is not minutes.
  static constexpr std::array<Unit, 7> kUnits = {{{"nanos", 1},
                                                  {"micros", 1'000},
                                                  {"ms", 1'000'000},
                                                  {"s", 1'000'000'000},
                                                  {"m", 60'000'000'000},
                                                  {"h", 3'600'000'000'000},
                                                  {"d", 86'400'000'000'000}}};
  const std::string_view trimmed = Trim(text);
  std::string lower(trimmed);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (lower == "-1") return std::chrono::milliseconds(-1);
  if (!lower.empty() && lower.find_first_not_of('0') == std::string::npos) {
    return std::chrono::nanoseconds(0);
  }
  for (const Unit& unit : kUnits) {
    if (!lower.ends_with(unit.suffix)) continue;
    // Minutes alone have to be in lower case: M could be months.
    if (unit.suffix == "m" && trimmed.back() == 'M') break;
    const std::string_view digits =
        Trim(std::string_view(lower).substr(0, lower.size() - unit.suffix.size()));
    int64_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    int64_t nanos = 0;
    if (error != std::errc() || end != digits.data() + digits.size() || count < -1 ||
        __builtin_mul_overflow(count, unit.nanos, &nanos)) {
      return IllegalArgument(fmt::format(
          "failed to parse setting [{}] with value [{}] as a time value", setting, Clip(text)));
    }
    return std::chrono::nanoseconds(nanos);
  }
  return IllegalArgument(fmt::format(
      "failed to parse setting [{}] with value [{}] as a time value: unit is missing or "
      "unrecognized",
      setting, Clip(text)));
}

}  // namespace curlew::catalog
