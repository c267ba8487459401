#include "engine/mapping/zones.h"

#include <unicode/timezone.h>
#include <unicode/unistr.h>

#include <array>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "engine/util/error.h"

namespace curlew::mapping {

struct Zone::Rules {
  std::unique_ptr<icu::TimeZone> zone;
};

namespace {

// Names that ICU keeps from the early days of Java and that java.time refuses.
constexpr std::array<std::string_view, 28> kRefused = {
    "ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST",
    "CTT", "EAT", "ECT", "EST", "HST", "IET", "IST", "JST", "MIT", "MST",
    "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST"};

std::optional<int> TwoDigits(std::string_view s) {
  if (s.size() != 2 || s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9') return std::nullopt;
  return (s[0] - '0') * 10 + (s[1] - '0');
}

// "+h", "+hh", "+hh:mm", "+hhmm", "+hh:mm:ss", "+hhmmss" in milliseconds.
std::optional<int64_t> ParseOffset(std::string_view s) {
  if (s.size() < 2 || (s[0] != '+' && s[0] != '-')) return std::nullopt;
  const bool negative = s[0] == '-';
  s.remove_prefix(1);
  std::string digits;
  if (s.size() == 1) {
    digits = "0";
    digits.append(s);
  } else {
    const bool colons = s.size() > 2 && s[2] == ':';
    for (size_t i = 0; i < s.size(); ++i) {
      if (colons && i % 3 == 2) {
        if (s[i] != ':') return std::nullopt;
      } else {
        digits.push_back(s[i]);
      }
    }
    if (colons && s.size() % 3 != 2) return std::nullopt;
  }
  if (digits.size() != 2 && digits.size() != 4 && digits.size() != 6) return std::nullopt;
  int64_t parts[3] = {0, 0, 0};
  for (size_t i = 0; i < digits.size() / 2; ++i) {
    const std::optional<int> part = TwoDigits(std::string_view(digits).substr(i * 2, 2));
    if (!part) return std::nullopt;
    parts[i] = *part;
  }
  const int64_t seconds = parts[0] * 3600 + parts[1] * 60 + parts[2];
  if (parts[1] > 59 || parts[2] > 59 || seconds > 18 * 3600) return std::nullopt;
  return (negative ? -seconds : seconds) * 1000;
}

}  // namespace

absl::StatusOr<Zone> Zone::Find(std::string_view name) {
  Zone zone;
  if (name.empty() || name == "Z" || name == "UTC" || name == "GMT" || name == "UT") return zone;
  std::string_view offset = name;
  for (const std::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (name.starts_with(prefix) && name.size() > prefix.size() &&
        (name[prefix.size()] == '+' || name[prefix.size()] == '-')) {
      offset = name.substr(prefix.size());
      break;
    }
  }
  if (const std::optional<int64_t> fixed = ParseOffset(offset)) {
    zone.fixed_ = *fixed;
    return zone;
  }
  bool refused = false;
  for (const std::string_view r : kRefused) refused |= r == name;
  // ICU reads other spellings of offsets ("GMT5") and any case; names have letters, / _ - + digits.
  if (!refused && offset == name && name.size() < 64) {
    const auto id = icu::UnicodeString::fromUTF8(
        icu::StringPiece(name.data(), static_cast<int32_t>(name.size())));
    UErrorCode error = U_ZERO_ERROR;
    icu::UnicodeString canonical;
    UBool is_system = false;
    icu::TimeZone::getCanonicalID(id, canonical, is_system, error);
    if (U_SUCCESS(error) && is_system) {
      auto rules = std::make_shared<Rules>();
      rules->zone.reset(icu::TimeZone::createTimeZone(id));
      if (rules->zone != nullptr && *rules->zone != icu::TimeZone::getUnknown()) {
        zone.rules_ = std::move(rules);
        return zone;
      }
    }
  }
  return IllegalArgument(fmt::format("Unknown time-zone ID: {}", Clip(name)));
}

int64_t Zone::OffsetAt(int64_t utc_millis) const {
  if (rules_ == nullptr) return fixed_;
  int32_t raw = 0, dst = 0;
  UErrorCode error = U_ZERO_ERROR;
  rules_->zone->getOffset(static_cast<UDate>(utc_millis), false, raw, dst, error);
  return U_SUCCESS(error) ? int64_t{raw} + dst : 0;
}

int64_t Zone::ToUtc(int64_t local_millis) const {
  if (rules_ == nullptr) return local_millis - fixed_;
  // The offsets in force a day before and a day after: transitions are further apart than that.
  constexpr int64_t kDay = 86'400'000;
  const int64_t before = OffsetAt(local_millis - kDay);
  const int64_t early = local_millis - before;
  if (OffsetAt(early) == before) return early;
  const int64_t after = OffsetAt(local_millis + kDay);
  const int64_t late = local_millis - after;
  if (OffsetAt(late) == after) return late;
  return early;
}

}  // namespace curlew::mapping
