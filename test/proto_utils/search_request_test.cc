// Search requests: parameters, body, sort order, and how the two levels combine.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "engine/util/error.h"
#include "test/proto_utils/described_query.h"
#include "test/proto_utils/request_text.h"

namespace curlew {
namespace {

using search::SortKey;
using test::Conversion;
using test::ConvertBody;

std::string Error(const absl::Status& status) {
  return absl::StatusCodeToString(status.code()) + ": " + DescribeError(status).reason;
}

TEST_CASE("an empty request has OpenSearch's defaults") {
  const Conversion c("");
  REQUIRE(c.status.ok());
  CHECK(c.converted.indices.empty());
  CHECK(c.converted.allow_partial);
  CHECK(c.converted.resolve.allow_no_indices);
  CHECK_FALSE(c.converted.resolve.ignore_unavailable);
  CHECK(c.converted.resolve.expand_wildcards_open);
  CHECK_FALSE(c.converted.routing.has_value());
  CHECK_FALSE(c.converted.shards.has_value());
  CHECK(c.request().query == nullptr);
  CHECK(c.request().post_filter == nullptr);
  CHECK(c.request().from == 0);
  CHECK(c.request().size == 10);
  CHECK(c.request().track_total_hits == 10000);
  CHECK(c.request().source.whole());
  CHECK_FALSE(c.request().min_score.has_value());
  CHECK(c.request().sort.empty());
}

TEST_CASE("parameters and body reach the engine") {
  const Conversion c(R"(
    index: "a" index: "b*" allow_partial_search_results: false ignore_unavailable: true
    allow_no_indices: false phase_took: true
    search_request_body {
      from: 3 size: 0 min_score: 1.5 track_scores: true version: true seq_no_primary_term: true
      query { match_all {} } post_filter { ids { values: "1" } }
    })");
  REQUIRE(c.status.ok());
  CHECK(c.converted.indices == std::vector<std::string>{"a", "b*"});
  CHECK_FALSE(c.converted.allow_partial);
  CHECK(c.converted.resolve.ignore_unavailable);
  CHECK_FALSE(c.converted.resolve.allow_no_indices);
  CHECK(c.converted.phase_took);
  CHECK(c.request().from == 3);
  CHECK(c.request().size == 0);
  CHECK(c.request().min_score == 1.5f);
  CHECK(c.request().track_scores);
  CHECK(c.request().version);
  CHECK(c.request().seq_no_primary_term);
  CHECK(test::Describe(c.request().query) == "match_all()");
  CHECK(test::Describe(c.request().post_filter) == "ids(1)");
}

TEST_CASE("wrong parameters and bodies") {
  struct Case {
    const char* proto;
    const char* expected;
  };
  const std::vector<Case> cases = {
      {"search_request_body { size: -1 }",
       "INVALID_ARGUMENT: search_request_body.size: [size] parameter cannot be negative, found "
       "[-1]"},
      {"search_request_body { from: -5 }",
       "INVALID_ARGUMENT: search_request_body.from: [from] parameter cannot be negative, found "
       "[-5]"},
      {"search_request_body { from: 1 sort { field: 'a' } search_after { string: 'x' } }",
       "INVALID_ARGUMENT: search_request_body.from: must be 0 when [search_after] is used, found "
       "[1]"},
      {"search_request_body { terminate_after: -1 }",
       "INVALID_ARGUMENT: search_request_body.terminate_after: [terminate_after] must be > 0, "
       "found "
       "[-1]"},
      {"search_request_body { terminate_after: 5 }",
       "UNIMPLEMENTED: search_request_body.terminate_after is not supported yet"},
      {"search_request_body { explain: true }",
       "UNIMPLEMENTED: search_request_body.explain is not supported yet"},
      {"search_request_body { profile: true }",
       "UNIMPLEMENTED: search_request_body.profile is not supported yet"},
      {"search_request_body { rescore { } }",
       "UNIMPLEMENTED: search_request_body.rescore is not supported yet"},
      {"search_request_body { timeout: '1s' }",
       "UNIMPLEMENTED: search_request_body.timeout is not supported yet"},
      {"search_request_body { timeout: 'abc' }",
       "INVALID_ARGUMENT: failed to parse setting [timeout] with value [abc] as a time value: unit "
       "is missing or unrecognized"},
      {"default_operator: OPERATOR_UNSPECIFIED",
       "INVALID_ARGUMENT: default_operator: the operator must be OR or AND, got [0]"},
      {"typed_keys: false", "UNIMPLEMENTED: typed_keys is not supported yet"},
      {"global_params { }", "UNIMPLEMENTED: global_params is not supported yet"},
      {"batched_reduce_size: 1",
       "INVALID_ARGUMENT: batched_reduce_size: [batched_reduce_size] must be >= 2, found [1]"},
      {"pre_filter_shard_size: 0",
       "INVALID_ARGUMENT: pre_filter_shard_size: [pre_filter_shard_size] must be >= 1, found [0]"},
      {"max_concurrent_shard_requests: 0",
       "INVALID_ARGUMENT: max_concurrent_shard_requests: [max_concurrent_shard_requests] must be "
       ">= 1, found [0]"},
      {"search_type: SEARCH_TYPE_DFS_QUERY_THEN_FETCH",
       "UNIMPLEMENTED: search_type [SEARCH_TYPE_DFS_QUERY_THEN_FETCH] is not supported yet"},
      {"search_type: SEARCH_TYPE_UNSPECIFIED",
       "INVALID_ARGUMENT: search_type: no search type for [0]"},
      {"expand_wildcards: EXPAND_WILDCARD_OPEN expand_wildcards: EXPAND_WILDCARD_UNSPECIFIED",
       "INVALID_ARGUMENT: expand_wildcards[1]: no valid expand wildcard value [0]"},
      {"preference: '_nope'", "INVALID_ARGUMENT: preference: no preference for [_nope]"},
      {"preference: '_only_nodes:x'",
       "UNIMPLEMENTED: preference [_only_nodes:x] is not supported yet"},
      {"preference: '_shards:0,x'", "INVALID_ARGUMENT: preference: [x] is no shard number"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.proto);
    CHECK(Error(Conversion(c.proto).status) == c.expected);
  }
}

TEST_CASE("fields newer than the schema are refused") {
  org::opensearch::protobufs::SearchRequest proto;
  proto.GetReflection()->MutableUnknownFields(&proto)->AddVarint(900, 1);
  proto_utils::ConvertedSearch converted;
  CHECK(Error(proto_utils::ConvertSearchRequest(proto, converted)) ==
        "UNIMPLEMENTED: field number 900 of SearchRequest (the request) is not known to this "
        "server");
  proto.Clear();
  auto* body = proto.mutable_search_request_body();
  body->GetReflection()->MutableUnknownFields(body)->AddVarint(901, 1);
  CHECK(Error(proto_utils::ConvertSearchRequest(proto, converted)) ==
        "UNIMPLEMENTED: field number 901 of SearchRequestBody (search_request_body) is not known "
        "to this server");
}

TEST_CASE("counting") {
  struct Case {
    const char* proto;
    int64_t expected;
  };
  const std::vector<Case> cases = {
      {"search_request_body { track_total_hits { enabled: true } }",
       search::kTrackTotalHitsExactly},
      {"search_request_body { track_total_hits { enabled: false } }", search::kTrackTotalHitsOff},
      {"search_request_body { track_total_hits { count: 3 } }", 3},
      {"search_request_body { track_total_hits { count: 0 } }", 0},
      {"search_request_body { track_total_hits { count: -1 } }", search::kTrackTotalHitsOff},
      {"search_request_body { track_total_hits { count: 2147483647 } }",
       search::kTrackTotalHitsExactly},
      {"search_request_body { track_total_hits { } }", 10000},
      {"total_hits_as_int: true", search::kTrackTotalHitsExactly},
      {"total_hits_as_int: false", 10000},
      {"total_hits_as_int: true search_request_body { track_total_hits { enabled: false } }",
       search::kTrackTotalHitsOff},
      {"total_hits_as_int: true search_request_body { track_total_hits { enabled: true } }",
       search::kTrackTotalHitsExactly},
  };
  for (const Case& c : cases) {
    CAPTURE(c.proto);
    const Conversion conversion(c.proto);
    CHECK(conversion.status.ok());
    CHECK(conversion.request().track_total_hits == c.expected);
  }
  CHECK(Error(ConvertBody("track_total_hits { count: -2 }").status) ==
        "INVALID_ARGUMENT: search_request_body.track_total_hits: [track_total_hits] parameter must "
        "be positive or equals to -1, got -2");
  CHECK(Error(Conversion("total_hits_as_int: true "
                         "search_request_body { track_total_hits { count: 5 } }")
                  .status) ==
        "INVALID_ARGUMENT: total_hits_as_int: cannot be used if the tracking of total hits is not "
        "accurate, got [track_total_hits] 5");
}

TEST_CASE("parameters for the source replace those of the body") {
  using Paths = std::vector<std::string>;
  struct Case {
    const char* proto;
    bool fetch;
    Paths includes;
    Paths excludes;
  };
  const std::vector<Case> cases = {
      {"search_request_body { x_source { fetch: false } }", false, {}, {}},
      {"search_request_body { x_source { filter { includes: 'a' excludes: 'b' } } }",
       true,
       {"a"},
       {"b"}},
      {"search_request_body { x_source { } }", true, {}, {}},
      {"x_source { fetch: true } search_request_body { x_source { fetch: false } }", true, {}, {}},
      {"x_source { fetch: false } search_request_body { x_source { filter { includes: 'a' } } }",
       false,
       {},
       {}},
      {"x_source { fields { string_array: 'a' } } search_request_body { x_source { fetch: false } "
       "}",
       true,
       {"a"},
       {}},
      {"x_source { fields { string_array: 'a' } } x_source_includes: 'b'", true, {"b"}, {}},
      {"x_source { fields { string_array: 'a' } } x_source_excludes: 'b'", true, {"a"}, {"b"}},
      {"x_source_excludes: 'n' search_request_body { x_source { filter { includes: 'n' } } }",
       true,
       {},
       {"n"}},
      {"x_source_includes: 'a' search_request_body { x_source { filter { excludes: 'a' } } }",
       true,
       {"a"},
       {}},
      {"x_source { } search_request_body { x_source { fetch: false } }", false, {}, {}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.proto);
    const Conversion conversion(c.proto);
    REQUIRE(conversion.status.ok());
    CHECK(conversion.request().source.fetch == c.fetch);
    CHECK(conversion.request().source.includes == c.includes);
    CHECK(conversion.request().source.excludes == c.excludes);
  }
  CHECK(Error(ConvertBody("x_source { filter { includes: 'a' includes: 't' excludes: 't' } }")
                  .status) ==
        "INVALID_ARGUMENT: search_request_body.x_source: the entry [t] is both included and "
        "excluded");
}

TEST_CASE("wildcards stand for open indexes") {
  const auto open = [](const char* states) {
    const Conversion c(states);
    REQUIRE(c.status.ok());
    return c.converted.resolve.expand_wildcards_open;
  };
  CHECK(open("expand_wildcards: EXPAND_WILDCARD_OPEN"));
  CHECK(open("expand_wildcards: EXPAND_WILDCARD_ALL"));
  CHECK_FALSE(open("expand_wildcards: EXPAND_WILDCARD_NONE"));
  CHECK_FALSE(open("expand_wildcards: EXPAND_WILDCARD_HIDDEN"));
  CHECK_FALSE(open("expand_wildcards: EXPAND_WILDCARD_CLOSED"));
  CHECK(open("expand_wildcards: EXPAND_WILDCARD_NONE expand_wildcards: EXPAND_WILDCARD_OPEN"));
  CHECK_FALSE(
      open("expand_wildcards: EXPAND_WILDCARD_OPEN expand_wildcards: EXPAND_WILDCARD_NONE"));
}

TEST_CASE("routing and preference pick shards") {
  const Conversion routed("routing: 'a,b' routing: 'c'");
  REQUIRE(routed.status.ok());
  CHECK(routed.converted.routing == std::vector<std::string>{"a", "b", "c"});
  const Conversion nowhere("routing: ''");
  REQUIRE(nowhere.converted.routing.has_value());
  CHECK(nowhere.converted.routing->empty());

  for (const char* any :
       {"mine", "_local", "_primary", "_primary_first", "_only_local", "_prefer_nodes:x", ""}) {
    CAPTURE(any);
    const Conversion c(std::string("preference: '") + any + "'");
    CHECK(c.status.ok());
    CHECK_FALSE(c.converted.shards.has_value());
  }
  CHECK(Conversion("preference: '_shards:0,2'").converted.shards == std::vector<int>{0, 2});
  CHECK(Conversion("preference: '_shards:'").converted.shards == std::vector<int>{});
  const Conversion both("preference: '_shards:1|_local'");
  CHECK(both.status.ok());
  CHECK(both.converted.shards == std::vector<int>{1});
  CHECK_FALSE(Conversion("preference: '_shards:1|_nope'").status.ok());
}

TEST_CASE("sort orders") {
  const Conversion c = ConvertBody(R"(
    sort { field: "price" }
    sort { field: "_score" }
    sort { field: "_doc" }
    sort { }
    sort { field_with_direction { sort_order_map { key: "a" value: SORT_ORDER_DESC } } }
    sort { field_with_direction { sort_order_map { key: "_score" value: SORT_ORDER_ASC } } }
    sort { options { x_score { } } }
    sort { options { x_score { order: SORT_ORDER_ASC } } }
    sort { options { x_score { order: SORT_ORDER_UNSPECIFIED } } }
    sort { field_with_order { field_sort_map { key: "b" value {
      order: SORT_ORDER_DESC mode: SORT_MODE_MEDIAN unmapped_type: FIELD_TYPE_HALF_FLOAT
      missing { string: "_first" } } } } }
    sort { field_with_order { field_sort_map { key: "c" value {
      missing { general_number { int32_value: 4 } } } } } }
    sort { field_with_order { field_sort_map { key: "d" value {
      missing { null_value: NULL_VALUE_NULL } } } } }
    sort { field_with_order { field_sort_map { key: "_doc" value { order: SORT_ORDER_DESC } } } }
  )");
  REQUIRE(c.status.ok());
  const std::vector<SortKey>& keys = c.request().sort;
  REQUIRE(keys.size() == 12);
  CHECK(keys[0].field == "price");
  CHECK_FALSE(keys[0].descending);
  CHECK(keys[1].kind == SortKey::Kind::kScore);
  CHECK(keys[1].descending);
  CHECK(keys[2].kind == SortKey::Kind::kDoc);
  CHECK_FALSE(keys[2].descending);
  CHECK(keys[3].field == "a");
  CHECK(keys[3].descending);
  CHECK(keys[4].kind == SortKey::Kind::kScore);
  CHECK_FALSE(keys[4].descending);
  CHECK(keys[5].descending);
  CHECK_FALSE(keys[6].descending);
  CHECK(keys[7].descending);
  CHECK(keys[8].descending);
  CHECK(keys[8].mode == SortKey::Mode::kMedian);
  CHECK(keys[8].unmapped_type == "half_float");
  CHECK(keys[8].missing == SortKey::Missing::kFirst);
  CHECK(keys[9].missing == SortKey::Missing::kValue);
  CHECK(test::DescribeValue(keys[9].missing_value) == "4");
  CHECK(keys[10].missing == SortKey::Missing::kLast);
  CHECK(keys[11].kind == SortKey::Kind::kDoc);
  CHECK(keys[11].descending);
}

TEST_CASE("wrong sort orders") {
  struct Case {
    const char* proto;
    const char* expected;
  };
  const std::vector<Case> cases = {
      {"field_with_direction { sort_order_map { key: 'a' value: SORT_ORDER_ASC } "
       "sort_order_map { key: 'b' value: SORT_ORDER_ASC } }",
       "INVALID_ARGUMENT: search_request_body.sort[0].field_with_direction: must name exactly one "
       "field, found 2"},
      {"field_with_direction { sort_order_map { key: 'a' value: SORT_ORDER_UNSPECIFIED } }",
       "INVALID_ARGUMENT: search_request_body.sort[0].field_with_direction[a]: the order must be "
       "SORT_ORDER_ASC or SORT_ORDER_DESC, got [0]"},
      {"field_with_order { }",
       "INVALID_ARGUMENT: search_request_body.sort[0].field_with_order: must name exactly one "
       "field, found 0"},
      {"field_with_order { field_sort_map { key: '_score' value { } } }",
       "INVALID_ARGUMENT: search_request_body.sort[0].field_with_order[_score]: a field name is "
       "required and cannot be [_score]; use options.x_score to sort by score"},
      {"field_with_order { field_sort_map { key: 'a' value { missing { } } } }",
       "INVALID_ARGUMENT: search_request_body.sort[0].field_with_order[a].missing: the FieldValue "
       "has no value (one of general_number, string, bool, null_value)"},
      {"field_with_order { field_sort_map { key: 'a' value { mode: SORT_MODE_UNSPECIFIED } } }",
       "INVALID_ARGUMENT: search_request_body.sort[0].field_with_order[a].mode: the mode must be "
       "one "
       "of min, max, sum, avg, median, got [0]"},
      {"field_with_order { field_sort_map { key: 'a' value { order: SORT_ORDER_UNSPECIFIED } } }",
       "INVALID_ARGUMENT: search_request_body.sort[0].field_with_order[a].order: the order must be "
       "SORT_ORDER_ASC or SORT_ORDER_DESC, got [0]"},
      {"field_with_order { field_sort_map { key: 'a' value { "
       "numeric_type: FIELD_SORT_NUMERIC_TYPE_UNSPECIFIED } } }",
       "INVALID_ARGUMENT: search_request_body.sort[0].field_with_order[a].numeric_type: invalid "
       "value for [numeric_type], must be [long, double, date, date_nanos], got [0]"},
      {"field_with_order { field_sort_map { key: 'a' value { "
       "numeric_type: FIELD_SORT_NUMERIC_TYPE_LONG } } }",
       "UNIMPLEMENTED: search_request_body.sort[0].field_with_order[a].numeric_type is not "
       "supported yet"},
      {"options { x_script { } }",
       "UNIMPLEMENTED: search_request_body.sort[0].options.x_script is not supported yet"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.proto);
    CHECK(Error(ConvertBody(std::string("sort { ") + c.proto + " }").status) == c.expected);
  }
}

TEST_CASE("search_after takes values of every type") {
  const Conversion c = ConvertBody(R"(
    search_after { general_number { int32_value: -1 } }
    search_after { general_number { int64_value: 9007199254740993 } }
    search_after { general_number { uint64_value: 18446744073709551615 } }
    search_after { general_number { float_value: 0.5 } }
    search_after { general_number { double_value: 0.1 } }
    search_after { string: "x" } search_after { bool: true }
    search_after { null_value: NULL_VALUE_NULL })");
  REQUIRE(c.status.ok());
  std::vector<std::string> values;
  for (const auto& value : c.request().search_after) values.push_back(test::DescribeValue(value));
  CHECK(values == std::vector<std::string>{"-1", "9007199254740993", "18446744073709551615u",
                                           "0.5f", "0.1d", "\"x\"", "true", "null"});
  CHECK(
      Error(ConvertBody("search_after { string: 'a' } search_after { }").status) ==
      "INVALID_ARGUMENT: search_request_body.search_after[1]: the FieldValue has no value (one of "
      "general_number, string, bool, null_value)");
}

}  // namespace
}  // namespace curlew
