#include "engine/search/query/ids_query.h"
#include "engine/util/error.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::IdsQuery;
using org::opensearch::protobufs::QueryContainer;

absl::StatusOr<search::QueryPtr> ConvertIds(const QueryContainer& container,
                                            const QueryPlace& place) {
  const IdsQuery& proto = container.ids();
  CURLEW_RETURN_IF_ERROR(
      RefuseOthers(proto, {IdsQuery::kBoostFieldNumber, IdsQuery::kValuesFieldNumber}, place.path));
  const float boost = proto.has_boost() ? proto.boost() : 1.0f;
  CURLEW_RETURN_IF_ERROR(CheckBoost(boost, place));
  return search::NewIdsQuery({proto.values().begin(), proto.values().end()}, boost);
}

}  // namespace curlew::proto_utils
