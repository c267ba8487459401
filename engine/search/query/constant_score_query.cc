#include "engine/search/query/constant_score_query.h"

#include "engine/search/query/prepared.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

class ConstantScoreQuery : public Query {
 public:
  ConstantScoreQuery(QueryPtr filter, float boost) : filter_(std::move(filter)), boost_(boost) {}
  absl::StatusOr<PreparedPtr> Prepare(const ShardContext& context, ScoreMode) const override {
    CURLEW_ASSIGN_OR_RETURN(PreparedPtr filter, filter_->Prepare(context, ScoreMode::kNone));
    return PrepareConstant(std::move(filter), boost_);
  }

 private:
  const QueryPtr filter_;
  const float boost_;
};

}  // namespace

QueryPtr NewConstantScoreQuery(QueryPtr filter, float boost) {
  return std::make_shared<ConstantScoreQuery>(std::move(filter), boost);
}

}  // namespace curlew::search
