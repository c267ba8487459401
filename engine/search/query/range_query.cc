#include "engine/search/query/range_query.h"

#include <fmt/format.h>

#include <utility>

#include "engine/search/query/exact.h"
#include "engine/search/query/prepared.h"
#include "engine/search/query/prepared_exists.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

using mapping::FieldKind;
using mapping::MappedField;

struct TermBound {
  std::string term;
  bool inclusive = true;
};

bool IsOpen(const std::optional<mapping::RangeBound>& bound) {
  return !bound || std::holds_alternative<std::monostate>(bound->value);
}

std::optional<TermBound> ToTermBound(const std::optional<mapping::RangeBound>& bound) {
  if (IsOpen(bound)) return std::nullopt;
  return TermBound{mapping::QueryValueToString(bound->value), bound->inclusive};
}

bool BelowUpper(std::string_view term, const std::optional<TermBound>& upper) {
  if (!upper) return true;
  const int order = term.compare(upper->term);
  return order < 0 || (order == 0 && upper->inclusive);
}

// Terms between the bounds, in byte order.
TermVisitor TermsBetween(std::optional<TermBound> lower, std::optional<TermBound> upper) {
  return [lower = std::move(lower), upper = std::move(upper)](
             const codec::FieldTerms& terms, PeriodicCheck& check, const auto& take) {
    const auto it = terms.Iterate();
    bool more = lower ? it->SeekCeil(lower->term) : it->Next();
    if (more && lower && !lower->inclusive && it->term() == lower->term) more = it->Next();
    for (; more && BelowUpper(it->term(), upper) && !check.Stop(); more = it->Next()) {
      take(it->entry());
    }
    return !it->corrupt();
  };
}

OrdinalBounds OrdinalsBetween(std::optional<TermBound> lower, std::optional<TermBound> upper) {
  return [lower = std::move(lower), upper = std::move(upper)](const codec::OrdinalColumn& column,
                                                              PeriodicCheck&) {
    const auto after = [&column](const TermBound& bound, bool past_equal) {
      const uint32_t ordinal = column.LowerBound(bound.term);
      const bool equal = ordinal < column.value_count() && column.Value(ordinal) == bound.term;
      return ordinal + (equal && past_equal ? 1 : 0);
    };
    OrdinalRange range{0, column.value_count()};
    if (lower) range.first = after(*lower, !lower->inclusive);
    if (upper) range.last = after(*upper, upper->inclusive);
    return std::vector<OrdinalRange>{range};
  };
}

class RangeQuery : public Query {
 public:
  explicit RangeQuery(RangeQueryOptions options) : options_(std::move(options)) {}

  absl::StatusOr<PreparedPtr> Prepare(const ShardContext& context, ScoreMode) const override {
    const MappedField* field = context.mapping->Find(options_.field);
    if (field == nullptr) return PrepareNone();
    if (field->kind == FieldKind::kId) {
      return IllegalArgument(
          fmt::format("Field [{}] does not support range queries", Clip(field->path)));
    }
    CURLEW_RETURN_IF_ERROR(CheckSearchable(*field));
    if (IsOpen(options_.lower) && IsOpen(options_.upper)) {
      return PrepareExists(context, {field}, options_.boost);
    }
    if (field->kind != FieldKind::kText && field->kind != FieldKind::kKeyword) {
      CURLEW_ASSIGN_OR_RETURN(
          const mapping::NumberRange range,
          mapping::ToNumberRange(*field, options_.lower, options_.upper, options_.format,
                                 options_.time_zone, context.now_millis));
      return PrepareNumberRanges(context, field->path, {range}, options_.boost);
    }
    std::optional<TermBound> lower = ToTermBound(options_.lower);
    std::optional<TermBound> upper = ToTermBound(options_.upper);
    if (field->has_terms()) {
      return PrepareTermUnion(context, field->path,
                              TermsBetween(std::move(lower), std::move(upper)), options_.boost);
    }
    return PrepareOrdinalRanges(
        context, field->path, OrdinalsBetween(std::move(lower), std::move(upper)), options_.boost);
  }

 private:
  const RangeQueryOptions options_;
};

}  // namespace

QueryPtr NewRangeQuery(RangeQueryOptions options) {
  return std::make_shared<RangeQuery>(std::move(options));
}

}  // namespace curlew::search
