// Merging a partial document: what comes out, and whether it counts as a change.
#include "engine/index/update_document.h"

#include <catch2/catch.hpp>

#include "engine/index/json_tree.h"
#include "engine/util/error.h"
#include "test/support/random.h"

namespace curlew::index {
namespace {

struct Case {
  std::string_view source, doc, merged;
  bool changed;
};

TEST_CASE("documents are merged as OpenSearch merges them") {
  const Case cases[] = {
      {R"({"a":1})", R"({"a":2})", R"({"a":2})", true},
      {R"({"a":1})", R"({"b":2})", R"({"a":1,"b":2})", true},
      {R"({"a":1})", R"({})", R"({"a":1})", false},
      {R"({})", R"({})", R"({})", false},
      {R"({ "a" : [ 1 , 2 ] , "b" : null })", R"({})", R"({"a":[1,2],"b":null})", false},
      // Members keep their place, new ones follow in their own order.
      {R"({"z":1,"y":2,"x":3})", R"({"w":0,"y":5,"a":9})", R"({"z":1,"y":5,"x":3,"w":0,"a":9})",
       true},
      // Objects are merged, everything else is replaced.
      {R"({"o":{"x":1,"y":{"z":2,"w":[1,2]}}})", R"({"o":{"y":{"z":9}}})",
       R"({"o":{"x":1,"y":{"z":9,"w":[1,2]}}})", true},
      {R"({"o":{"x":1}})", R"({"o":{"x":1}})", R"({"o":{"x":1}})", false},
      {R"({"o":{"x":1}})", R"({"o":{}})", R"({"o":{"x":1}})", false},
      {R"({"o":{"x":1}})", R"({"o":null})", R"({"o":null})", true},
      {R"({"o":{"x":1}})", R"({"o":5})", R"({"o":5})", true},
      {R"({"o":5})", R"({"o":{"x":1}})", R"({"o":{"x":1}})", true},
      {R"({"arr":[1,2,3]})", R"({"arr":[4]})", R"({"arr":[4]})", true},
      {R"({"arr":[1,2,3]})", R"({"arr":[3,2,1]})", R"({"arr":[3,2,1]})", true},
      {R"({"arr":[1,2]})", R"({"arr":[1,2]})", R"({"arr":[1,2]})", false},
      {R"({"arr":[1,2]})", R"({"arr":[1,2,3]})", R"({"arr":[1,2,3]})", true},
      {R"({"arr":[{"a":1,"b":2}]})", R"({"arr":[{"b":2,"a":1}]})", R"({"arr":[{"b":2,"a":1}]})",
       false},
      // A dotted name is a name.
      {R"({"o":{"y":1}})", R"({"o.y":5})", R"({"o":{"y":1},"o.y":5})", true},
      // Null is a value; a missing member is not null.
      {R"({"a":1})", R"({"b":null})", R"({"a":1,"b":null})", true},
      {R"({"a":null})", R"({"a":null})", R"({"a":null})", false},
      // Numbers stay as they were written; equality is Java's.
      {R"({"n":1})", R"({"n":1.0})", R"({"n":1.0})", true},
      {R"({"n":1})", R"({"n":"1"})", R"({"n":"1"})", true},
      {R"({"n":1.0})", R"({"n":1.00})", R"({"n":1.00})", false},
      {R"({"n":10.0})", R"({"n":1e1})", R"({"n":1e1})", false},
      {R"({"n":0.0})", R"({"n":-0.0})", R"({"n":-0.0})", true},
      {R"({"n":0})", R"({"n":-0})", R"({"n":-0})", false},
      {R"({"n":9007199254740993,"m":0.10})", R"({"x":123456789012345678901234567890})",
       R"({"n":9007199254740993,"m":0.10,"x":123456789012345678901234567890})", true},
      {R"({"t":true})", R"({"t":false})", R"({"t":false})", true},
      // Escapes are resolved; what needs them gets them.
      {R"({"s":"\u0041\/\n\"\\\u0001"})", R"({"s":"A/\n\"\\\u0001"})", R"({"s":"A/\n\"\\\u0001"})",
       false},
      {R"({"s":"\ud83d\ude00"})", R"({"\u0061":1})", "{\"s\":\"\xf0\x9f\x98\x80\",\"a\":1}", true},
  };
  for (const Case& c : cases) {
    INFO(c.source << " + " << c.doc);
    const auto updated = MergeDocument(c.source, c.doc);
    REQUIRE(updated.ok());
    CHECK(updated->source == c.merged);
    CHECK(updated->changed == c.changed);
  }
}

TEST_CASE("many members are found as well as few") {
  std::string source = "{";
  std::string doc = "{";
  for (int i = 0; i < 100; ++i) {
    source += (i ? ",\"m" : "\"m") + std::to_string(i) + "\":" + std::to_string(i);
    doc += (i ? ",\"m" : "\"m") + std::to_string(99 - i) + "\":" + std::to_string(99 - i);
  }
  const auto same = MergeDocument(source + "}", doc + "}");
  REQUIRE(same.ok());
  CHECK(!same->changed);
  CHECK(same->source == source + "}");
  const auto more = MergeDocument(source + "}", doc + ",\"new\":1}");
  REQUIRE(more.ok());
  CHECK(more->changed);
  CHECK(more->source == source + ",\"new\":1}");
  CHECK(!MergeDocument("{}", doc + ",\"m50\":1}").ok());
  CHECK(!MergeDocument("{}", R"({"a":1,"a":2})").ok());
}

TEST_CASE("partial documents that are none") {
  struct Bad {
    std::string_view doc, type;
  };
  const Bad bad[] = {
      {"", "not_x_content_exception"},
      {"  ", "not_x_content_exception"},
      {"[1]", "not_x_content_exception"},
      {"text", "not_x_content_exception"},
      {R"({"a":)", "parse_exception"},
      {R"({"a":1)", "parse_exception"},
      {R"({"a":1}})", "parse_exception"},
      {R"({"a":01})", "parse_exception"},
      {R"({"a":1.})", "parse_exception"},
      {R"({"a":1e})", "parse_exception"},
      {R"({"a":-})", "parse_exception"},
      {R"({"a":+1})", "parse_exception"},
      {R"({"a":nul})", "parse_exception"},
      {R"({"a":[1,]})", "parse_exception"},
      {R"({"a":1,})", "parse_exception"},
      {R"({a:1})", "parse_exception"},
      {R"({"a" 1})", "parse_exception"},
      {R"({"a":"\x"})", "parse_exception"},
      {R"({"a":"\u12"})", "parse_exception"},
      {R"({"a":"\ud800"})", "parse_exception"},
      {R"({"a":"\ud800\u0041"})", "parse_exception"},
      {R"({"a":"\udc00"})", "parse_exception"},
      {"{\"a\":\"\xff\"}", "parse_exception"},
      {"{\"a\":\"\n\"}", "parse_exception"},
  };
  for (const Bad& b : bad) {
    INFO(b.doc);
    const auto updated = MergeDocument("{}", b.doc);
    REQUIRE(!updated.ok());
    CHECK(DescribeError(updated.status()).type == b.type);
    CHECK(DescribeError(updated.status()).rest_status == 400);
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += R"({"a":)";
  CHECK(!MergeDocument("{}", deep).ok());
}

std::string RandomJson(test::Random& random, int depth) {
  switch (random.Between(0, depth > 3 ? 3 : 5)) {
    case 0:
      return std::to_string(random.Between(-3, 3));
    case 1:
      return random.OneIn(2) ? "true" : "null";
    case 2:
      return "1.5";
    case 3:
      return '"' + random.Word(0, 2) + '"';
    case 4: {
      std::string list = "[";
      for (int64_t i = random.Between(0, 3); i > 0; --i) {
        list += (list.size() > 1 ? "," : "") + RandomJson(random, depth + 1);
      }
      return list + "]";
    }
    default: {
      std::string object = "{";
      for (char name = 'a'; name < 'e'; ++name) {
        if (random.OneIn(2)) continue;
        object += (object.size() > 1 ? ",\"" : "\"") + std::string(1, name) +
                  "\":" + RandomJson(random, depth + 1);
      }
      return object + "}";
    }
  }
}

TEST_CASE("a byte order mark before either side is passed over") {
  const auto merged = MergeDocument("\xef\xbb\xbf{\"a\":1}", "\xef\xbb\xbf{\"b\":2}");
  REQUIRE(merged.ok());
  CHECK(merged->changed);
  CHECK(merged->source == R"({"a":1,"b":2})");
}

TEST_CASE("merging the same again changes nothing") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int i = 0; i < 2000; ++i) {
    const std::string source = "{\"a\":" + RandomJson(random, 0) + "}";
    const std::string doc = "{\"a\":" + RandomJson(random, 0) + "}";
    INFO(source << " + " << doc);
    const auto once = MergeDocument(source, doc);
    REQUIRE(once.ok());
    const auto twice = MergeDocument(once->source, doc);
    REQUIRE(twice.ok());
    REQUIRE(!twice->changed);
    REQUIRE(twice->source == once->source);
    if (!once->changed) REQUIRE(once->source == source);
  }
}

}  // namespace
}  // namespace curlew::index
