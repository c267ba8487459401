#include <fmt/format.h>

#include "engine/search/query/terms_query.h"
#include "engine/util/error.h"
#include "proto_utils/request/field_value.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::FieldValue;
using org::opensearch::protobufs::FieldValueArray;
using org::opensearch::protobufs::QueryContainer;
using org::opensearch::protobufs::TERMS_QUERY_VALUE_TYPE_BITMAP;
using org::opensearch::protobufs::TermsQuery;
using org::opensearch::protobufs::TermsQueryField;

namespace {

// Paths are made for errors only: lists may be long.
absl::Status ReadValues(const FieldValueArray& array, const std::string& path,
                        std::vector<mapping::QueryValue>& out) {
  CURLEW_RETURN_IF_ERROR(RefuseUnknown(array, path));
  out.resize(array.field_value_array_size());
  for (int i = 0; i < array.field_value_array_size(); ++i) {
    const FieldValue& value = array.field_value_array(i);
    if (HasUnknown(value)) return RefuseUnknown(value, At(path, i));
    if (const char* problem = ReadFieldValue(value, out[i])) {
      return Invalid(At(path, i), problem);
    }
    if (std::holds_alternative<std::monostate>(out[i])) {
      return Invalid(At(path, i), "a value of a terms query cannot be null");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<search::QueryPtr> ConvertTerms(const QueryContainer& container,
                                              const QueryPlace& place) {
  const TermsQuery& proto = container.terms();
  CURLEW_RETURN_IF_ERROR(
      RefuseOthers(proto,
                   {TermsQuery::kBoostFieldNumber, TermsQuery::kValueTypeFieldNumber,
                    TermsQuery::kTermsFieldNumber},
                   place.path));
  if (proto.value_type() == TERMS_QUERY_VALUE_TYPE_BITMAP) {
    return NotServed(Join(place.path, "value_type [TERMS_QUERY_VALUE_TYPE_BITMAP]"));
  }
  const std::string terms_path = Join(place.path, "terms");
  if (proto.terms_size() != 1) {
    return Invalid(terms_path,
                   fmt::format("must contain exactly one field, found: {}", proto.terms_size()));
  }
  const auto& [field, values] = *proto.terms().begin();
  const std::string path = At(terms_path, field);
  if (field.empty()) return Invalid(path, "the field name is empty");
  CURLEW_RETURN_IF_ERROR(RefuseOthers(values, {TermsQueryField::kValueFieldNumber}, path));
  if (!values.has_value()) return Invalid(path, "either value or lookup must be given");

  search::TermsQueryOptions options;
  options.field = field;
  CURLEW_RETURN_IF_ERROR(ReadValues(values.value(), Join(path, "value"), options.values));
  if (proto.has_boost()) options.boost = proto.boost();
  CURLEW_RETURN_IF_ERROR(CheckBoost(options.boost, place));
  return search::NewTermsQuery(std::move(options));
}

}  // namespace curlew::proto_utils
