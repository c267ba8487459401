#include "engine/search/query/constant_score_query.h"

#include "engine/util/error.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::ConstantScoreQuery;
using org::opensearch::protobufs::QueryContainer;

absl::StatusOr<search::QueryPtr> ConvertConstantScore(const QueryContainer& container,
                                                      const QueryPlace& place) {
  const ConstantScoreQuery& proto = container.constant_score();
  CURLEW_RETURN_IF_ERROR(RefuseOthers(
      proto, {ConstantScoreQuery::kFilterFieldNumber, ConstantScoreQuery::kBoostFieldNumber},
      place.path));
  const std::string path = Join(place.path, "filter");
  if (!proto.has_filter()) return Invalid(path, "a constant_score query must have a filter");
  CURLEW_ASSIGN_OR_RETURN(search::QueryPtr filter,
                          ConvertInnerQuery(proto.filter(), place, path, 1));
  const float boost = proto.has_boost() ? proto.boost() : 1.0f;
  CURLEW_RETURN_IF_ERROR(CheckBoost(boost, place));
  return search::NewConstantScoreQuery(std::move(filter), boost);
}

}  // namespace curlew::proto_utils
