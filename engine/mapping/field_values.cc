#include "engine/mapping/field_values.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "engine/codec/columns/numbers.h"
#include "engine/mapping/dates.h"
#include "engine/mapping/java_numbers.h"
#include "engine/util/error.h"

namespace curlew::mapping {

namespace {

// What a whole-number kind takes, and how OpenSearch's messages call it.
struct WholeKind {
  int64_t least;
  int64_t most;
  std::string_view article_name;  // "an integer"
  std::string_view java_name;     // "Integer"
};

template <typename T>
constexpr WholeKind Whole(std::string_view article_name, std::string_view java_name) {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), article_name, java_name};
}

WholeKind WholeOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::kByte:
      return Whole<int8_t>("a byte", "Byte");
    case FieldKind::kShort:
      return Whole<int16_t>("a short", "Short");
    case FieldKind::kInteger:
      return Whole<int32_t>("an integer", "Integer");
    default:
      return Whole<int64_t>("a long", "Long");
  }
}

absl::Status OutOfRange(std::string_view text, std::string_view article_name) {
  return IllegalArgument(
      fmt::format("Value [{}] is out of range for {}", Clip(text), article_name));
}

absl::Status NotANumber(std::string_view text) {
  return MakeError("number_format_exception", 400,
                   fmt::format("For input string: \"{}\"", Clip(text)));
}

absl::Status NotNumeric(const Scalar& scalar) {
  return MakeError("input_coercion_exception", 400,
                   fmt::format("[{}] is not numeric", Clip(scalar.text)));
}

Encoded Fail(absl::Status& error, absl::Status why) {
  error = std::move(why);
  return Encoded::kError;
}

// A text as long: decimal arithmetic, so that all 64 bits come through.
Encoded LongFromText(std::string_view text, int64_t& out, absl::Status& error) {
  switch (ParseDecimalToLong(text, out)) {
    case WholeResult::kOk:
    case WholeResult::kHasFraction:
      return Encoded::kValue;
    case WholeResult::kOutOfRange:
      return Fail(error, OutOfRange(text, "a long"));
    case WholeResult::kNotANumber:
      break;
  }
  return Fail(error, IllegalArgument(fmt::format("For input string: \"{}\"", Clip(text))));
}

// A text as integer, short or byte goes through double, as in OpenSearch; NaN becomes 0 there.
Encoded SmallFromText(std::string_view text, const WholeKind& whole, int64_t& out,
                      absl::Status& error) {
  const std::optional<double> value = ParseJavaDouble(text);
  if (!value) return Fail(error, NotANumber(text));
  if (std::isnan(*value)) {
    out = 0;
    return Encoded::kValue;
  }
  if (*value < static_cast<double>(whole.least) || *value > static_cast<double>(whole.most)) {
    const double cut = std::trunc(*value);
    // 127.5 is cut to 127 before a byte's bounds are looked at.
    if (whole.most != std::numeric_limits<int8_t>::max() ||
        cut < static_cast<double>(whole.least) || cut > static_cast<double>(whole.most)) {
      return Fail(error, OutOfRange(text, whole.article_name));
    }
  }
  out = static_cast<int64_t>(*value);
  return Encoded::kValue;
}

Encoded EncodeWhole(const MappedField& field, const Scalar& scalar, int64_t& out,
                    absl::Status& error) {
  const WholeKind whole = WholeOf(field.kind);
  switch (scalar.kind) {
    case Scalar::Kind::kBool:
      return Fail(error, NotNumeric(scalar));
    case Scalar::Kind::kString:
      if (!field.coerce) {
        return Fail(error,
                    IllegalArgument(fmt::format("{} value passed as String", whole.java_name)));
      }
      if (scalar.text.empty()) return Encoded::kNull;
      if (field.kind == FieldKind::kLong) return LongFromText(scalar.text, out, error);
      return SmallFromText(scalar.text, whole, out, error);
    case Scalar::Kind::kInteger: {
      const char* end = scalar.text.data() + scalar.text.size();
      const auto [p, code] = std::from_chars(scalar.text.data(), end, out);
      if (code != std::errc() || p != end || out < whole.least || out > whole.most) {
        return Fail(error, OutOfRange(scalar.text, whole.article_name));
      }
      return Encoded::kValue;
    }
    case Scalar::Kind::kFraction:
      break;
  }
  const std::optional<double> value = ParseJavaDouble(scalar.text);
  if (!value) return Fail(error, NotANumber(scalar.text));
  // A byte is read as an integer first, so its bounds hold for the whole part only.
  const double least = static_cast<double>(whole.least);
  const double most = static_cast<double>(whole.most);
  const double bounded = field.kind == FieldKind::kByte || field.kind == FieldKind::kShort
                             ? std::trunc(*value)
                             : *value;
  if (!(bounded >= least && bounded <= most)) {
    return Fail(error, OutOfRange(scalar.text, whole.article_name));
  }
  // 2^63 as a double passes the test above; Java's cast stops at the largest long.
  out = bounded >= 9223372036854775808.0 ? std::numeric_limits<int64_t>::max()
                                         : static_cast<int64_t>(bounded);
  if (!field.coerce && std::trunc(*value) != *value) {
    return Fail(error, IllegalArgument(fmt::format("{} cannot be converted to {} without data loss",
                                                   Clip(scalar.text), whole.java_name)));
  }
  return Encoded::kValue;
}

Encoded EncodeFloating(const MappedField& field, const Scalar& scalar, int64_t& out,
                       absl::Status& error) {
  const bool is_float = field.kind == FieldKind::kFloat;
  if (scalar.kind == Scalar::Kind::kBool) return Fail(error, NotNumeric(scalar));
  if (scalar.kind == Scalar::Kind::kString) {
    if (!field.coerce) {
      return Fail(error, IllegalArgument(fmt::format("{} value passed as String",
                                                     is_float ? "Float" : "Double")));
    }
    if (scalar.text.empty()) return Encoded::kNull;
  }
  std::optional<double> value;
  if (is_float) {
    const std::optional<float> narrow = ParseJavaFloat(scalar.text);
    if (narrow) value = *narrow;
  } else {
    value = ParseJavaDouble(scalar.text);
  }
  if (!value) return Fail(error, NotANumber(scalar.text));
  if (!std::isfinite(*value)) {
    return Fail(error, IllegalArgument(fmt::format("[{}] supports only finite values, but got [{}]",
                                                   KindName(field.kind), JavaToString(*value))));
  }
  out = is_float ? codec::FloatToSortable(static_cast<float>(*value))
                 : codec::DoubleToSortable(*value);
  return Encoded::kValue;
}

Encoded EncodeBoolean(const Scalar& scalar, int64_t& out, absl::Status& error) {
  if (scalar.kind == Scalar::Kind::kBool || scalar.kind == Scalar::Kind::kString) {
    if (scalar.text == "true") {
      out = 1;
      return Encoded::kValue;
    }
    if (scalar.text == "false" || scalar.text.empty()) {
      out = 0;
      return Encoded::kValue;
    }
    return Fail(error, IllegalArgument(fmt::format(
                           "Failed to parse value [{}] as only [true] or [false] are allowed.",
                           Clip(scalar.text))));
  }
  return Fail(error, MakeError("input_coercion_exception", 400,
                               fmt::format("[{}] is not of boolean type", Clip(scalar.text))));
}

}  // namespace

Encoded EncodeNumber(const MappedField& field, const Scalar& scalar, int64_t& out,
                     absl::Status& error) {
  switch (field.kind) {
    case FieldKind::kLong:
    case FieldKind::kInteger:
    case FieldKind::kShort:
    case FieldKind::kByte:
      return EncodeWhole(field, scalar, out, error);
    case FieldKind::kDouble:
    case FieldKind::kFloat:
      return EncodeFloating(field, scalar, out, error);
    case FieldKind::kBoolean:
      return EncodeBoolean(scalar, out, error);
    default:
      break;
  }
  absl::StatusOr<DateInterval> date = ParseDate(scalar.text, field.format);
  if (!date.ok()) return Fail(error, std::move(date).status());
  out = date->first;
  return Encoded::kValue;
}

bool IsLongerThan(std::string_view utf8, size_t limit) {
  // A unit takes one to three bytes.
  if (utf8.size() <= limit) return false;
  if (utf8.size() / 3 > limit) return true;
  size_t n = 0;
  for (const char c : utf8) {
    const auto b = static_cast<unsigned char>(c);
    // A lead byte is a unit; four-byte sequences are two.
    n += (b & 0xc0) != 0x80;
    n += b >= 0xf0;
  }
  return n > limit;
}

absl::Status FieldError(const MappedField& field, std::string_view preview, absl::Status cause) {
  return WithCause(MapperParsing(fmt::format(
                       "failed to parse field [{}] of type [{}]. Preview of field's value: '{}'",
                       Clip(field.path), KindName(field.kind), Clip(preview))),
                   cause);
}

}  // namespace curlew::mapping
