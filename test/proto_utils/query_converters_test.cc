// Each query kind: what reaches the engine, and what is refused how.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "engine/util/error.h"
#include "proto_utils/request/query/converter.h"
#include "proto_utils/request/query/registry.h"
#include "protos/opensearch/query/query_container.pb.h"
#include "test/proto_utils/described_query.h"
#include "test/proto_utils/request_text.h"

namespace curlew {
namespace {

using org::opensearch::protobufs::QueryContainer;

// The query's description, or the error as "CODE: message".
std::string Convert(const QueryContainer& container) {
  const auto query = proto_utils::ConvertQuery(container, "query");
  if (query.ok()) return test::Describe(*query);
  return absl::StatusCodeToString(query.status().code()) + ": " +
         DescribeError(query.status()).reason;
}
std::string Convert(const std::string& text) { return Convert(test::Parse<QueryContainer>(text)); }

struct Case {
  const char* proto;
  const char* expected;
};

TEST_CASE("served queries reach the engine with their options") {
  const std::vector<Case> cases = {
      {"match_all {}", "match_all()"},
      {"match_all { boost: 2.5 }", "match_all(boost=2.5)"},
      {"match_all { boost: 0 }", "match_all(boost=0)"},
      {"match_none { boost: 3 }", "match_none()"},
      {R"(term { field: "f" value { string: "x" } })", R"(term(field=f value="x"))"},
      {R"(term { field: "f" value { bool: true } case_insensitive: true boost: 2 })",
       "term(field=f value=true case_insensitive boost=2)"},
      {"term { field: 'f' value { general_number { int32_value: -7 } } }",
       "term(field=f value=-7)"},
      {"term { field: 'f' value { general_number { float_value: 1.5 } } }",
       "term(field=f value=1.5f)"},
      {"term { field: 'f' value { general_number { uint64_value: 18446744073709551615 } } }",
       "term(field=f value=18446744073709551615u)"},
      // A number counts before text, text before a boolean.
      {"term { field: 'f' value { bool: true string: 's' general_number { int64_value: 1 } } }",
       "term(field=f value=1)"},
      {"term { field: 'f' value { bool: true string: 's' null_value: NULL_VALUE_NULL } }",
       R"(term(field=f value="s"))"},
      {"terms { terms { key: 'f' value { value { field_value_array { string: 'a' } "
       "field_value_array { general_number { int64_value: 2 } } } } } boost: 3 }",
       R"(terms(field=f "a" 2 boost=3))"},
      {"terms { terms { key: 'f' value { value { } } } value_type: TERMS_QUERY_VALUE_TYPE_DEFAULT "
       "}",
       "terms(field=f)"},
      {"exists { field: 'a.*' boost: 2 }", "exists(field=a.* boost=2)"},
      {"ids { values: 'x' values: 'y' }", "ids(x y)"},
      {"ids { }", "ids()"},
      {"constant_score { filter { ids { values: 'x' } } boost: 4 }",
       "constant_score(ids(x) boost=4)"},
      {"match { field: 'f' query { string: 'a b' } }", R"(match(field=f query="a b"))"},
      {"match { field: 'f' query { string: 'a b' } operator: OPERATOR_AND analyzer: 'stop' "
       "zero_terms_query: ZERO_TERMS_QUERY_ALL lenient: true boost: 2 }",
       R"(match(field=f query="a b" analyzer=stop and zero_terms=all lenient boost=2))"},
      {"match { field: 'f' query { string: 'a' } operator: OPERATOR_UNSPECIFIED "
       "minimum_should_match { int32: -1 } }",
       R"(match(field=f query="a" msm=-1))"},
      {"match { field: 'f' query { string: 'a' } minimum_should_match { string: '2<75%' } }",
       R"(match(field=f query="a" msm=2<75%))"},
      {"match { field: 'f' query { general_number { double_value: 0.5 } } "
       "minimum_should_match { } }",
       "match(field=f query=0.5d)"},
      {"match_phrase { field: 'f' query: 'a b' slop: 0 analyzer: 'simple' }",
       R"(match_phrase(field=f query="a b" analyzer=simple))"},
      {"bool { }", "bool()"},
      {"bool { must { match_all {} } must_not { ids { values: 'n' } } should { match_none {} } "
       "filter { exists { field: 'e' } } minimum_should_match { int32: 1 } boost: 2 "
       "adjust_pure_negative: false }",
       "bool(must=match_all() must_not=ids(n) should=match_none() filter=exists(field=e) msm=1 "
       "pure_negative_matches_none boost=2)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.proto);
    CHECK(Convert(c.proto) == c.expected);
  }
}

TEST_CASE("boosts that multiply out to infinity are refused where they do") {
  const std::string inner = "match_all { boost: 1e30 }";
  const auto message = [](const std::string& proto) {
    const auto query = proto_utils::ConvertQuery(test::Parse<QueryContainer>(proto), "query");
    return query.ok() ? std::string() : DescribeError(query.status()).reason;
  };
  CHECK_THAT(message("bool { boost: 1e30 must { " + inner + " } }"),
             Catch::Contains("query.bool.must[0].match_all.boost") &&
                 Catch::Contains("boost must be a positive float, got Infinity"));
  CHECK_THAT(message("bool { boost: 1e30 should { bool { boost: 1e5 must { range { "
                     "number_range_query { field: 'n' boost: 1e5 } } } } } }"),
             Catch::Contains("query.bool.should[0].bool.must[0].range.number_range_query.boost"));
  // Also below a clause that is not scored, but not across it.
  CHECK_THAT(message("bool { filter { bool { boost: 1e30 must { " + inner + " } } } }"),
             Catch::Contains("query.bool.filter[0].bool.must[0].match_all.boost"));
  CHECK(message("bool { boost: 1e30 filter { " + inner + " } must_not { " + inner + " } }") == "");
  CHECK(message("bool { boost: 1e30 must { constant_score { filter { " + inner + " } } } }") == "");
  CHECK(message("bool { boost: 1e8 must { " + inner + " } }") == "");
}

TEST_CASE("range bounds apply in OpenSearch's order") {
  const std::vector<Case> cases = {
      {"gte: 1 lte: 2", "gte=1d lte=2d"},
      {"gt: 1 lt: 2", "gt=1d lt=2d"},
      {"gt: 1 gte: 3 lt: 9 lte: 7", "gte=3d lte=7d"},
      {"from { double: 1 } to { double: 2 }", "gte=1d lte=2d"},
      {"from { double: 1 } to { double: 2 } include_lower: false include_upper: false",
       "gt=1d lt=2d"},
      {"from { string: '9007199254740993' } to { null_value: NULL_VALUE_NULL }",
       R"(gte="9007199254740993")"},
      {"from { double: 1 } include_lower: false gte: 5", "gte=5d"},
      {"from { } to { }", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.proto);
    const std::string tail = *c.expected == '\0' ? "" : std::string(" ") + c.expected;
    CHECK(Convert(std::string("range { number_range_query { field: 'n' ") + c.proto + " } }") ==
          "range(field=n" + tail + ")");
  }
  CHECK(Convert("range { date_range_query { field: 'd' gte: '2024' lt: 'now' format: 'yyyy' "
                "time_zone: '+01:00' boost: 2 relation: RANGE_RELATION_WITHIN } }") ==
        R"(range(field=d gte="2024" lt="now" format=yyyy time_zone=+01:00 boost=2))");
  CHECK(Convert("range { date_range_query { field: 'd' from { string: 'a' } to { string: 'b' } "
                "include_upper: false } }") == R"(range(field=d gte="a" lt="b"))");
}

TEST_CASE("wrong queries are refused with path and reason") {
  const std::vector<Case> cases = {
      {"", "INVALID_ARGUMENT: query: unsupported query type in container (QUERYCONTAINER_NOT_SET)"},
      {"term { value { string: 'x' } }",
       "INVALID_ARGUMENT: query.term.field: the field name is empty"},
      {"term { field: 'f' }",
       "INVALID_ARGUMENT: query.term.value: the FieldValue has no value (one of general_number, "
       "string, bool, null_value)"},
      {"term { field: 'f' value { null_value: NULL_VALUE_NULL } }",
       "INVALID_ARGUMENT: query.term.value: value cannot be null"},
      {"term { field: 'f' value { general_number { } } }",
       "INVALID_ARGUMENT: query.term.value: the general_number has no value"},
      {"term { field: 'f' value { string: 'x' } boost: -1 }",
       "INVALID_ARGUMENT: query.term.boost: negative [boost] are not allowed, found [-1]"},
      {"match_all { boost: -0.0 }",
       "INVALID_ARGUMENT: query.match_all.boost: negative [boost] are not allowed, found [-0]"},
      {"match_all { boost: nan }",
       "INVALID_ARGUMENT: query.match_all.boost: [boost] must be finite, found [nan]"},
      {"match_all { boost: inf }",
       "INVALID_ARGUMENT: query.match_all.boost: [boost] must be finite, found [inf]"},
      {"terms { }",
       "INVALID_ARGUMENT: query.terms.terms: must contain exactly one field, found: 0"},
      {"terms { terms { key: 'a' value { value { } } } terms { key: 'b' value { value { } } } }",
       "INVALID_ARGUMENT: query.terms.terms: must contain exactly one field, found: 2"},
      {"terms { terms { key: '' value { value { } } } }",
       "INVALID_ARGUMENT: query.terms.terms[]: the field name is empty"},
      {"terms { terms { key: 'a' value { } } }",
       "INVALID_ARGUMENT: query.terms.terms[a]: either value or lookup must be given"},
      {"terms { terms { key: 'a' value { value { field_value_array { string: 'x' } "
       "field_value_array { null_value: NULL_VALUE_NULL } } } } }",
       "INVALID_ARGUMENT: query.terms.terms[a].value[1]: a value of a terms query cannot be null"},
      {"terms { terms { key: 'a' value { value { } } } value_type: TERMS_QUERY_VALUE_TYPE_BITMAP }",
       "UNIMPLEMENTED: query.terms.value_type [TERMS_QUERY_VALUE_TYPE_BITMAP] is not supported "
       "yet"},
      {"exists { }", "INVALID_ARGUMENT: query.exists.field: the field name is empty"},
      {"constant_score { }",
       "INVALID_ARGUMENT: query.constant_score.filter: a constant_score query must have a filter"},
      {"constant_score { filter { } }",
       "INVALID_ARGUMENT: query.constant_score.filter: unsupported query type in container "
       "(QUERYCONTAINER_NOT_SET)"},
      {"match { query { string: 'a' } }",
       "INVALID_ARGUMENT: query.match.field: the field name is empty"},
      {"match { field: 'f' query { null_value: NULL_VALUE_NULL } }",
       "INVALID_ARGUMENT: query.match.query: a match query requires a value, found null"},
      {"match { field: 'f' query { string: 'a' } prefix_length: -1 }",
       "INVALID_ARGUMENT: query.match.prefix_length: must be non-negative, found [-1]"},
      {"match { field: 'f' query { string: 'a' } max_expansions: 0 }",
       "INVALID_ARGUMENT: query.match.max_expansions: must be positive, found [0]"},
      {"match_phrase { field: 'f' query: '' }",
       "INVALID_ARGUMENT: query.match_phrase.query: the text of a match_phrase query is empty"},
      {"match_phrase { query: 'a' }",
       "INVALID_ARGUMENT: query.match_phrase.field: the field name is empty"},
      {"match_phrase { field: 'f' query: 'a' slop: -1 }",
       "INVALID_ARGUMENT: query.match_phrase.slop: No negative slop allowed, found [-1]"},
      {"match_phrase { field: 'f' query: 'a' slop: 2 }",
       "UNIMPLEMENTED: query.match_phrase.slop above 0 is not supported yet"},
      {"range { }",
       "INVALID_ARGUMENT: query.range: either number_range_query or date_range_query must be "
       "given"},
      {"range { number_range_query { gte: 1 } }",
       "INVALID_ARGUMENT: query.range.number_range_query.field: the field name is empty"},
      {"range { date_range_query { field: 'd' gte: 'x' boost: -2 } }",
       "INVALID_ARGUMENT: query.range.date_range_query.boost: negative [boost] are not allowed, "
       "found [-2]"},
      {"bool { must { match_all {} } filter { bool { should { fuzzy { field: 'f' } } } } }",
       "UNIMPLEMENTED: query.bool.filter[0].bool.should[0].fuzzy is not supported yet"},
      {"bool { x_name: 'n' }", "UNIMPLEMENTED: query.bool.x_name is not supported yet"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.proto);
    CHECK(Convert(c.proto) == c.expected);
  }
}

TEST_CASE("enum values beyond the schema") {
  auto container = test::Parse<QueryContainer>("match { field: 'f' query { string: 'a' } }");
  container.mutable_match()->set_operator_(static_cast<org::opensearch::protobufs::Operator>(99));
  CHECK(Convert(container) ==
        "INVALID_ARGUMENT: query.match.operator: the operator must be OR or AND, got [99]");
}

// A bool query nested `depth` deep around a match_all.
QueryContainer Nested(int depth) {
  QueryContainer container;
  QueryContainer* at = &container;
  for (int i = 0; i < depth; ++i) at = at->mutable_bool_()->add_must();
  at->mutable_match_all();
  return container;
}

TEST_CASE("depth of nested queries is limited") {
  CHECK(Convert(Nested(25)).starts_with("bool(must=bool("));
  CHECK(Convert(Nested(proto_utils::kMaxQueryDepth - 1)).starts_with("bool("));
  const std::string refused = Convert(Nested(proto_utils::kMaxQueryDepth));
  CHECK(refused.starts_with("INVALID_ARGUMENT: query.bool.must[0].bool"));
  CHECK(refused.ends_with("queries may be nested at most 100 deep"));
  CHECK(Convert(Nested(3000)).starts_with("INVALID_ARGUMENT"));
}

TEST_CASE("arms and options newer than the schema are refused") {
  QueryContainer container;
  // Field 77 as a message of no bytes.
  REQUIRE(container.ParseFromString(std::string("\xea\x04\x00", 3)));
  CHECK(Convert(container) ==
        "UNIMPLEMENTED: field number 77 of QueryContainer (query) is not known to this server");
  container.Clear();
  container.mutable_term()->set_field("f");
  container.mutable_term()->mutable_value()->set_string("x");
  container.mutable_term()
      ->GetReflection()
      ->MutableUnknownFields(container.mutable_term())
      ->AddVarint(99, 1);
  CHECK(Convert(container) ==
        "UNIMPLEMENTED: field number 99 of TermQuery (query.term) is not known to this server");
}

}  // namespace
}  // namespace curlew
