#include "engine/search/sort.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/codec/columns/numbers.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

using mapping::FieldKind;
using mapping::MappedField;
using mapping::QueryValue;

bool Is32Bit(FieldKind kind) {
  return kind == FieldKind::kInteger || kind == FieldKind::kShort || kind == FieldKind::kByte ||
         kind == FieldKind::kBoolean;
}

// The column value that stands for a missing number at the high or the low end.
int64_t Extreme(FieldKind kind, bool high) {
  if (kind == FieldKind::kDouble) {
    const double infinity = std::numeric_limits<double>::infinity();
    return codec::DoubleToSortable(high ? infinity : -infinity);
  }
  if (kind == FieldKind::kFloat) {
    const float infinity = std::numeric_limits<float>::infinity();
    return codec::FloatToSortable(high ? infinity : -infinity);
  }
  if (Is32Bit(kind)) {
    return high ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int32_t>::min();
  }
  return high ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

int64_t Saturate(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 0x1p63) return std::numeric_limits<int64_t>::max();
  if (value < -0x1p63) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

template <typename T>
std::optional<T> Parse(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int64_t> ToInteger(const QueryValue& value) {
  if (const auto* v = std::get_if<int64_t>(&value)) return *v;
  if (const auto* v = std::get_if<uint64_t>(&value)) {
    return static_cast<int64_t>(
        std::min<uint64_t>(*v, static_cast<uint64_t>(std::numeric_limits<int64_t>::max())));
  }
  if (const std::optional<double> v = mapping::AsFraction(value)) return Saturate(*v);
  if (const auto* v = std::get_if<std::string>(&value)) return Parse<int64_t>(*v);
  return std::nullopt;
}

std::optional<double> ToFraction(const QueryValue& value) {
  if (const auto* v = std::get_if<int64_t>(&value)) return static_cast<double>(*v);
  if (const auto* v = std::get_if<uint64_t>(&value)) return static_cast<double>(*v);
  if (const std::optional<double> v = mapping::AsFraction(value)) return *v;
  if (const auto* v = std::get_if<std::string>(&value)) return Parse<double>(*v);
  return std::nullopt;
}

// A value of a request as a column value (or score bits, or document) of the key; none when it
// cannot be one. Dates may be texts.
absl::StatusOr<std::optional<int64_t>> ToKeyNumber(const ShardContext& context,
                                                   const ResolvedKey& key,
                                                   const QueryValue& value) {
  const bool score = key.source == ResolvedKey::Source::kScore;
  if (score || (key.source == ResolvedKey::Source::kNumber && key.kind == FieldKind::kFloat)) {
    const std::optional<double> number = ToFraction(value);
    if (!number) return std::nullopt;
    return codec::FloatToSortable(static_cast<float>(*number));
  }
  if (key.source == ResolvedKey::Source::kNumber && key.kind == FieldKind::kDouble) {
    const std::optional<double> number = ToFraction(value);
    if (!number) return std::nullopt;
    return codec::DoubleToSortable(*number);
  }
  const std::optional<int64_t> number = ToInteger(value);
  if (!number && key.kind == FieldKind::kDate && std::holds_alternative<std::string>(value)) {
    const MappedField* field = context.mapping->Find(key.field);
    if (field != nullptr) {
      CURLEW_ASSIGN_OR_RETURN(const mapping::NumberRange span,
                              mapping::DateSpan(*field, value, context.now_millis));
      return span.first;
    }
  }
  return number;
}

std::optional<FieldKind> KindOfName(std::string_view name) {
  constexpr std::array kSortable = {FieldKind::kKeyword, FieldKind::kLong,    FieldKind::kInteger,
                                    FieldKind::kShort,   FieldKind::kByte,    FieldKind::kDouble,
                                    FieldKind::kFloat,   FieldKind::kBoolean, FieldKind::kDate};
  for (const FieldKind kind : kSortable) {
    if (mapping::KindName(kind) == name) return kind;
  }
  return std::nullopt;
}

absl::Status CannotSortOn(const MappedField& field) {
  if (field.kind == FieldKind::kText) {
    return IllegalArgument(fmt::format(
        "Text fields keep no value per document to sort by: sort on a keyword field instead of "
        "[{}]",
        Clip(field.path)));
  }
  return IllegalArgument(
      fmt::format("Cannot sort on field [{}] of type [{}]: its doc values are disabled",
                  Clip(field.path), mapping::KindName(field.kind)));
}

absl::StatusOr<ResolvedKey> ResolveField(const ShardContext& context, const SortKey& sort) {
  ResolvedKey key;
  key.field = sort.field;
  key.descending = sort.descending;
  key.mode = sort.mode;
  if (key.mode == SortKey::Mode::kDefault) {
    key.mode = sort.descending ? SortKey::Mode::kMax : SortKey::Mode::kMin;
  }
  const MappedField* field = context.mapping->Find(sort.field);
  if (field == nullptr) {
    if (sort.unmapped_type.empty()) {
      return QueryShardError(
          fmt::format("No mapping found for [{}] in order to sort on", Clip(sort.field)));
    }
    const std::optional<FieldKind> kind = KindOfName(sort.unmapped_type);
    if (!kind) {
      return IllegalArgument(fmt::format("[unmapped_type] of the sort on [{}]: no field type [{}]",
                                         Clip(sort.field), Clip(sort.unmapped_type)));
    }
    key.unmapped = true;
    key.kind = *kind;
  } else {
    if (!field->doc_values && field->kind != FieldKind::kId) return CannotSortOn(*field);
    if (field->kind == FieldKind::kText) return CannotSortOn(*field);
    key.kind = field->kind;
  }
  const bool text = key.kind == FieldKind::kKeyword || key.kind == FieldKind::kId;
  key.source = text ? ResolvedKey::Source::kString : ResolvedKey::Source::kNumber;
  if (text && key.mode != SortKey::Mode::kMin && key.mode != SortKey::Mode::kMax) {
    return QueryShardError(fmt::format(
        "[mode] of the sort on [{}]: sum, avg and median are for numbers only", Clip(sort.field)));
  }
  key.null_first = sort.missing == SortKey::Missing::kFirst;
  key.missing_number = Extreme(key.kind, key.null_first == sort.descending);
  if (sort.missing == SortKey::Missing::kValue) {
    if (text) {
      key.missing_text = mapping::QueryValueToString(sort.missing_value);
    } else {
      CURLEW_ASSIGN_OR_RETURN(const std::optional<int64_t> number,
                              ToKeyNumber(context, key, sort.missing_value));
      if (!number) {
        return IllegalArgument(fmt::format(
            "[missing] of the sort on [{}] is no value of type [{}]: [{}]", Clip(sort.field),
            mapping::KindName(key.kind), Clip(mapping::QueryValueToString(sort.missing_value))));
      }
      key.missing_number = *number;
    }
  }
  return key;
}

// Negative, 0 or positive.
template <typename T>
int Order(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

double AsDouble(const SortValue& value) {
  return std::visit(
      [](const auto& v) -> double {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(v)>>) {
          return static_cast<double>(v);
        }
        return 0;
      },
      value);
}

// Integers of any width; none for fractions.
std::optional<int64_t> AsInteger(const SortValue& value) {
  if (const auto* v = std::get_if<int32_t>(&value)) return *v;
  if (const auto* v = std::get_if<int64_t>(&value)) return *v;
  return std::nullopt;
}

}  // namespace

bool IsByScore(const std::vector<SortKey>& sort) {
  return sort.empty() ||
         (sort.size() == 1 && sort[0].kind == SortKey::Kind::kScore && sort[0].descending);
}

absl::StatusOr<std::vector<ResolvedKey>> ResolveSort(const ShardContext& context,
                                                     const std::vector<SortKey>& sort) {
  std::vector<ResolvedKey> keys;
  for (const SortKey& key : sort) {
    if (key.kind == SortKey::Kind::kField) {
      CURLEW_ASSIGN_OR_RETURN(ResolvedKey resolved, ResolveField(context, key));
      keys.push_back(std::move(resolved));
      continue;
    }
    ResolvedKey resolved;
    const bool score = key.kind == SortKey::Kind::kScore;
    resolved.source = score ? ResolvedKey::Source::kScore : ResolvedKey::Source::kDoc;
    resolved.field = score ? "_score" : "_doc";
    resolved.descending = key.descending;
    keys.push_back(std::move(resolved));
  }
  return keys;
}

absl::StatusOr<std::vector<AfterValue>> ParseSearchAfter(const ShardContext& context,
                                                         const std::vector<ResolvedKey>& keys,
                                                         const std::vector<QueryValue>& values) {
  if (values.size() != keys.size()) {
    return IllegalArgument(
        fmt::format("search_after has {} value(s) but sort has {}.", values.size(), keys.size()));
  }
  std::vector<AfterValue> after(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const bool null = std::holds_alternative<std::monostate>(values[i]);
    if (keys[i].source == ResolvedKey::Source::kString) {
      if (!null) after[i].text = mapping::QueryValueToString(values[i]);
    } else if (null && keys[i].source == ResolvedKey::Source::kNumber) {
      after[i].number = keys[i].missing_number;
    } else {
      CURLEW_ASSIGN_OR_RETURN(const std::optional<int64_t> number,
                              ToKeyNumber(context, keys[i], values[i]));
      if (!number) {
        return IllegalArgument(
            fmt::format("Failed to parse search_after value [{}] for field [{}].",
                        Clip(mapping::QueryValueToString(values[i])), Clip(keys[i].field)));
      }
      after[i].number = *number;
    }
  }
  return after;
}

SortValue ToSortValue(const ResolvedKey& key, int64_t number) {
  if (key.source == ResolvedKey::Source::kScore) {
    return codec::SortableToFloat(static_cast<int32_t>(number));
  }
  if (key.source == ResolvedKey::Source::kDoc) return static_cast<int32_t>(number);
  if (key.kind == FieldKind::kFloat) return codec::SortableToFloat(static_cast<int32_t>(number));
  if (key.kind == FieldKind::kDouble) return codec::SortableToDouble(number);
  if (Is32Bit(key.kind)) {
    return static_cast<int32_t>(std::clamp<int64_t>(number, std::numeric_limits<int32_t>::min(),
                                                    std::numeric_limits<int32_t>::max()));
  }
  return number;
}

int CompareSortValues(const SortKey& key, const SortValue& a, const SortValue& b, bool& mixed) {
  const bool a_null = std::holds_alternative<std::monostate>(a);
  const bool b_null = std::holds_alternative<std::monostate>(b);
  if (a_null || b_null) {
    const int null_last = Order(a_null, b_null);
    return key.missing == SortKey::Missing::kFirst ? -null_last : null_last;
  }
  int order;
  const auto* a_text = std::get_if<std::string>(&a);
  const auto* b_text = std::get_if<std::string>(&b);
  if (a_text != nullptr && b_text != nullptr) {
    order = Order(*a_text, *b_text);
  } else if (a_text != nullptr || b_text != nullptr) {
    mixed = true;
    order = Order(a_text != nullptr, b_text != nullptr);
  } else {
    const std::optional<int64_t> a_integer = AsInteger(a);
    const std::optional<int64_t> b_integer = AsInteger(b);
    order =
        a_integer && b_integer ? Order(*a_integer, *b_integer) : Order(AsDouble(a), AsDouble(b));
  }
  return key.descending ? -order : order;
}

}  // namespace curlew::search
