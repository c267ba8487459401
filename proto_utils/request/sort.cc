#include "proto_utils/request/sort.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/util/error.h"
#include "proto_utils/request/field_value.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"
#include "protos/opensearch/search_request.pb.h"
#include "protos/opensearch/sort.pb.h"

namespace curlew::proto_utils {

using namespace org::opensearch::protobufs;  // NOLINT: the messages of a sort order
using search::SortKey;

namespace {

constexpr char kSortPath[] = "search_request_body.sort";

// What a bare name sorts by, and in which direction when nothing else is said.
SortKey KeyOf(const std::string& field) {
  SortKey key;
  if (field == "_score") {
    key.kind = SortKey::Kind::kScore;
    key.descending = true;
  } else if (field == "_doc") {
    key.kind = SortKey::Kind::kDoc;
  } else {
    key.field = field;
  }
  return key;
}

absl::Status ReadOrder(SortOrder order, std::string_view path, bool& descending) {
  switch (order) {
    case SORT_ORDER_ASC:
      descending = false;
      return absl::OkStatus();
    case SORT_ORDER_DESC:
      descending = true;
      return absl::OkStatus();
    default:
      return Invalid(path,
                     fmt::format("the order must be SORT_ORDER_ASC or SORT_ORDER_DESC, got [{}]",
                                 static_cast<int>(order)));
  }
}

absl::Status ReadMode(SortMode mode, std::string_view path, SortKey::Mode& out) {
  switch (mode) {
    case SORT_MODE_MIN:
      out = SortKey::Mode::kMin;
      return absl::OkStatus();
    case SORT_MODE_MAX:
      out = SortKey::Mode::kMax;
      return absl::OkStatus();
    case SORT_MODE_SUM:
      out = SortKey::Mode::kSum;
      return absl::OkStatus();
    case SORT_MODE_AVG:
      out = SortKey::Mode::kAvg;
      return absl::OkStatus();
    case SORT_MODE_MEDIAN:
      out = SortKey::Mode::kMedian;
      return absl::OkStatus();
    default:
      return Invalid(path,
                     fmt::format("the mode must be one of min, max, sum, avg, median, got [{}]",
                                 static_cast<int>(mode)));
  }
}

// FIELD_TYPE_HALF_FLOAT -> half_float; the engine refuses types it does not know.
absl::Status ReadUnmappedType(FieldType type, std::string_view path, std::string& out) {
  constexpr std::string_view kPrefix = "FIELD_TYPE_";
  if (!FieldType_IsValid(type) || type == FIELD_TYPE_UNSPECIFIED) {
    return Invalid(path, fmt::format("no mapper found for type [{}]", static_cast<int>(type)));
  }
  out = FieldType_Name(type).substr(kPrefix.size());
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return absl::OkStatus();
}

absl::Status ReadMissing(const FieldValue& value, std::string_view path, SortKey& key) {
  mapping::QueryValue missing;
  CURLEW_RETURN_IF_ERROR(ConvertFieldValue(value, path, missing));
  const auto* text = std::get_if<std::string>(&missing);
  if (std::holds_alternative<std::monostate>(missing) || (text != nullptr && *text == "_last")) {
    key.missing = SortKey::Missing::kLast;
  } else if (text != nullptr && *text == "_first") {
    key.missing = SortKey::Missing::kFirst;
  } else {
    key.missing = SortKey::Missing::kValue;
    key.missing_value = std::move(missing);
  }
  return absl::OkStatus();
}

absl::Status ReadDirection(const SortOrderMap& map, const std::string& path, SortKey& key) {
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(map, path));
  if (map.sort_order_map_size() != 1) {
    return Invalid(path,
                   fmt::format("must name exactly one field, found {}", map.sort_order_map_size()));
  }
  const auto& [field, order] = *map.sort_order_map().begin();
  key = KeyOf(field);
  return ReadOrder(static_cast<SortOrder>(order), At(path, field), key.descending);
}

absl::Status ReadFieldSort(const FieldSortMap& map, const std::string& path, SortKey& key) {
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(map, path));
  if (map.field_sort_map_size() != 1) {
    return Invalid(path,
                   fmt::format("must name exactly one field, found {}", map.field_sort_map_size()));
  }
  const auto& [field, options] = *map.field_sort_map().begin();
  const std::string here = At(path, field);
  if (field.empty() || field == "_score") {
    return Invalid(
        here,
        "a field name is required and cannot be [_score]; use options.x_score to sort by "
        "score");
  }
  if (options.has_numeric_type() &&
      (options.numeric_type() == FIELD_SORT_NUMERIC_TYPE_UNSPECIFIED ||
       !FieldSortNumericType_IsValid(options.numeric_type()))) {
    return Invalid(Join(here, "numeric_type"),
                   fmt::format("invalid value for [numeric_type], must be [long, double, date, "
                               "date_nanos], got [{}]",
                               static_cast<int>(options.numeric_type())));
  }
  CURLEW_RETURN_IF_ERROR(
      RefuseOthers(options,
                   {FieldSort::kMissingFieldNumber, FieldSort::kModeFieldNumber,
                    FieldSort::kOrderFieldNumber, FieldSort::kUnmappedTypeFieldNumber},
                   here));
  key = KeyOf(field);
  if (options.has_order()) {
    CURLEW_RETURN_IF_ERROR(ReadOrder(options.order(), Join(here, "order"), key.descending));
  }
  if (options.has_mode()) {
    CURLEW_RETURN_IF_ERROR(ReadMode(options.mode(), Join(here, "mode"), key.mode));
  }
  if (options.has_unmapped_type()) {
    CURLEW_RETURN_IF_ERROR(
        ReadUnmappedType(options.unmapped_type(), Join(here, "unmapped_type"), key.unmapped_type));
  }
  if (options.has_missing()) {
    CURLEW_RETURN_IF_ERROR(ReadMissing(options.missing(), Join(here, "missing"), key));
  }
  return absl::OkStatus();
}

absl::Status ReadScoreSort(const SortOptions& options, const std::string& path, SortKey& key) {
  CURLEW_RETURN_IF_ERROR(RefuseOthers(options, {SortOptions::kXScoreFieldNumber}, path));
  const ScoreSort& score = options.x_score();
  CURLEW_RETURN_IF_ERROR(
      RefuseOthers(score, {ScoreSort::kOrderFieldNumber}, Join(path, "x_score")));
  key = KeyOf("_score");
  if (score.has_order() && score.order() != SORT_ORDER_UNSPECIFIED) {
    return ReadOrder(score.order(), Join(path, "x_score.order"), key.descending);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ConvertSort(const SearchRequestBody& body, std::vector<SortKey>& out) {
  out.reserve(body.sort_size());
  for (int i = 0; i < body.sort_size(); ++i) {
    const SortCombinations& level = body.sort(i);
    const std::string path = At(kSortPath, i);
    SortKey key;
    switch (level.sort_combinations_case()) {
      case SortCombinations::kField:
        key = KeyOf(level.field());
        break;
      case SortCombinations::kFieldWithDirection:
        CURLEW_RETURN_IF_ERROR(
            ReadDirection(level.field_with_direction(), Join(path, "field_with_direction"), key));
        break;
      case SortCombinations::kFieldWithOrder:
        CURLEW_RETURN_IF_ERROR(
            ReadFieldSort(level.field_with_order(), Join(path, "field_with_order"), key));
        break;
      case SortCombinations::kOptions:
        if (level.options().sort_options_case() == SortOptions::SORT_OPTIONS_NOT_SET) {
          CURLEW_RETURN_IF_ERROR(RefuseUnknown(level.options(), Join(path, "options")));
          return Invalid(Join(path, "options"),
                         "one of x_score, x_geo_distance, x_script must be given");
        }
        CURLEW_RETURN_IF_ERROR(ReadScoreSort(level.options(), Join(path, "options"), key));
        break;
      case SortCombinations::SORT_COMBINATIONS_NOT_SET:
        CURLEW_RETURN_IF_ERROR(RefuseUnknown(level, path));
        continue;
    }
    CURLEW_RETURN_IF_ERROR(RefuseUnknown(level, path));
    out.push_back(std::move(key));
  }
  return absl::OkStatus();
}

absl::Status ConvertSearchAfter(const SearchRequestBody& body,
                                std::vector<mapping::QueryValue>& out) {
  constexpr char kPath[] = "search_request_body.search_after";
  out.resize(body.search_after_size());
  for (int i = 0; i < body.search_after_size(); ++i) {
    CURLEW_RETURN_IF_ERROR(ConvertFieldValue(body.search_after(i), At(kPath, i), out[i]));
  }
  if (!out.empty() && body.from() > 0) {
    return Invalid("search_request_body.from",
                   fmt::format("must be 0 when [search_after] is used, found [{}]", body.from()));
  }
  return absl::OkStatus();
}

}  // namespace curlew::proto_utils
