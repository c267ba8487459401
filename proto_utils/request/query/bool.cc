#include "engine/search/query/bool_query.h"
#include "engine/util/error.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/refusal.h"
#include "protos/opensearch/query/query_container.pb.h"

namespace curlew::proto_utils {

using org::opensearch::protobufs::BoolQuery;
using org::opensearch::protobufs::QueryContainer;

namespace {

absl::Status ConvertClauses(const google::protobuf::RepeatedPtrField<QueryContainer>& clauses,
                            const QueryPlace& place, const char* name, float boost,
                            std::vector<search::QueryPtr>& out) {
  out.reserve(clauses.size());
  for (int i = 0; i < clauses.size(); ++i) {
    CURLEW_ASSIGN_OR_RETURN(
        search::QueryPtr clause,
        ConvertInnerQuery(clauses[i], place, At(Join(place.path, name), i), boost));
    out.push_back(std::move(clause));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<search::QueryPtr> ConvertBool(const QueryContainer& container,
                                             const QueryPlace& place) {
  const BoolQuery& proto = container.bool_();
  CURLEW_RETURN_IF_ERROR(
      RefuseOthers(proto,
                   {BoolQuery::kBoostFieldNumber, BoolQuery::kFilterFieldNumber,
                    BoolQuery::kMinimumShouldMatchFieldNumber, BoolQuery::kMustFieldNumber,
                    BoolQuery::kMustNotFieldNumber, BoolQuery::kShouldFieldNumber,
                    BoolQuery::kAdjustPureNegativeFieldNumber},
                   place.path));
  search::BoolQueryOptions options;
  if (proto.has_boost()) options.boost = proto.boost();
  CURLEW_RETURN_IF_ERROR(CheckBoost(options.boost, place));
  const float scored = place.boost * options.boost;
  CURLEW_RETURN_IF_ERROR(ConvertClauses(proto.must(), place, "must", scored, options.must));
  CURLEW_RETURN_IF_ERROR(ConvertClauses(proto.must_not(), place, "must_not", 1, options.must_not));
  CURLEW_RETURN_IF_ERROR(ConvertClauses(proto.should(), place, "should", scored, options.should));
  CURLEW_RETURN_IF_ERROR(ConvertClauses(proto.filter(), place, "filter", 1, options.filter));
  if (proto.has_minimum_should_match()) {
    CURLEW_RETURN_IF_ERROR(ReadMinimumShouldMatch(proto.minimum_should_match(),
                                                  Join(place.path, "minimum_should_match"),
                                                  options.minimum_should_match));
  }
  if (proto.has_adjust_pure_negative()) {
    options.adjust_pure_negative = proto.adjust_pure_negative();
  }
  return search::NewBoolQuery(std::move(options));
}

}  // namespace curlew::proto_utils
