#include "engine/mapping/document_parser.h"

#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "engine/codec/columns/numbers.h"
#include "engine/mapping/tree.h"
#include "test/engine/mapping/support.h"
#include "test/support/colliding_names.h"

namespace curlew::mapping::test {
namespace {

TEST_CASE("recorded documents of one field are taken and refused as OpenSearch does") {
  const std::vector<std::string> lines = ReadLines("document-coercion.jsonl");
  REQUIRE(lines.size() > 1000);
  for (const std::string& line : lines) {
    const JsonValue record = ParseJsonValue(line).value();
    const std::string mapping = "{\"dynamic\":\"strict\",\"properties\":{" +
                                JsonString(record.Find("field")->text) + ":" +
                                ToJson(*record.Find("definition")) + "}}";
    const std::string& source = record.Find("source")->text;
    INFO(mapping << " " << source);
    Index index(mapping);
    const absl::Status status = index.Add(source).status();
    INFO(status.ToString());
    CHECK(TypeOf(status) == record.Find("error")->text);
  }
}

std::string FromBase64(std::string_view in) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : in) {
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    if ((count += 6) >= 8) out.push_back(static_cast<char>(bits >> (count -= 8)));
  }
  return out;
}

TEST_CASE("recorded documents of an index are taken and refused as OpenSearch does") {
  const std::vector<std::string> lines = ReadLines("document-json.jsonl");
  REQUIRE(lines.size() > 200);
  MappingLimits limits;
  limits.total_fields = 4000;  // as the recorded index has it
  std::map<std::string, std::unique_ptr<Index>> indexes;
  for (const std::string& line : lines) {
    const JsonValue record = ParseJsonValue(line).value();
    std::unique_ptr<Index>& index = indexes[record.Find("index")->text];
    if (index == nullptr) {
      index = std::make_unique<Index>(ToJson(*record.Find("mappings")), limits);
    }
    const absl::Status status = index->Add(FromBase64(record.Find("base64")->text)).status();
    INFO(record.Find("index")->text << " " << record.Find("name")->text << " "
                                    << status.ToString());
    CHECK(TypeOf(status) == record.Find("error")->text);
  }
}

std::string Float(float v) { return std::to_string(codec::FloatToSortable(v)); }
std::string Double(double v) { return std::to_string(codec::DoubleToSortable(v)); }

TEST_CASE("values as they are indexed") {
  struct Case {
    const char* definition;
    const char* value;
    Values expected;
  };
  const Case cases[] = {
      {R"({"type":"long"})", "-1.9", {"f=-1"}},
      {R"({"type":"long"})", "\"9223372036854775807\"", {"f=9223372036854775807"}},
      {R"({"type":"long"})", "9223372036854775807.5", {"f=9223372036854775807"}},
      {R"({"type":"long"})", "[3,[1,[\"2\"]],null,1]", {"f=3", "f=1", "f=2", "f=1"}},
      {R"({"type":"long","null_value":7})", "[null,\"\"]", {"f=7", "f=7"}},
      {R"({"type":"integer"})", "\" 5d\"", {"f=5"}},
      {R"({"type":"integer"})", "\"NaN\"", {"f=0"}},
      {R"({"type":"integer"})", "1e2", {"f=100"}},
      {R"({"type":"byte"})", "127.9", {"f=127"}},
      {R"({"type":"integer","ignore_malformed":true})", "[1,\"x\",{\"a\":1},2]", {"f=1", "f=2"}},
      {R"({"type":"float"})", "16777217", {"f=" + Float(16777216)}},
      {R"({"type":"float"})", "0.1234567890123", {"f=" + Float(0.12345679f)}},
      {R"({"type":"double"})", "\"-1.5\"", {"f=" + Double(-1.5)}},
      {R"({"type":"double","null_value":0.5})", "null", {"f=" + Double(0.5)}},
      {R"({"type":"boolean"})", "[true,\"false\",\"\"]", {"f=1", "f=0", "f=0"}},
      {R"({"type":"date"})", "\"1970-01-02\"", {"f=86400000"}},
      {R"({"type":"date"})", "1700000000123", {"f=1700000000123"}},
      {R"({"type":"date"})", "2024", {"f=1704067200000"}},
      {R"({"type":"date"})", "1704164645.5", {"f=1704164645"}},
      {R"({"type":"date","format":"epoch_second"})", "1.5", {"f=1500"}},
      {R"({"type":"date","null_value":"1970-01-01"})", "[null]", {"f=0"}},
      {R"({"type":"keyword"})",
       "[1.50,1e3,true,12345678901234567890]",
       {"f=1.50", "f=1e3", "f=true", "f=12345678901234567890"}},
      {R"({"type":"keyword","null_value":"N/A"})", "[null,\"x\"]", {"f=N/A", "f=x"}},
      {R"({"type":"keyword","ignore_above":5})",
       "[\"abcde\",\"abcdef\",\"日本語日本\"]",
       {"f=abcde", "f=日本語日本"}},
      {R"({"type":"keyword","ignore_above":5})", "[\"🎉🎉\",\"🎉🎉🎉\"]", {"f=🎉🎉"}},
      {R"({"type":"keyword","index":false,"doc_values":false})", "\"x\"", {}},
      {R"({"type":"text"})", "[\"a b\",5,null,false]", {"f=a b", "f=5", "f=false"}},
      {R"({"type":"text"})", R"("\u0041\n\ud83c\udf89")", {"f=A\n🎉"}},
      {R"({"type":"text","index":false})", "\"x\"", {}},
      {R"({"type":"text","fields":{"raw":{"type":"keyword"},"n":{"type":"integer"}}})",
       "\"12\"",
       {"f=12", "f.n=12", "f.raw=12"}},
      {R"({"type":"text","fields":{"raw":{"type":"keyword","fields":{"low":{"type":"text"}}}}})",
       "\"X\"",
       {"f=X", "f.raw=X", "f.raw.low=X"}},
      {R"({"properties":{"a":{"type":"long"},"b":{"type":"keyword"}}})",
       R"([{"a":1},null,{"b":"x","a":[2,3]}])",
       {"f.a=1", "f.b=x", "f.a=2", "f.a=3"}},
      {R"({"type":"object","enabled":false})", R"({"a":[1,{"b":"c"}]})", {}},
      {R"({"type":"object","enabled":false})", "5", {}},
  };
  for (const Case& c : cases) {
    INFO(c.definition << " " << c.value);
    Index index(std::string("{\"properties\":{\"f\":") + c.definition + "}}");
    const auto values = index.Add(std::string("{\"f\":") + c.value + "}");
    INFO(values.status().ToString());
    REQUIRE(values.ok());
    CHECK(*values == c.expected);
  }
}

TEST_CASE("errors name the field, the type and the value") {
  Index index(R"({"properties":{"n":{"type":"long"},"o":{"properties":{"x":{"type":"date"}}}}})");
  ErrorDetails e = DescribeError(index.Add(R"({"n":"abc"})").status());
  CHECK(e.type == "mapper_parsing_exception");
  CHECK(e.rest_status == 400);
  CHECK(e.reason == "failed to parse field [n] of type [long]. Preview of field's value: 'abc'");
  REQUIRE(e.cause != nullptr);
  CHECK(e.cause->type == "illegal_argument_exception");
  CHECK(e.cause->reason == "For input string: \"abc\"");
  e = DescribeError(index.Add(R"({"n":99999999999999999999})").status());
  CHECK(e.cause->reason == "Value [99999999999999999999] is out of range for a long");
  e = DescribeError(index.Add(R"({"o":{"x":{"y":1}}})").status());
  CHECK(e.reason ==
        "failed to parse field [o.x] of type [date]. Preview of field's value: '{\"y\":1}'");
  e = DescribeError(index.Add(R"({"o":5})").status());
  CHECK(
      e.reason ==
      "object mapping for [o] tried to parse field [o] as object, but found a concrete value [5]");
  CHECK(DescribeError(index.Add("").status()).reason == "failed to parse, document is empty");
  // Not that it ended early, which is what the JSON library makes of it.
  e = DescribeError(index.Add(R"({"n":1} x)").status());
  CHECK(e.reason == "failed to parse: not valid JSON: [x] follows after its end (byte 8)");
  CHECK(DescribeError(index.Add(R"({"n":1)").status()).reason.find("ended early") !=
        std::string::npos);
}

TEST_CASE("new fields become mappings") {
  struct Case {
    const char* source;
    const char* properties;
  };
  const std::string text = R"({"type":"text","fields":{"keyword":{"type":"keyword",)"
                           R"("ignore_above":256}}})";
  const Case cases[] = {
      {R"({"s":"Hello"})", "TEXT"},
      {R"({"s":["2024","x"]})", "TEXT"},
      {R"({"s":[null,1]})", R"({"type":"long"})"},
      {R"({"s":2.0})", R"({"type":"float"})"},
      {R"({"s":false})", R"({"type":"boolean"})"},
      {R"({"s":"2024-01-02T03:04:05Z"})", R"({"type":"date"})"},
      {R"({"s":"2024-01"})", R"({"type":"date"})"},
      {R"({"s":"2024/01/02 03:04:05"})",
       R"({"type":"date","format":"yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"})"},
      {R"({"s":"2024-13-45"})", "TEXT"},
      {R"({"s":"123"})", "TEXT"},
      {R"({"s":{}})", R"({"type":"object"})"},
      {R"({"s":[{"a":1},{"b":{"c":true}}]})",
       R"({"properties":{"a":{"type":"long"},"b":{"properties":{"c":{"type":"boolean"}}}}})"},
      {R"({"s.a":1,"s":{"b":2}})", R"({"properties":{"a":{"type":"long"},"b":{"type":"long"}}})"},
  };
  for (const Case& c : cases) {
    INFO(c.source);
    Index index;
    REQUIRE(index.Add(c.source).ok());
    const std::string shown = std::string(c.properties) == "TEXT" ? text : c.properties;
    CHECK(SameJson(ParseJsonValue(index.Json()).value(),
                   ParseJsonValue("{\"properties\":{\"s\":" + shown + "}}").value()));
  }
  for (const char* source : {R"({"s":null})", R"({"s":[]})", R"({"s":[[],[null]]})"}) {
    Index index;
    CHECK(index.Add(source)->empty());
    CHECK(index.Json() == "{}");
  }
}

TEST_CASE("a document that fails leaves the mapping alone") {
  Index index(R"({"properties":{"n":{"type":"long"}}})");
  const std::string before = index.Json();
  for (const char* source :
       {R"({"new":1,"n":"x"})", R"({"new":[1,2.5]})", R"({"new":[1,"x"]})", R"({"new":[1,{}]})",
        R"({"new":9223372036854775808})", R"({"new":1e300})", R"({"new":1,"new.x":2})",
        R"({"new":{"a":1}} x)", R"({"a":{"b":1,"b":2}})"}) {
    INFO(source);
    CHECK_FALSE(index.Add(source).ok());
    CHECK(index.Json() == before);
  }
}

TEST_CASE("detection can be set") {
  Index numeric(R"({"numeric_detection":true,"date_detection":false})");
  REQUIRE(numeric.Add(R"({"a":"12","b":"1.5","c":"2024-01-01","d":"x"})").ok());
  CHECK(numeric.mapping()->Find("a")->kind == FieldKind::kLong);
  CHECK(numeric.mapping()->Find("b")->kind == FieldKind::kFloat);
  CHECK(numeric.mapping()->Find("c")->kind == FieldKind::kText);
  Index dates(R"({"dynamic_date_formats":["yyyy/MM/dd"]})");
  REQUIRE(dates.Add(R"({"a":"2024/02/03","b":"2024-02-03"})").ok());
  CHECK(dates.mapping()->Find("a")->format == "yyyy/MM/dd");
  CHECK(dates.mapping()->Find("b")->kind == FieldKind::kText);
}

std::string Nested(int depth, const std::string& open, const std::string& close) {
  std::string s;
  for (int i = 0; i < depth; ++i) s += open;
  s += "1";
  for (int i = 0; i < depth; ++i) s += close;
  return s;
}

TEST_CASE("limits of depth, count and length") {
  const auto type = [](const char* mapping, const std::string& source, MappingLimits limits = {}) {
    return TypeOf(Index(mapping, limits).Add(source).status());
  };
  CHECK(type("", Nested(20, "{\"a\":", "}")) == "");
  CHECK(type("", Nested(21, "{\"a\":", "}")) == "mapper_parsing_exception");
  CHECK(type("", "{\"a\":" + Nested(20, "[", "]") + "}") == "");
  CHECK(type("", "{\"a\":" + Nested(21, "[", "]") + "}") == "mapper_parsing_exception");
  CHECK(type(R"({"dynamic":false})", "{\"a\":" + Nested(21, "[", "]") + "}") ==
        "mapper_parsing_exception");
  CHECK(type(R"({"dynamic":false})", Nested(1000, "{\"a\":", "}")) == "");
  CHECK(type(R"({"dynamic":false})", Nested(1001, "{\"a\":", "}")) == "mapper_parsing_exception");
  CHECK(type(R"({"dynamic":false})", Nested(200'000, "{\"a\":", "}")) ==
        "mapper_parsing_exception");

  MappingLimits shallow;
  shallow.depth = 3;
  CHECK(type("", Nested(3, "{\"a\":", "}"), shallow) == "");
  CHECK(type("", Nested(4, "{\"a\":", "}"), shallow) == "mapper_parsing_exception");
  CHECK(type("", R"({"a.a.a":1})", shallow) == "");
  CHECK(type("", R"({"a.a.a.a":1})", shallow) == "illegal_argument_exception");

  MappingLimits few;
  few.total_fields = 4;
  CHECK(type("", R"({"a":1,"s":"x","o":{}})", few) == "");
  CHECK(type("", R"({"a":1,"s":"x","o":{"p":1}})", few) == "illegal_argument_exception");
  std::string many = "{\"a\":0";
  for (int i = 0; i < 50'000; ++i) many += ",\"f" + std::to_string(i) + "\":1";
  CHECK(type("", many + "}") == "illegal_argument_exception");
  CHECK(type(R"({"dynamic":false})", many + "}") == "");
  CHECK(type(R"({"dynamic":false})", many + ",\"f7\":1}") == "mapper_parsing_exception");

  MappingLimits names;
  names.field_name_length = 5;
  CHECK(type("", R"({"abcde":1})", names) == "");
  CHECK(type("", R"({"abcdef":1})", names) == "illegal_argument_exception");

  const std::string longest(32766, 'x');
  const char* keyword = R"({"properties":{"k":{"type":"keyword"},"t":{"type":"text"}}})";
  CHECK(type(keyword, "{\"k\":\"" + longest + "\"}") == "");
  // What is too long for a term is found by the shard, after the operation got its number.
  CHECK(type(keyword, "{\"k\":\"" + longest + "x\"}") == "");
  CHECK(type(keyword, "{\"t\":\"" + longest + "x\"}") == "");

  std::string dots = "a";
  for (int i = 0; i < 20'000; ++i) dots += ".a";
  CHECK(type("", "{\"" + dots + "\":1}") == "illegal_argument_exception");
}

TEST_CASE("a null_value over ignore_above is left out like any value") {
  Index index(R"({"properties":{
      "k":{"type":"keyword","ignore_above":2,"null_value":"abc"},
      "t":{"type":"text","fields":{"raw":{"type":"keyword","null_value":"none"}}}}})");
  CHECK(index.Add(R"({"k":null,"t":null})").value() == Values{"t.raw=none"});
  CHECK(index.Add(R"({"k":[null,"ab","abcd"]})").value() == Values{"k=ab"});
}

TEST_CASE("a byte order mark is passed over") {
  Index index;
  CHECK(index.Add("\xef\xbb\xbf {\"n\":1}").value() == Values{"n=1"});
  CHECK_FALSE(index.Add("\xef\xbb\xbf").ok());
  CHECK_FALSE(index.Add("\xef\xbb\xbf\xef\xbb\xbf{}").ok());
  CHECK_FALSE(index.Add(" \xef\xbb\xbf{}").ok());
}

TEST_CASE("names are looked up by a hash that nobody can foresee") {
  curlew::test::Random random;
  INFO("seed " << random.seed());
  std::string source = "{";
  std::set<uint64_t> hashes;
  for (const std::string& name : curlew::test::CollidingNames(random, 200)) {
    hashes.insert(ObjectNode::Hash(name));
    source += "\"" + name + "\":1,";
  }
  CHECK(hashes.size() > 190);
  source.back() = '}';
  CHECK(Index().Add(source).ok());
}

TEST_CASE("a parser keeps nothing of the document before") {
  const auto mapping = ParseMapping(R"({"properties":{"a":{"type":"keyword"}}})").value();
  DocumentParser parser;
  ParsedDocument out;
  CHECK_FALSE(parser.Parse(R"({"b":1,"a":{"x":1}})", *mapping, {}, out).ok());
  REQUIRE(parser.Parse(R"({"a":"x"})", *mapping, {}, out).ok());
  CHECK(out.mapping_update.empty());
  REQUIRE(out.values.size() == 1);
  CHECK(out.values[0].bytes == "x");
  REQUIRE(parser.Parse("{\"a\":\"" + std::string(30'000, 'y') + "\"}", *mapping, {}, out).ok());
  REQUIRE(parser.Parse("{ }", *mapping, {}, out).ok());
  CHECK(out.values.empty());
  // A large document, then a small one: the memory is given back in between.
  REQUIRE(parser.Parse("{\"b\":\"" + std::string(8 << 20, 'y') + "\"}", *mapping, {}, out).ok());
  REQUIRE(parser.Parse(R"({"a":"z"})", *mapping, {}, out).ok());
  CHECK(out.values[0].bytes == "z");
}

}  // namespace
}  // namespace curlew::mapping::test
