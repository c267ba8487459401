#include "engine/mapping/date_parts.h"

#include <charconv>

#include <fmt/format.h>

#include "engine/mapping/calendar.h"

namespace curlew::mapping {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Cursor {
 public:
  explicit Cursor(std::string_view text) : p_(text.data()), end_(text.data() + text.size()) {}

  bool AtEnd() const { return p_ == end_; }
  bool Take(char c) {
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }
  size_t DigitsAhead() const {
    const char* q = p_;
    while (q != end_ && IsDigit(*q)) ++q;
    return static_cast<size_t>(q - p_);
  }
  // Between `least` and `most` digits, as many as there are; false if there are fewer.
  template <typename T>
  bool Number(size_t least, size_t most, T& out) {
    size_t n = 0;
    T value = 0;
    while (n < most && p_ != end_ && IsDigit(*p_)) {
      value = value * 10 + (*p_ - '0');
      ++p_;
      ++n;
    }
    out = value;
    return n >= least;
  }
  // Up to nine digits behind a decimal point, cut to milliseconds.
  bool Fraction(int& millis) {
    const size_t n = DigitsAhead();
    if (n < 1 || n > 9) return false;
    millis = 0;
    for (size_t i = 0; i < n; ++i, ++p_) {
      if (i < 3) millis = millis * 10 + (*p_ - '0');
    }
    for (size_t i = n; i < 3; ++i) millis *= 10;
    return true;
  }
  std::string_view Rest() {
    const std::string_view rest(p_, static_cast<size_t>(end_ - p_));
    p_ = end_;
    return rest;
  }
  std::string_view Ahead() const { return {p_, static_cast<size_t>(end_ - p_)}; }
  void Skip(size_t n) { p_ += n; }

 private:
  const char* p_;
  const char* end_;
};

bool IsoYear(Cursor& in, bool strict, DateParts& out) {
  const bool plus = in.Take('+');
  const bool minus = !plus && in.Take('-');
  const size_t digits = in.DigitsAhead();
  if (strict) {
    if (digits < 4 || digits > 9) return false;
    // A sign is for what does not fit into four digits, and has to be there then.
    if (plus ? digits == 4 : (!minus && digits > 4)) return false;
  } else if (plus || digits < 1 || digits > 5) {
    return false;
  }
  in.Number(1, digits, out.year);
  if (minus) out.year = -out.year;
  out.has_year = true;
  return true;
}

// Length of the offset ("Z", "+02:00", "+0200", "+02", "+02:00:30") at the front of `s`; 0 = none.
size_t OffsetLength(std::string_view s) {
  if (s.empty()) return 0;
  if (s[0] == 'Z') return 1;
  if (s[0] != '+' && s[0] != '-') return 0;
  size_t n = 1;
  while (n < s.size() && n < 9 && (IsDigit(s[n]) || s[n] == ':')) ++n;
  return n;
}

}  // namespace

bool ParseIsoDate(std::string_view text, bool strict, IsoShape shape, DateParts& out) {
  const size_t least = strict ? 2 : 1;
  const bool exact = shape != IsoShape::kOptionalTime;
  Cursor in(text);
  if (!IsoYear(in, strict, out)) return false;
  if (in.Take('-')) {
    if (!in.Number(least, 2, out.month)) return false;
    if (in.Take('-') && !in.Number(least, 2, out.day)) return false;
  }
  if (exact && out.day < 0) return false;
  if (in.AtEnd()) return shape == IsoShape::kOptionalTime || shape == IsoShape::kDate;
  if (shape == IsoShape::kDate || !in.Take('T')) return false;
  if (in.AtEnd()) return !exact;
  if (!in.Number(least, 2, out.hour)) return false;
  if (in.Take(':')) {
    if (!in.Number(least, 2, out.minute)) return false;
    if (in.Take(':')) {
      if (!in.Number(least, 2, out.second)) return false;
      if (shape != IsoShape::kDateTimeNoFraction && (in.Take('.') || in.Take(','))) {
        if (!in.Fraction(out.millis)) return false;
      }
    }
  }
  out.zone = in.Rest();
  if (exact) {
    return out.second >= 0 && !out.zone.empty() &&
           (shape == IsoShape::kDateTimeNoFraction || out.millis >= 0);
  }
  return true;
}

bool ParseEpoch(std::string_view text, int64_t unit_millis, DateParts& out) {
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), value);
  if (whole.empty() || error != std::errc() || end != whole.data() + whole.size()) return false;
  if (__builtin_mul_overflow(value, unit_millis, &value)) return false;
  if (point != std::string_view::npos) {
    const std::string_view fraction = text.substr(point + 1);
    if (fraction.size() > 9) return false;
    int64_t nanos = 0;
    for (size_t i = 0; i < 9; ++i) {
      if (i < fraction.size() && !IsDigit(fraction[i])) return false;
      nanos = nanos * 10 + (i < fraction.size() ? fraction[i] - '0' : 0);
    }
    const bool negative = whole.front() == '-';
    const int64_t part = nanos * unit_millis;  // in units of 1e-9 ms
    // Moments are cut towards the past.
    const int64_t millis =
        negative ? -((part + 999'999'999) / 1'000'000'000) : part / 1'000'000'000;
    if (__builtin_add_overflow(value, millis, &value)) return false;
  }
  out.epoch_millis = value;
  return true;
}

namespace {

// Calls on_field(letter, count) and on_literal(character) along a pattern; both return false to
// stop.
template <typename Field, typename Literal>
bool WalkPattern(std::string_view pattern, Field&& on_field, Literal&& on_literal) {
  for (size_t i = 0; i < pattern.size();) {
    const char c = pattern[i];
    if (IsLetter(c)) {
      size_t n = 1;
      while (i + n < pattern.size() && pattern[i + n] == c) ++n;
      if (!on_field(c, n)) return false;
      i += n;
    } else if (c == '\'') {
      size_t j = i + 1;
      if (j < pattern.size() && pattern[j] == '\'') {  // '' is one apostrophe
        if (!on_literal('\'')) return false;
        i += 2;
        continue;
      }
      for (; j < pattern.size() && pattern[j] != '\''; ++j) {
        if (!on_literal(pattern[j])) return false;
      }
      i = j + 1;
    } else {
      if (!on_literal(c)) return false;
      ++i;
    }
  }
  return true;
}

}  // namespace

std::string CheckDatePattern(std::string_view pattern) {
  std::string problem;
  int quotes = 0;
  for (const char c : pattern) quotes += c == '\'';
  if (pattern.empty()) return "the pattern is empty";
  if (quotes % 2 != 0) return "a quote is not closed";
  WalkPattern(
      pattern,
      [&](char letter, size_t count) {
        switch (letter) {
          case 'y':
          case 'u':
            if (count != 4) problem = "years other than with four digits are not supported";
            break;
          case 'M':
          case 'd':
          case 'H':
          case 'm':
          case 's':
            if (count > 2) problem = fmt::format("[{}] more than twice is not supported", letter);
            break;
          case 'S':
            if (count > 9) problem = "more than nine digits of a second";
            break;
          case 'X':
          case 'x':
          case 'Z':
            break;
          case 'b':
          case 'f':
          case 'i':
          case 'j':
          case 'l':
          case 'o':
          case 'r':
          case 't':
          case 'v':
          case 'C':
          case 'I':
          case 'J':
          case 'P':
          case 'R':
          case 'T':
          case 'U':
            problem = fmt::format("Unknown pattern letter: {}", letter);
            break;
          default:
            problem = fmt::format("pattern letter [{}] is not supported", letter);
        }
        return problem.empty();
      },
      [&](char c) {
        if (c == '[' || c == ']' || c == '{' || c == '}' || c == '#') {
          problem = fmt::format("[{}] is not supported", c);
        }
        return problem.empty();
      });
  return problem;
}

bool ParseDatePattern(std::string_view text, std::string_view pattern, DateParts& out) {
  Cursor in(text);
  const bool ok = WalkPattern(
      pattern,
      [&](char letter, size_t count) {
        const size_t least = count;
        switch (letter) {
          case 'y':
          case 'u':
            out.has_year = true;
            return in.Number(4, 4, out.year);
          case 'M':
            return in.Number(least, 2, out.month);
          case 'd':
            return in.Number(least, 2, out.day);
          case 'H':
            return in.Number(least, 2, out.hour);
          case 'm':
            return in.Number(least, 2, out.minute);
          case 's':
            return in.Number(least, 2, out.second);
          case 'S': {
            if (in.DigitsAhead() < count) return false;
            Cursor digits(in.Ahead().substr(0, count));
            in.Skip(count);
            return digits.Fraction(out.millis);
          }
          case 'X':
          case 'x':
          case 'Z': {
            const size_t n = OffsetLength(in.Ahead());
            out.zone = in.Ahead().substr(0, n);
            in.Skip(n);
            return n > 0;
          }
          default:
            return false;
        }
      },
      [&](char c) { return in.Take(c); });
  return ok && in.AtEnd();
}

std::string FormatDatePattern(int64_t millis, std::string_view pattern) {
  const CivilTime t = FromMillis(millis);
  const int64_t seconds = t.millis_of_day / 1000;
  std::string out;
  WalkPattern(
      pattern,
      [&](char letter, size_t count) {
        switch (letter) {
          case 'y':
          case 'u':
            // java.time: more than four digits with a plus sign.
            if (t.date.year > 9999) out.push_back('+');
            out += fmt::format("{:0{}d}", t.date.year, t.date.year < 0 ? 5 : 4);
            break;
          case 'M':
            out += fmt::format("{:0{}d}", t.date.month, count);
            break;
          case 'd':
            out += fmt::format("{:0{}d}", t.date.day, count);
            break;
          case 'H':
            out += fmt::format("{:0{}d}", seconds / 3600, count);
            break;
          case 'm':
            out += fmt::format("{:0{}d}", seconds / 60 % 60, count);
            break;
          case 's':
            out += fmt::format("{:0{}d}", seconds % 60, count);
            break;
          case 'S':
            out += fmt::format("{:09d}", t.millis_of_day % 1000 * 1'000'000).substr(0, count);
            break;
          case 'X':
            out.push_back('Z');
            break;
          case 'x':
            out += count % 2 == 1 && count > 1 ? "+00:00" : (count == 1 ? "+00" : "+0000");
            break;
          case 'Z':
            out += count == 5 ? "Z" : "+0000";
            break;
          default:
            break;
        }
        return true;
      },
      [&](char c) {
        out.push_back(c);
        return true;
      });
  return out;
}

}  // namespace curlew::mapping
