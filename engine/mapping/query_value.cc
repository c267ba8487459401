#include "engine/mapping/query_value.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/codec/columns/numbers.h"
#include "engine/mapping/dates.h"
#include "engine/mapping/java_numbers.h"
#include "engine/util/error.h"

namespace curlew::mapping {

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr double kTwo63 = 9223372036854775808.0;
constexpr NumberRange kNothing{1, 0};

absl::Status Wrong(const MappedField& field, const QueryValue& value, std::string_view why) {
  return IllegalArgument(fmt::format("field [{}] of type [{}] cannot take the value [{}]: {}",
                                     Clip(field.path), KindName(field.kind),
                                     Clip(QueryValueToString(value)), why));
}

bool IsWhole(FieldKind kind) {
  return kind == FieldKind::kLong || kind == FieldKind::kInteger || kind == FieldKind::kShort ||
         kind == FieldKind::kByte;
}

struct Bounds {
  int64_t least;
  int64_t most;
};
// In queries byte and short count as integer, as in OpenSearch: 128 is no byte, and no error.
Bounds BoundsOf(FieldKind kind) {
  if (kind == FieldKind::kLong) return {kMin, kMax};
  return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
}

// A number of a request as the whole part (towards zero) and whether something was cut.
struct WholeNumber {
  int64_t whole = 0;
  bool fraction = false;
  bool negative = false;  // of a fraction between -1 and 1, too
};

absl::StatusOr<WholeNumber> ToWhole(const MappedField& field, const QueryValue& value) {
  const Bounds bounds = BoundsOf(field.kind);
  WholeNumber n;
  bool in_range = true;
  if (const auto* i = std::get_if<int64_t>(&value)) {
    n.whole = *i;
  } else if (const auto* u = std::get_if<uint64_t>(&value)) {
    in_range = *u <= static_cast<uint64_t>(kMax);
    n.whole = static_cast<int64_t>(*u);
  } else if (const std::optional<double> d = AsFraction(value)) {
    if (std::isnan(*d)) return Wrong(field, value, "not a number");
    const double cut = std::trunc(*d);
    in_range = cut >= -kTwo63 && cut < kTwo63;
    n.whole = in_range ? static_cast<int64_t>(cut) : 0;
    n.fraction = cut != *d;
    n.negative = *d < 0;
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    if (field.kind == FieldKind::kLong) {
      switch (ParseDecimalToLong(*text, n.whole)) {
        case WholeResult::kOk:
          break;
        case WholeResult::kHasFraction:
          n.fraction = true;
          n.negative = text->starts_with('-');
          break;
        case WholeResult::kOutOfRange:
          in_range = false;
          break;
        case WholeResult::kNotANumber:
          return MakeError(
              "number_format_exception", 400,
              fmt::format("field [{}]: For input string: \"{}\"", Clip(field.path), Clip(*text)));
      }
    } else {
      const std::optional<double> parsed = ParseJavaDouble(*text);
      if (!parsed || std::isnan(*parsed)) {
        return MakeError(
            "number_format_exception", 400,
            fmt::format("field [{}]: For input string: \"{}\"", Clip(field.path), Clip(*text)));
      }
      return ToWhole(field, QueryValue(*parsed));
    }
  } else {
    return Wrong(field, value, "not a number");
  }
  if (!in_range || n.whole < bounds.least || n.whole > bounds.most) {
    return Wrong(field, value, fmt::format("out of range for a {}", KindName(field.kind)));
  }
  return n;
}

// The value as a double (for double fields) or float (for float fields); texts are read as such
// directly, so that they are rounded once.
absl::StatusOr<double> ToFloating(const MappedField& field, const QueryValue& value) {
  const bool is_float = field.kind == FieldKind::kFloat;
  std::optional<double> number;
  if (const auto* i = std::get_if<int64_t>(&value)) {
    number = is_float ? static_cast<double>(static_cast<float>(*i)) : static_cast<double>(*i);
  } else if (const auto* u = std::get_if<uint64_t>(&value)) {
    number = is_float ? static_cast<double>(static_cast<float>(*u)) : static_cast<double>(*u);
  } else if (const std::optional<double> d = AsFraction(value)) {
    number = is_float ? static_cast<double>(static_cast<float>(*d)) : *d;
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    if (is_float) {
      if (const std::optional<float> f = ParseJavaFloat(*text)) number = *f;
    } else {
      number = ParseJavaDouble(*text);
    }
    if (!number) {
      return MakeError(
          "number_format_exception", 400,
          fmt::format("field [{}]: For input string: \"{}\"", Clip(field.path), Clip(*text)));
    }
  }
  if (!number) return Wrong(field, value, "not a number");
  if (!std::isfinite(*number)) {
    return Wrong(field, value,
                 fmt::format("[{}] supports only finite values", KindName(field.kind)));
  }
  return *number;
}

int64_t Sortable(FieldKind kind, double number) {
  return kind == FieldKind::kFloat ? codec::FloatToSortable(static_cast<float>(number))
                                   : codec::DoubleToSortable(number);
}

absl::StatusOr<int64_t> ToBoolean(const MappedField& field, const QueryValue& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? 1 : 0;
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (*text == "true") return 1;
    if (*text == "false" || text->empty()) return 0;
  }
  return Wrong(field, value, "a boolean is [true] or [false]");
}

// What a date is parsed from. Whole numbers of a request may have come as doubles.
std::string DateText(const QueryValue& value) {
  if (const std::optional<double> d = AsFraction(value);
      d && std::trunc(*d) == *d && std::abs(*d) < kTwo63) {
    return fmt::format("{}", static_cast<int64_t>(*d));
  }
  return QueryValueToString(value);
}

absl::StatusOr<DateInterval> ToDate(const MappedField& field, const QueryValue& value,
                                    std::string_view format, std::string_view zone,
                                    int64_t now_millis) {
  if (std::holds_alternative<std::monostate>(value)) return Wrong(field, value, "not a date");
  const std::string_view used = format.empty() ? std::string_view(field.format) : format;
  absl::StatusOr<DateInterval> date = ParseDateMath(DateText(value), used, zone, now_millis);
  if (date.ok()) return date;
  ErrorDetails details = DescribeError(date.status());
  details.reason = fmt::format("field [{}]: {}", Clip(field.path), details.reason);
  return MakeError(std::move(details));
}

int64_t Next(int64_t v) { return v == kMax ? kMax : v + 1; }
int64_t Previous(int64_t v) { return v == kMin ? kMin : v - 1; }

// ---- one bound at a time; nullopt = nothing can match ----

absl::StatusOr<std::optional<int64_t>> WholeBound(const MappedField& field, const RangeBound& bound,
                                                  bool lower) {
  CURLEW_ASSIGN_OR_RETURN(const WholeNumber n, ToWhole(field, bound.value));
  if (n.fraction) {
    // Between two whole numbers: the inner one, whether the bound itself counts or not.
    if (lower) return n.negative ? n.whole : n.whole + 1;
    return n.negative ? n.whole - 1 : n.whole;
  }
  if (bound.inclusive) return n.whole;
  if (n.whole == (lower ? kMax : kMin)) return std::nullopt;
  return lower ? n.whole + 1 : n.whole - 1;
}

absl::StatusOr<std::optional<int64_t>> FloatingBound(const MappedField& field,
                                                     const RangeBound& bound, bool lower) {
  CURLEW_ASSIGN_OR_RETURN(const double n, ToFloating(field, bound.value));
  int64_t encoded = Sortable(field.kind, n);
  if (!bound.inclusive) encoded = lower ? encoded + 1 : encoded - 1;
  return encoded;
}

}  // namespace

std::optional<double> AsFraction(const QueryValue& value) {
  if (const auto* f = std::get_if<float>(&value)) return *f;
  if (const auto* d = std::get_if<double>(&value)) return *d;
  return std::nullopt;
}

std::string QueryValueToString(const QueryValue& value) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(int64_t i) const { return fmt::format("{}", i); }
    std::string operator()(uint64_t u) const { return fmt::format("{}", u); }
    std::string operator()(float f) const { return JavaToString(f); }
    std::string operator()(double d) const { return JavaToString(d); }
    std::string operator()(const std::string& s) const { return s; }
  };
  return std::visit(Visitor(), value);
}

absl::StatusOr<std::optional<int64_t>> ExactNumber(const MappedField& field,
                                                   const QueryValue& value) {
  if (IsWhole(field.kind)) {
    CURLEW_ASSIGN_OR_RETURN(const WholeNumber n, ToWhole(field, value));
    if (n.fraction) return std::nullopt;
    return n.whole;
  }
  if (field.kind == FieldKind::kDouble || field.kind == FieldKind::kFloat) {
    CURLEW_ASSIGN_OR_RETURN(const double n, ToFloating(field, value));
    return Sortable(field.kind, n);
  }
  if (field.kind == FieldKind::kBoolean) {
    CURLEW_ASSIGN_OR_RETURN(const int64_t n, ToBoolean(field, value));
    return n;
  }
  if (field.kind == FieldKind::kDate) {
    CURLEW_ASSIGN_OR_RETURN(const DateInterval date, ToDate(field, value, {}, {}, 0));
    return date.first;
  }
  return Wrong(field, value, "not a field of numbers");
}

absl::StatusOr<NumberRange> ToNumberRange(const MappedField& field,
                                          const std::optional<RangeBound>& lower,
                                          const std::optional<RangeBound>& upper,
                                          std::string_view format, std::string_view time_zone,
                                          int64_t now_millis) {
  const auto encode = [&](const RangeBound& bound,
                          bool is_lower) -> absl::StatusOr<std::optional<int64_t>> {
    if (IsWhole(field.kind)) return WholeBound(field, bound, is_lower);
    if (field.kind == FieldKind::kDouble || field.kind == FieldKind::kFloat) {
      return FloatingBound(field, bound, is_lower);
    }
    if (field.kind == FieldKind::kBoolean) {
      CURLEW_ASSIGN_OR_RETURN(const int64_t n, ToBoolean(field, bound.value));
      return bound.inclusive ? n : (is_lower ? n + 1 : n - 1);
    }
    if (field.kind != FieldKind::kDate) return Wrong(field, bound.value, "not a field of numbers");
    CURLEW_ASSIGN_OR_RETURN(const DateInterval date,
                            ToDate(field, bound.value, format, time_zone, now_millis));
    if (is_lower) return bound.inclusive ? date.first : Next(date.last);
    return bound.inclusive ? date.last : Previous(date.first);
  };
  NumberRange range;
  bool possible = true;
  if (lower) {
    CURLEW_ASSIGN_OR_RETURN(const std::optional<int64_t> first, encode(*lower, true));
    possible = first.has_value();
    range.first = first.value_or(kMax);
  }
  if (upper) {
    CURLEW_ASSIGN_OR_RETURN(const std::optional<int64_t> last, encode(*upper, false));
    possible = possible && last.has_value();
    range.last = last.value_or(kMin);
  }
  return possible ? range : kNothing;
}

absl::StatusOr<NumberRange> DateSpan(const MappedField& field, const QueryValue& value,
                                     int64_t now_millis) {
  CURLEW_ASSIGN_OR_RETURN(const DateInterval date, ToDate(field, value, {}, {}, now_millis));
  return NumberRange{date.first, date.last};
}

}  // namespace curlew::mapping
