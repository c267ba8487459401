#include "engine/search/query/range_query.h"

#include <optional>
#include <string>

#include "engine/util/error.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using namespace org::opensearch::protobufs;  // NOLINT: the messages of a range
using mapping::RangeBound;

namespace {

// `from` and `to` of the number arm: a number, text (which keeps whole numbers exact), null = open.
template <typename Bound>
std::optional<mapping::QueryValue> ReadNumberBound(const Bound& bound) {
  if (bound.has_double_()) return bound.double_();
  if (bound.has_string()) return bound.string();
  return std::nullopt;
}

template <typename Bound>
std::optional<mapping::QueryValue> ReadDateBound(const Bound& bound) {
  if (bound.has_string()) return bound.string();
  return std::nullopt;
}

std::optional<RangeBound> MakeBound(std::optional<mapping::QueryValue> value, bool inclusive) {
  if (!value.has_value()) return std::nullopt;
  return RangeBound{*std::move(value), inclusive};
}

// OpenSearch's order: from and to with their flags first, then gt, gte, lt, lte; the later one
// wins.
template <typename Query>
void ApplyShortBounds(const Query& proto, search::RangeQueryOptions& options) {
  if (proto.has_gt()) options.lower = RangeBound{proto.gt(), false};
  if (proto.has_gte()) options.lower = RangeBound{proto.gte(), true};
  if (proto.has_lt()) options.upper = RangeBound{proto.lt(), false};
  if (proto.has_lte()) options.upper = RangeBound{proto.lte(), true};
}

template <typename Query>
absl::Status ReadCommon(const Query& proto, const QueryPlace& place,
                        search::RangeQueryOptions& options) {
  const std::string& path = place.path;
  options.field = proto.field();
  if (options.field.empty()) return Invalid(Join(path, "field"), "the field name is empty");
  if (proto.has_boost()) options.boost = proto.boost();
  CURLEW_RETURN_IF_ERROR(CheckBoost(options.boost, place));
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(proto.from(), Join(path, "from")));
  return RefuseUnknown(proto.to(), Join(path, "to"));
}

// `relation` is about fields that hold ranges; there are none, and on others it has no effect.
absl::Status ReadNumberRange(const NumberRangeQuery& proto, const QueryPlace& place,
                             search::RangeQueryOptions& options) {
  CURLEW_RETURN_IF_ERROR(
      RefuseOthers(proto,
                   {NumberRangeQuery::kFieldFieldNumber, NumberRangeQuery::kBoostFieldNumber,
                    NumberRangeQuery::kRelationFieldNumber, NumberRangeQuery::kGtFieldNumber,
                    NumberRangeQuery::kGteFieldNumber, NumberRangeQuery::kLtFieldNumber,
                    NumberRangeQuery::kLteFieldNumber, NumberRangeQuery::kFromFieldNumber,
                    NumberRangeQuery::kToFieldNumber, NumberRangeQuery::kIncludeLowerFieldNumber,
                    NumberRangeQuery::kIncludeUpperFieldNumber},
                   place.path));
  CURLEW_RETURN_IF_ERROR(ReadCommon(proto, place, options));
  if (proto.has_from()) {
    options.lower = MakeBound(ReadNumberBound(proto.from()),
                              !proto.has_include_lower() || proto.include_lower());
  }
  if (proto.has_to()) {
    options.upper =
        MakeBound(ReadNumberBound(proto.to()), !proto.has_include_upper() || proto.include_upper());
  }
  ApplyShortBounds(proto, options);
  return absl::OkStatus();
}

absl::Status ReadDateRange(const DateRangeQuery& proto, const QueryPlace& place,
                           search::RangeQueryOptions& options) {
  CURLEW_RETURN_IF_ERROR(
      RefuseOthers(proto,
                   {DateRangeQuery::kFieldFieldNumber, DateRangeQuery::kBoostFieldNumber,
                    DateRangeQuery::kRelationFieldNumber, DateRangeQuery::kGtFieldNumber,
                    DateRangeQuery::kGteFieldNumber, DateRangeQuery::kLtFieldNumber,
                    DateRangeQuery::kLteFieldNumber, DateRangeQuery::kFromFieldNumber,
                    DateRangeQuery::kToFieldNumber, DateRangeQuery::kIncludeLowerFieldNumber,
                    DateRangeQuery::kIncludeUpperFieldNumber, DateRangeQuery::kFormatFieldNumber,
                    DateRangeQuery::kTimeZoneFieldNumber},
                   place.path));
  CURLEW_RETURN_IF_ERROR(ReadCommon(proto, place, options));
  if (proto.has_from()) {
    options.lower =
        MakeBound(ReadDateBound(proto.from()), !proto.has_include_lower() || proto.include_lower());
  }
  if (proto.has_to()) {
    options.upper =
        MakeBound(ReadDateBound(proto.to()), !proto.has_include_upper() || proto.include_upper());
  }
  ApplyShortBounds(proto, options);
  options.format = proto.format();
  options.time_zone = proto.time_zone();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<search::QueryPtr> ConvertRange(const QueryContainer& container,
                                              const QueryPlace& place) {
  const RangeQuery& proto = container.range();
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(proto, place.path));
  const auto in = [&place](const char* arm) {
    QueryPlace inner = place;
    inner.path = Join(place.path, arm);
    return inner;
  };
  search::RangeQueryOptions options;
  switch (proto.range_query_case()) {
    case RangeQuery::kNumberRangeQuery:
      CURLEW_RETURN_IF_ERROR(
          ReadNumberRange(proto.number_range_query(), in("number_range_query"), options));
      break;
    case RangeQuery::kDateRangeQuery:
      CURLEW_RETURN_IF_ERROR(
          ReadDateRange(proto.date_range_query(), in("date_range_query"), options));
      break;
    case RangeQuery::RANGE_QUERY_NOT_SET:
      return Invalid(place.path, "either number_range_query or date_range_query must be given");
  }
  return search::NewRangeQuery(std::move(options));
}

}  // namespace curlew::proto_utils
