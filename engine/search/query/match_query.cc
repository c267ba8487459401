#include "engine/search/query/match_query.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "engine/analysis/analyzer.h"
#include "engine/search/query/exact.h"
#include "engine/search/query/minimum_should_match.h"
#include "engine/search/query/prepared_bool.h"
#include "engine/search/query/query_text.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

class MatchQuery : public Query {
 public:
  explicit MatchQuery(MatchQueryOptions options) : options_(std::move(options)) {}

  absl::StatusOr<PreparedPtr> Prepare(const ShardContext& context, ScoreMode mode) const override {
    const mapping::MappedField* field = context.mapping->Find(options_.field);
    if (field == nullptr) return PrepareNone();
    if (field->kind == mapping::FieldKind::kText) return PrepareText(context, mode, *field);
    absl::StatusOr<PreparedPtr> prepared =
        PrepareExact(context, mode, *field, options_.query, options_.boost);
    if (!prepared.ok() && options_.lenient) return PrepareNone();
    return prepared;
  }

 private:
  absl::StatusOr<PreparedPtr> PrepareText(const ShardContext& context, ScoreMode mode,
                                          const mapping::MappedField& field) const {
    CURLEW_RETURN_IF_ERROR(CheckSearchable(field));
    CURLEW_ASSIGN_OR_RETURN(
        std::vector<QueryPosition> positions,
        AnalyzeQueryText(context, "match", field, options_.analyzer, options_.query));
    if (positions.empty()) {
      return options_.zero_terms == ZeroTerms::kAll ? PrepareAll(options_.boost) : PrepareNone();
    }
    if (positions.size() == 1) return PreparePosition(context, mode, field, positions[0]);

    BoolClauses clauses;
    auto& list = options_.op == Operator::kAnd ? clauses.must : clauses.should;
    for (const QueryPosition& position : positions) {
      CURLEW_ASSIGN_OR_RETURN(PreparedPtr clause, PreparePosition(context, mode, field, position));
      list.push_back(std::move(clause));
    }
    if (!options_.minimum_should_match.empty()) {
      CURLEW_ASSIGN_OR_RETURN(clauses.min_should,
                              MinimumShouldMatch(static_cast<int>(clauses.should.size()),
                                                 options_.minimum_should_match));
    }
    return PrepareBool(context, mode, std::move(clauses));
  }

  // Terms at one position stand for each other: any of them will do.
  absl::StatusOr<PreparedPtr> PreparePosition(const ShardContext& context, ScoreMode mode,
                                              const mapping::MappedField& field,
                                              const QueryPosition& position) const {
    BoolClauses any;
    for (const std::string& term : position.terms) {
      CURLEW_ASSIGN_OR_RETURN(PreparedPtr clause,
                              PrepareExact(context, mode, field, term, options_.boost));
      any.should.push_back(std::move(clause));
    }
    return PrepareBool(context, mode, std::move(any));
  }

  const MatchQueryOptions options_;
};

}  // namespace

QueryPtr NewMatchQuery(MatchQueryOptions options) {
  return std::make_shared<MatchQuery>(std::move(options));
}

}  // namespace curlew::search
