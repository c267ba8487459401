#include "engine/search/query/exact.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/util/error.h"

namespace curlew::search {
namespace {

using mapping::FieldKind;
using mapping::MappedField;
using mapping::NumberRange;
using mapping::QueryValue;

// How a boolean field's values are spelled in its terms.
constexpr const char* kTrueTerm = "T";
constexpr const char* kFalseTerm = "F";

bool HasStringColumn(const MappedField& field) {
  return field.kind == FieldKind::kKeyword && field.doc_values;
}

// The column values that equal `value`: one number, or the span that a date stands for.
absl::StatusOr<NumberRange> ToNumbers(const ShardContext& context, const MappedField& field,
                                      const QueryValue& value) {
  if (field.kind == FieldKind::kDate) {
    return mapping::DateSpan(field, value, context.now_millis);
  }
  CURLEW_ASSIGN_OR_RETURN(const std::optional<int64_t> number, mapping::ExactNumber(field, value));
  if (!number) return NumberRange{1, 0};
  return NumberRange{*number, *number};
}

}  // namespace

absl::StatusOr<std::string> ToTerm(const MappedField& field, const QueryValue& value) {
  if (field.kind != FieldKind::kBoolean) return mapping::QueryValueToString(value);
  CURLEW_ASSIGN_OR_RETURN(const std::optional<int64_t> number, mapping::ExactNumber(field, value));
  return number.value_or(0) != 0 ? kTrueTerm : kFalseTerm;
}

absl::StatusOr<PreparedPtr> PrepareExact(const ShardContext& context, ScoreMode mode,
                                         const MappedField& field, const QueryValue& value,
                                         float boost) {
  CURLEW_RETURN_IF_ERROR(CheckSearchable(field));
  if (field.has_terms()) {
    CURLEW_ASSIGN_OR_RETURN(std::string term, ToTerm(field, value));
    const bool scored = field.kind == FieldKind::kText || field.kind == FieldKind::kBoolean;
    if (scored && mode == ScoreMode::kScores) {
      return PrepareBm25Term(context, field, std::move(term), boost);
    }
    return PrepareConstantTerm(field.path, std::move(term), boost);
  }
  return PrepareAnyOf(context, field, {value}, boost);
}

absl::StatusOr<PreparedPtr> PrepareAnyOf(const ShardContext& context, const MappedField& field,
                                         const std::vector<QueryValue>& values, float boost) {
  CURLEW_RETURN_IF_ERROR(CheckSearchable(field));
  if (!field.has_terms() && !HasStringColumn(field)) {
    std::vector<NumberRange> ranges;
    for (const QueryValue& value : values) {
      CURLEW_ASSIGN_OR_RETURN(const NumberRange range, ToNumbers(context, field, value));
      ranges.push_back(range);
    }
    return PrepareNumberRanges(context, field.path, std::move(ranges), boost);
  }
  auto terms = std::make_shared<std::vector<std::string>>();
  for (const QueryValue& value : values) {
    CURLEW_ASSIGN_OR_RETURN(std::string term, ToTerm(field, value));
    terms->push_back(std::move(term));
  }
  std::sort(terms->begin(), terms->end());
  terms->erase(std::unique(terms->begin(), terms->end()), terms->end());
  if (field.has_terms()) {
    return PrepareTermUnion(
        context, field.path,
        [terms](const codec::FieldTerms& dictionary, PeriodicCheck& check, const auto& take) {
          codec::TermEntry entry;
          for (const std::string& term : *terms) {
            if (check.Stop()) break;
            if (dictionary.Find(term, entry)) take(entry);
          }
          return true;
        },
        boost);
  }
  return PrepareOrdinalRanges(
      context, field.path,
      [terms](const codec::OrdinalColumn& column, PeriodicCheck& check) {
        std::vector<OrdinalRange> ranges;
        for (const std::string& term : *terms) {
          if (check.Stop()) break;
          const uint32_t ordinal = column.LowerBound(term);
          if (ordinal < column.value_count() && column.Value(ordinal) == term) {
            ranges.push_back({ordinal, ordinal + 1});
          }
        }
        return ranges;
      },
      boost);
}

}  // namespace curlew::search
