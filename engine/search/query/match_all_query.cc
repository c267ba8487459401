#include "engine/search/query/match_all_query.h"

#include "engine/search/query/prepared.h"

namespace curlew::search {
namespace {

class MatchAllQuery : public Query {
 public:
  explicit MatchAllQuery(float boost) : boost_(boost) {}
  absl::StatusOr<PreparedPtr> Prepare(const ShardContext&, ScoreMode) const override {
    return PrepareAll(boost_);
  }

 private:
  const float boost_;
};

class MatchNoneQuery : public Query {
 public:
  absl::StatusOr<PreparedPtr> Prepare(const ShardContext&, ScoreMode) const override {
    return PrepareNone();
  }
};

}  // namespace

QueryPtr NewMatchAllQuery(float boost) { return std::make_shared<MatchAllQuery>(boost); }
QueryPtr NewMatchNoneQuery() { return std::make_shared<MatchNoneQuery>(); }

}  // namespace curlew::search
