#include "engine/search/query/minimum_should_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "engine/util/error.h"

namespace curlew::search {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

absl::StatusOr<int> ParseInt(std::string_view text, std::string_view spec) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return IllegalArgument(fmt::format("[minimum_should_match] cannot be read: [{}]", Clip(spec)));
  }
  return value;
}

int Clamp(int64_t value) {
  return static_cast<int>(std::clamp<int64_t>(value, 0, std::numeric_limits<int>::max()));
}

// A number or a percentage.
absl::StatusOr<int> Simple(int clauses, std::string_view text, std::string_view spec) {
  if (!text.empty() && text.back() == '%') {
    text.remove_suffix(1);
    CURLEW_ASSIGN_OR_RETURN(const int percent, ParseInt(text, spec));
    // In float, as OpenSearch rounds: 29 % of 100 are 28 there only if they are here.
    const float part = static_cast<float>(static_cast<int64_t>(clauses) * percent) * (1 / 100.0f);
    return Clamp(part < 0 ? clauses + static_cast<int64_t>(part) : static_cast<int64_t>(part));
  }
  CURLEW_ASSIGN_OR_RETURN(const int number, ParseInt(text, spec));
  return Clamp(number < 0 ? int64_t{clauses} + number : number);
}

}  // namespace

absl::StatusOr<int> MinimumShouldMatch(int clauses, std::string_view spec) {
  std::string_view rest = Trim(spec);
  if (rest.find('<') == std::string_view::npos) return Simple(clauses, rest, spec);
  int result = clauses;
  while (!rest.empty()) {
    const size_t sign = rest.find('<');
    if (sign == std::string_view::npos) return ParseInt("", spec);
    CURLEW_ASSIGN_OR_RETURN(const int bound, ParseInt(Trim(rest.substr(0, sign)), spec));
    if (clauses <= bound) return result;
    rest = Trim(rest.substr(sign + 1));
    const size_t end = std::find_if(rest.begin(), rest.end(), IsBlank) - rest.begin();
    CURLEW_ASSIGN_OR_RETURN(result, Simple(clauses, rest.substr(0, end), spec));
    rest = Trim(rest.substr(end));
  }
  return result;
}

}  // namespace curlew::search
