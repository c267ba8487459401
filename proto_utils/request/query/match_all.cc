#include "engine/search/query/match_all_query.h"

#include "engine/util/error.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::MatchAllQuery;
using org::opensearch::protobufs::MatchNoneQuery;
using org::opensearch::protobufs::QueryContainer;

absl::StatusOr<search::QueryPtr> ConvertMatchAll(const QueryContainer& container,
                                                 const QueryPlace& place) {
  const MatchAllQuery& proto = container.match_all();
  CURLEW_RETURN_IF_ERROR(RefuseOthers(proto, {MatchAllQuery::kBoostFieldNumber}, place.path));
  const float boost = proto.has_boost() ? proto.boost() : 1.0f;
  CURLEW_RETURN_IF_ERROR(CheckBoost(boost, place));
  return search::NewMatchAllQuery(boost);
}

absl::StatusOr<search::QueryPtr> ConvertMatchNone(const QueryContainer& container,
                                                  const QueryPlace& place) {
  const MatchNoneQuery& proto = container.match_none();
  CURLEW_RETURN_IF_ERROR(RefuseOthers(proto, {MatchNoneQuery::kBoostFieldNumber}, place.path));
  CURLEW_RETURN_IF_ERROR(CheckBoost(proto.boost(), place));
  return search::NewMatchNoneQuery();
}

}  // namespace curlew::proto_utils
