#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <string>

#include "engine/catalog/index_settings.h"
#include "engine/util/error.h"

namespace curlew::catalog {

absl::StatusOr<uint64_t> ParseByteSize(std::string_view text, std::string_view setting) {
  struct Unit {
    std::string_view suffix;
    int64_t bytes;
  };
  // "kb" before "b".
  static constexpr std::array<Unit, 11> kUnits = {{{"k", 1ll << 10},
                                                   {"kb", 1ll << 10},
                                                   {"m", 1ll << 20},
                                                   {"mb", 1ll << 20},
                                                   {"g", 1ll << 30},
                                                   {"gb", 1ll << 30},
                                                   {"t", 1ll << 40},
                                                   {"tb", 1ll << 40},
                                                   {"p", 1ll << 50},
                                                   {"pb", 1ll << 50},
                                                   {"b", 1}}};
  const auto trim = [](std::string& t) {
    t.erase(0, t.find_first_not_of(' '));
    t.erase(t.find_last_not_of(' ') + 1);
  };
  const auto refuse = [&](std::string_view why) {
    return MakeError(
        "parse_exception", 400,
        fmt::format("failed to parse setting [{}] with value [{}] as a size in bytes{}", setting,
                    Clip(text), why));
  };
  std::string digits(text);
  std::transform(digits.begin(), digits.end(), digits.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  trim(digits);
  const auto* const unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& candidate) {
    return digits.ends_with(candidate.suffix);
  });
  int64_t factor = 1;  // 0 and -1 need no unit
  if (unit != kUnits.end()) {
    factor = unit->bytes;
    digits.resize(digits.size() - unit->suffix.size());
    trim(digits);
  } else if (digits != "0" && digits != "-1") {
    return refuse(": unit is missing or unrecognized");
  }
  int64_t count = 0;
  int64_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size() ||
      __builtin_mul_overflow(count, factor, &bytes)) {
    return refuse("");
  }
  if (bytes < 0) {
    return IllegalArgument(fmt::format(
        "failed to parse value [{}] for setting [{}], must be >= [0]", Clip(text), setting));
  }
  return static_cast<uint64_t>(bytes);
}

}  // namespace curlew::catalog
