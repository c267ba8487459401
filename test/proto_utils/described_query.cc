#include "test/proto_utils/described_query.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "engine/search/query/bool_query.h"
#include "engine/search/query/constant_score_query.h"
#include "engine/search/query/exists_query.h"
#include "engine/search/query/ids_query.h"
#include "engine/search/query/match_all_query.h"
#include "engine/search/query/match_query.h"
#include "engine/search/query/range_query.h"
#include "engine/search/query/term_query.h"
#include "engine/search/query/terms_query.h"

namespace curlew::test {
namespace {

class DescribedQuery : public search::Query {
 public:
  explicit DescribedQuery(std::string text) : text_(std::move(text)) {}
  absl::StatusOr<std::unique_ptr<search::PreparedQuery>> Prepare(const search::ShardContext&,
                                                                 search::ScoreMode) const override {
    return absl::UnimplementedError("a description only");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

search::QueryPtr Make(std::string name, const std::vector<std::string>& parts) {
  return std::make_shared<DescribedQuery>(fmt::format("{}({})", name, fmt::join(parts, " ")));
}

void AddBoost(float boost, std::vector<std::string>& parts) {
  if (boost != 1.0f) parts.push_back(fmt::format("boost={}", boost));
}

void AddText(const char* name, const std::string& text, std::vector<std::string>& parts) {
  if (!text.empty()) parts.push_back(fmt::format("{}={}", name, text));
}

void AddClauses(const char* name, const std::vector<search::QueryPtr>& clauses,
                std::vector<std::string>& parts) {
  for (const auto& clause : clauses) parts.push_back(fmt::format("{}={}", name, Describe(clause)));
}

}  // namespace

std::string Describe(const search::QueryPtr& query) {
  return query == nullptr ? "none" : static_cast<const DescribedQuery&>(*query).text();
}

std::string DescribeValue(const mapping::QueryValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return "null";
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const auto* i = std::get_if<int64_t>(&value)) return fmt::format("{}", *i);
  if (const auto* u = std::get_if<uint64_t>(&value)) return fmt::format("{}u", *u);
  if (const auto* f = std::get_if<float>(&value)) return fmt::format("{}f", *f);
  if (const auto* d = std::get_if<double>(&value)) return fmt::format("{}d", *d);
  return fmt::format("\"{}\"", std::get<std::string>(value));
}

}  // namespace curlew::test

namespace curlew::search {

using test::DescribeValue;
using Parts = std::vector<std::string>;

QueryPtr NewMatchAllQuery(float boost) {
  Parts parts;
  test::AddBoost(boost, parts);
  return test::Make("match_all", parts);
}

QueryPtr NewMatchNoneQuery() { return test::Make("match_none", {}); }

QueryPtr NewTermQuery(TermQueryOptions o) {
  Parts parts{"field=" + o.field, "value=" + DescribeValue(o.value)};
  if (o.case_insensitive) parts.emplace_back("case_insensitive");
  test::AddBoost(o.boost, parts);
  return test::Make("term", parts);
}

QueryPtr NewTermsQuery(TermsQueryOptions o) {
  Parts parts{"field=" + o.field};
  for (const auto& value : o.values) parts.push_back(DescribeValue(value));
  test::AddBoost(o.boost, parts);
  return test::Make("terms", parts);
}

QueryPtr NewExistsQuery(std::string field, float boost) {
  Parts parts{"field=" + field};
  test::AddBoost(boost, parts);
  return test::Make("exists", parts);
}

QueryPtr NewIdsQuery(std::vector<std::string> ids, float boost) {
  Parts parts = std::move(ids);
  test::AddBoost(boost, parts);
  return test::Make("ids", parts);
}

QueryPtr NewConstantScoreQuery(QueryPtr filter, float boost) {
  Parts parts{test::Describe(filter)};
  test::AddBoost(boost, parts);
  return test::Make("constant_score", parts);
}

QueryPtr NewMatchQuery(MatchQueryOptions o) {
  Parts parts{"field=" + o.field, "query=" + DescribeValue(o.query)};
  test::AddText("analyzer", o.analyzer, parts);
  if (o.op == Operator::kAnd) parts.emplace_back("and");
  test::AddText("msm", o.minimum_should_match, parts);
  if (o.zero_terms == ZeroTerms::kAll) parts.emplace_back("zero_terms=all");
  if (o.lenient) parts.emplace_back("lenient");
  test::AddBoost(o.boost, parts);
  return test::Make("match", parts);
}

QueryPtr NewMatchPhraseQuery(MatchPhraseQueryOptions o) {
  Parts parts{"field=" + o.field, "query=" + DescribeValue(o.query)};
  test::AddText("analyzer", o.analyzer, parts);
  if (o.slop != 0) parts.push_back(fmt::format("slop={}", o.slop));
  if (o.zero_terms == ZeroTerms::kAll) parts.emplace_back("zero_terms=all");
  test::AddBoost(o.boost, parts);
  return test::Make("match_phrase", parts);
}

QueryPtr NewRangeQuery(RangeQueryOptions o) {
  Parts parts{"field=" + o.field};
  if (o.lower)
    parts.push_back((o.lower->inclusive ? "gte=" : "gt=") + DescribeValue(o.lower->value));
  if (o.upper)
    parts.push_back((o.upper->inclusive ? "lte=" : "lt=") + DescribeValue(o.upper->value));
  test::AddText("format", o.format, parts);
  test::AddText("time_zone", o.time_zone, parts);
  test::AddBoost(o.boost, parts);
  return test::Make("range", parts);
}

QueryPtr NewBoolQuery(BoolQueryOptions o) {
  Parts parts;
  test::AddClauses("must", o.must, parts);
  test::AddClauses("must_not", o.must_not, parts);
  test::AddClauses("should", o.should, parts);
  test::AddClauses("filter", o.filter, parts);
  test::AddText("msm", o.minimum_should_match, parts);
  if (!o.adjust_pure_negative) parts.emplace_back("pure_negative_matches_none");
  test::AddBoost(o.boost, parts);
  return test::Make("bool", parts);
}

}  // namespace curlew::search
