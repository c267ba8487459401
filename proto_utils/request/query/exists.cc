#include "engine/search/query/exists_query.h"

#include "engine/util/error.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::ExistsQuery;
using org::opensearch::protobufs::QueryContainer;

absl::StatusOr<search::QueryPtr> ConvertExists(const QueryContainer& container,
                                               const QueryPlace& place) {
  const ExistsQuery& proto = container.exists();
  CURLEW_RETURN_IF_ERROR(RefuseOthers(
      proto, {ExistsQuery::kFieldFieldNumber, ExistsQuery::kBoostFieldNumber}, place.path));
  if (proto.field().empty()) return Invalid(Join(place.path, "field"), "the field name is empty");
  const float boost = proto.has_boost() ? proto.boost() : 1.0f;
  CURLEW_RETURN_IF_ERROR(CheckBoost(boost, place));
  return search::NewExistsQuery(proto.field(), boost);
}

}  // namespace curlew::proto_utils
