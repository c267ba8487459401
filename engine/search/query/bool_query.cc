#include "engine/search/query/bool_query.h"

#include "engine/search/query/minimum_should_match.h"
#include "engine/search/query/prepared_bool.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

class BoolQuery : public Query {
 public:
  explicit BoolQuery(BoolQueryOptions options) : options_(std::move(options)) {}

  absl::StatusOr<PreparedPtr> Prepare(const ShardContext& context, ScoreMode mode) const override {
    const size_t size = options_.must.size() + options_.must_not.size() + options_.should.size() +
                        options_.filter.size();
    if (size == 0) return PrepareAll(options_.boost);
    if (size > static_cast<size_t>(context.max_clause_count)) {
      return TooManyClauses(context.max_clause_count);
    }
    BoolClauses clauses;
    if (!options_.minimum_should_match.empty()) {
      CURLEW_ASSIGN_OR_RETURN(clauses.min_should,
                              MinimumShouldMatch(static_cast<int>(options_.should.size()),
                                                 options_.minimum_should_match));
    }
    CURLEW_RETURN_IF_ERROR(PrepareAllOf(options_.must, context, mode, clauses.must));
    CURLEW_RETURN_IF_ERROR(
        PrepareAllOf(options_.must_not, context, ScoreMode::kNone, clauses.must_not));
    CURLEW_RETURN_IF_ERROR(PrepareAllOf(options_.should, context, mode, clauses.should));
    CURLEW_RETURN_IF_ERROR(
        PrepareAllOf(options_.filter, context, ScoreMode::kNone, clauses.filter));
    const bool negative_only = size == options_.must_not.size();
    if (negative_only && !options_.adjust_pure_negative) return PrepareNone();
    CURLEW_ASSIGN_OR_RETURN(PreparedPtr prepared, PrepareBool(context, mode, std::move(clauses)));
    return PrepareBoost(std::move(prepared), options_.boost);
  }

 private:
  static absl::Status PrepareAllOf(const std::vector<QueryPtr>& queries,
                                   const ShardContext& context, ScoreMode mode,
                                   std::vector<PreparedPtr>& out) {
    for (const QueryPtr& query : queries) {
      CURLEW_ASSIGN_OR_RETURN(PreparedPtr prepared, query->Prepare(context, mode));
      out.push_back(std::move(prepared));
    }
    return absl::OkStatus();
  }

  const BoolQueryOptions options_;
};

}  // namespace

QueryPtr NewBoolQuery(BoolQueryOptions options) {
  return std::make_shared<BoolQuery>(std::move(options));
}

}  // namespace curlew::search
