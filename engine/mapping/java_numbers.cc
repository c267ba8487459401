#include "engine/mapping/java_numbers.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

namespace curlew::mapping {

namespace {

std::string_view TrimBlanks(std::string_view s) {
  while (!s.empty() && static_cast<unsigned char>(s.front()) <= ' ') s.remove_prefix(1);
  while (!s.empty() && static_cast<unsigned char>(s.back()) <= ' ') s.remove_suffix(1);
  return s;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

template <typename T>
std::optional<T> FromChars(std::string_view digits, std::chars_format format) {
  T value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, format);
  if (end != digits.data() + digits.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // from_chars does not say on which side; strtod does.
    std::string copy(format == std::chars_format::hex ? "0x" : "");
    copy.append(digits);
    if constexpr (sizeof(T) == 4) {
      return std::strtof(copy.c_str(), nullptr);
    } else {
      return std::strtod(copy.c_str(), nullptr);
    }
  }
  if (error != std::errc()) return std::nullopt;
  return value;
}

// Whether `s` is digits with at most one point and at least one digit, and an exponent of digits
// behind `exponent` (required for hexadecimal numbers).
bool IsNumberShape(std::string_view s, bool hex) {
  const auto is_digit = [hex](char c) {
    return IsDigit(c) || (hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
  };
  size_t i = 0, digits = 0;
  while (i < s.size() && is_digit(s[i])) ++i, ++digits;
  if (i < s.size() && s[i] == '.') {
    ++i;
    while (i < s.size() && is_digit(s[i])) ++i, ++digits;
  }
  if (digits == 0) return false;
  const char exponent = hex ? 'p' : 'e';
  if (i < s.size() && (s[i] | 0x20) == exponent) {
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    const size_t start = i;
    while (i < s.size() && IsDigit(s[i])) ++i;
    if (i == start) return false;
  } else if (hex) {
    return false;
  }
  return i == s.size();
}

template <typename T>
std::optional<T> ParseJava(std::string_view text) {
  std::string_view s = TrimBlanks(text);
  bool negative = false;
  if (!s.empty() && (s.front() == '+' || s.front() == '-')) {
    negative = s.front() == '-';
    s.remove_prefix(1);
  }
  std::optional<T> value;
  if (s == "NaN") {
    value = std::numeric_limits<T>::quiet_NaN();
  } else if (s == "Infinity") {
    value = std::numeric_limits<T>::infinity();
  } else {
    if (!s.empty() && (s.back() == 'd' || s.back() == 'D' || s.back() == 'f' || s.back() == 'F')) {
      const std::string_view cut = s.substr(0, s.size() - 1);
      if (!cut.starts_with("0x") && !cut.starts_with("0X")) {
        s = cut;
      } else if (cut.find_first_of("pP") != std::string_view::npos) {
        s = cut;
      }
    }
    if (s.starts_with("0x") || s.starts_with("0X")) {
      s.remove_prefix(2);
      if (IsNumberShape(s, true)) value = FromChars<T>(s, std::chars_format::hex);
    } else if (IsNumberShape(s, false)) {
      value = FromChars<T>(s, std::chars_format::general);
    }
  }
  if (value && negative) value = -*value;
  return value;
}

// Brings the digits of other scripts to ASCII; nullopt if something else is not ASCII.
std::optional<std::string> AsciiDigits(std::string_view s) {
  std::string out;
  out.reserve(s.size());
  for (int32_t i = 0; i < static_cast<int32_t>(s.size());) {
    UChar32 c = 0;
    U8_NEXT(s.data(), i, static_cast<int32_t>(s.size()), c);
    if (c < 0) return std::nullopt;
    if (c < 0x80) {
      out.push_back(static_cast<char>(c));
    } else if (const int digit = u_charDigitValue(c);
               digit >= 0 && u_charType(c) == U_DECIMAL_DIGIT_NUMBER) {
      out.push_back(static_cast<char>('0' + digit));
    } else {
      return std::nullopt;
    }
  }
  return out;
}

bool IsAscii(std::string_view s) {
  for (const char c : s) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

WholeResult ParseAsciiDecimal(std::string_view s, int64_t& out) {
  bool negative = false;
  if (!s.empty() && (s.front() == '+' || s.front() == '-')) {
    negative = s.front() == '-';
    s.remove_prefix(1);
  }
  if (!IsNumberShape(s, false)) return WholeResult::kNotANumber;
  const size_t exponent_at = s.find_first_of("eE");
  const std::string_view mantissa = s.substr(0, exponent_at);
  int64_t exponent = 0;
  if (exponent_at != std::string_view::npos) {
    std::string_view e = s.substr(exponent_at + 1);
    const bool minus = e.front() == '-';
    if (e.front() == '+' || minus) e.remove_prefix(1);
    for (const char c : e) {
      if (exponent < 1'000'000'000) exponent = exponent * 10 + (c - '0');
    }
    if (minus) exponent = -exponent;
  }
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  // Digits whose place value is at least one, given the exponent.
  int64_t whole_digits = static_cast<int64_t>(point) + exponent;
  uint64_t value = 0;
  bool fraction = false, too_large = false;
  const uint64_t limit = negative ? uint64_t{1} << 63 : (uint64_t{1} << 63) - 1;
  for (size_t i = 0; i < mantissa.size(); ++i) {
    if (mantissa[i] == '.') continue;
    const uint64_t digit = static_cast<uint64_t>(mantissa[i] - '0');
    if (whole_digits-- > 0) {
      if (value > (limit - digit) / 10) {
        too_large = true;
      } else {
        value = value * 10 + digit;
      }
    } else if (digit != 0) {
      fraction = true;
    }
  }
  for (; whole_digits > 0 && value != 0 && !too_large; --whole_digits) {
    too_large = value > limit / 10;
    if (!too_large) value *= 10;
  }
  if (too_large) return WholeResult::kOutOfRange;
  out = static_cast<int64_t>(negative ? uint64_t{0} - value : value);
  return fraction ? WholeResult::kHasFraction : WholeResult::kOk;
}

template <typename T>
std::string ToStringImpl(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
  char buffer[40];
  char* end =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific).ptr;
  if (const size_t sign = value < 0; buffer[sign + 1] == 'e') {
    // Java prints two digits at least, and of the numbers of two digits the closest.
    char two[40];
    char* two_end =
        std::to_chars(two, two + sizeof(two), value, std::chars_format::scientific, 1).ptr;
    T back = 0;
    const auto read = std::from_chars(two, two_end, back);
    if (read.ec == std::errc() && back == value) end = std::copy(two, two_end, buffer);
  }
  // d[.ddd]e[+-]dd
  std::string_view s(buffer, static_cast<size_t>(end - buffer));
  std::string out;
  if (s.front() == '-') {
    out.push_back('-');
    s.remove_prefix(1);
  }
  const size_t e = s.find('e');
  int exponent = 0;
  const char* from = s.data() + e + 1;
  if (*from == '+') ++from;
  std::from_chars(from, static_cast<const char*>(end), exponent);
  std::string digits(1, s[0]);
  if (e > 2 && s.substr(2, e - 2) != "0") digits.append(s.substr(2, e - 2));
  if (exponent < -3 || exponent >= 7) {
    out.push_back(digits[0]);
    out.push_back('.');
    out.append(digits.size() > 1 ? std::string_view(digits).substr(1) : std::string_view("0"));
    return out + fmt::format("E{}", exponent);
  }
  if (exponent < 0) {
    out.append("0.");
    out.append(static_cast<size_t>(-exponent - 1), '0');
    return out + digits;
  }
  const size_t whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) {
    digits.append(whole - digits.size(), '0');
    return out + digits + ".0";
  }
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace

std::optional<double> ParseJavaDouble(std::string_view text) { return ParseJava<double>(text); }
std::optional<float> ParseJavaFloat(std::string_view text) { return ParseJava<float>(text); }

WholeResult ParseDecimalToLong(std::string_view text, int64_t& out) {
  if (IsAscii(text)) return ParseAsciiDecimal(text, out);
  const std::optional<std::string> ascii = AsciiDigits(text);
  return ascii ? ParseAsciiDecimal(*ascii, out) : WholeResult::kNotANumber;
}

std::string JavaToString(double value) { return ToStringImpl(value); }
std::string JavaToString(float value) { return ToStringImpl(value); }

}  // namespace curlew::mapping
