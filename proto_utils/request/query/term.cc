#include "engine/search/query/term_query.h"
#include "engine/util/error.h"
#include "proto_utils/request/field_value.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::QueryContainer;
using org::opensearch::protobufs::TermQuery;

absl::StatusOr<search::QueryPtr> ConvertTerm(const QueryContainer& container,
                                             const QueryPlace& place) {
  const TermQuery& proto = container.term();
  CURLEW_RETURN_IF_ERROR(
      RefuseOthers(proto,
                   {TermQuery::kFieldFieldNumber, TermQuery::kBoostFieldNumber,
                    TermQuery::kValueFieldNumber, TermQuery::kCaseInsensitiveFieldNumber},
                   place.path));
  search::TermQueryOptions options;
  options.field = proto.field();
  if (options.field.empty()) return Invalid(Join(place.path, "field"), "the field name is empty");
  CURLEW_RETURN_IF_ERROR(
      ConvertFieldValue(proto.value(), Join(place.path, "value"), options.value));
  if (std::holds_alternative<std::monostate>(options.value)) {
    return Invalid(Join(place.path, "value"), "value cannot be null");
  }
  options.case_insensitive = proto.case_insensitive();
  if (proto.has_boost()) options.boost = proto.boost();
  CURLEW_RETURN_IF_ERROR(CheckBoost(options.boost, place));
  return search::NewTermQuery(std::move(options));
}

}  // namespace curlew::proto_utils
