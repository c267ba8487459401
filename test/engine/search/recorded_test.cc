// Searches recorded from OpenSearch, run over a real shard: ids in order, scores, totals.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/search/query/bool_query.h"
#include "engine/search/query/constant_score_query.h"
#include "engine/search/query/exists_query.h"
#include "engine/search/query/ids_query.h"
#include "engine/search/query/match_all_query.h"
#include "engine/search/query/match_query.h"
#include "engine/search/query/range_query.h"
#include "engine/search/query/term_query.h"
#include "engine/search/query/terms_query.h"
#include "engine/search/shard_search.h"
#include "engine/store/memory_directory.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::search {
namespace {

using Json = nlohmann::ordered_json;
using mapping::QueryValue;

QueryValue ToValue(const Json& value) {
  if (value.contains("string")) return value["string"].get<std::string>();
  if (value.contains("bool")) return value["bool"].get<bool>();
  const Json& number = value.at("general_number");
  if (number.contains("double_value")) return number["double_value"].get<double>();
  if (number.contains("int32_value")) return number["int32_value"].get<int64_t>();
  return int64_t{std::stoll(number.at("int64_value").get<std::string>())};
}

std::string MinimumOf(const Json& query) {
  if (!query.contains("minimum_should_match")) return "";
  const Json& minimum = query["minimum_should_match"];
  return minimum.contains("int32") ? std::to_string(minimum["int32"].get<int>())
                                   : minimum["string"].get<std::string>();
}

std::optional<mapping::RangeBound> BoundOf(const Json& range, const char* inclusive,
                                           const char* exclusive) {
  for (const char* name : {inclusive, exclusive}) {
    if (!range.contains(name)) continue;
    const Json& value = range[name];
    return mapping::RangeBound{
        value.is_string() ? QueryValue(value.get<std::string>()) : QueryValue(value.get<double>()),
        name == inclusive};
  }
  return std::nullopt;
}

QueryPtr ToQuery(const Json& container);

std::vector<QueryPtr> ToQueries(const Json& query, const char* name) {
  std::vector<QueryPtr> queries;
  if (query.contains(name)) {
    for (const Json& clause : query[name]) queries.push_back(ToQuery(clause));
  }
  return queries;
}

QueryPtr ToQuery(const Json& container) {
  const std::string kind = container.begin().key();
  const Json& query = container.begin().value();
  const float boost = query.value("boost", 1.0f);
  if (kind == "match_all") return NewMatchAllQuery(boost);
  if (kind == "match_none") return NewMatchNoneQuery();
  if (kind == "term") return NewTermQuery({query["field"], ToValue(query["value"]), false, boost});
  if (kind == "exists") return NewExistsQuery(query["field"], boost);
  if (kind == "ids") return NewIdsQuery(query["values"].get<std::vector<std::string>>(), boost);
  if (kind == "constant_score") return NewConstantScoreQuery(ToQuery(query["filter"]), boost);
  if (kind == "terms") {
    TermsQueryOptions options{query["terms"].begin().key(), {}, boost};
    for (const Json& value : query["terms"].begin().value()["value"]["field_value_array"]) {
      options.values.push_back(ToValue(value));
    }
    return NewTermsQuery(std::move(options));
  }
  if (kind == "range") {
    const Json& range = query.begin().value();
    RangeQueryOptions options;
    options.field = range["field"];
    options.lower = BoundOf(range, "gte", "gt");
    options.upper = BoundOf(range, "lte", "lt");
    return NewRangeQuery(std::move(options));
  }
  if (kind == "match") {
    MatchQueryOptions options;
    options.field = query["field"];
    options.query = ToValue(query["query"]);
    options.op = query.value("operator", "") == "OPERATOR_AND" ? Operator::kAnd : Operator::kOr;
    options.minimum_should_match = MinimumOf(query);
    options.boost = boost;
    return NewMatchQuery(std::move(options));
  }
  if (kind == "match_phrase") {
    MatchPhraseQueryOptions options;
    options.field = query["field"];
    options.query = query["query"].get<std::string>();
    options.boost = boost;
    return NewMatchPhraseQuery(std::move(options));
  }
  REQUIRE(kind == "bool");
  BoolQueryOptions options;
  options.must = ToQueries(query, "must");
  options.must_not = ToQueries(query, "must_not");
  options.should = ToQueries(query, "should");
  options.filter = ToQueries(query, "filter");
  options.minimum_should_match = MinimumOf(query);
  options.boost = boost;
  return NewBoolQuery(std::move(options));
}

bool Close(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b)); }

TEST_CASE("recorded searches", "[search]") {
  std::ifstream file(CURLEW_SOURCE_DIR "/test/cases/oracle/main-search.json");
  REQUIRE(file.good());
  const Json recorded = Json::parse(file);
  const std::string index = "main-search";
  index::ShardWorld world(recorded["indices"][index]["mappings"].dump());
  const auto shard = world.Open(store::NewMemoryDirectory());
  std::map<uint32_t, std::string> ids;
  for (const Json& document : recorded["docs"][index]) {
    const std::string id = document[0], source = document[1].dump();
    index::ApplyDurable(*shard, index::IndexOp(id, source));
    ids[static_cast<uint32_t>(ids.size())] = id;
  }
  REQUIRE(shard->Refresh().ok());

  int compared = 0;
  for (const Json& step : recorded["steps"]) {
    if (!step.contains("response")) continue;
    const Json& body = step["request"]["search_request_body"];
    if (!body.contains("query") || body.contains("sort")) continue;
    CAPTURE(step["name"].get<std::string>());
    SearchRequest request;
    request.query = ToQuery(body["query"]);
    request.size = body.value("size", 10);
    if (body.contains("min_score")) request.min_score = body["min_score"].get<float>();
    if (body.contains("track_total_hits")) {
      request.track_total_hits = body["track_total_hits"].value("count", int64_t{10000});
    }
    ShardContext context;
    context.index = index;
    context.mapping = world.mapper->current();
    context.snapshot = shard->snapshot();
    context.analyzers = &analysis::AnalyzerRegistry::BuiltIn();
    CancelToken cancel;
    const auto result = NewLocalShardSearch(context, 10000)->Query(request, cancel);
    REQUIRE(result.ok());

    const Json& hits = step["response"]["hits"];
    const Json expected = hits.value("hits", Json::array());
    REQUIRE(result->hits.size() == expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      CHECK(ids[result->hits[i].doc] == expected[i]["x_id"].get<std::string>());
      CHECK(Close(result->hits[i].score, expected[i]["x_score"].value("double", 0.0)));
    }
    if (hits["total"].contains("total_hits")) {
      const Json& total = hits["total"]["total_hits"];
      CHECK(std::to_string(result->total.value) == total.value("value", "0"));
      CHECK(result->total.exact == (total["relation"] == "TOTAL_HITS_RELATION_EQ"));
    }
    ++compared;
  }
  CHECK(compared > 90);
}

}  // namespace
}  // namespace curlew::search
