// The source filter against recorded answers and, on random documents, against the same rules over
// a document tree with patterns matched as plain globs.
#include "engine/search/source_filter.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "test/support/random.h"

namespace curlew::search {
namespace {

using Json = nlohmann::ordered_json;
using test::Random;

// Whether `pattern` matches a whole text that begins with `text` (`prefix`), or `text` itself.
bool Glob(std::string_view pattern, std::string_view text, bool prefix) {
  if (text.empty() && prefix) return true;
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return Glob(pattern.substr(1), text, prefix) ||
           (!text.empty() && Glob(pattern, text.substr(1), prefix));
  }
  return !text.empty() && pattern[0] == text[0] && Glob(pattern.substr(1), text.substr(1), prefix);
}

bool AnyGlob(const std::vector<std::string>& patterns, const std::string& path, bool prefix) {
  for (const std::string& pattern : patterns) {
    if (Glob(pattern, path, prefix) || Glob(pattern + ".*", path, prefix)) return true;
  }
  return false;
}

// Empty = nothing is left.
std::optional<Json> FilterTree(const Json& value, const SourceFilter& filter, bool all,
                               const std::string& path);

Json FilterObject(const Json& object, const SourceFilter& filter, bool all,
                  const std::string& above) {
  Json left = Json::object();
  for (const auto& [key, value] : object.items()) {
    const std::string path = above.empty() ? key : above + "." + key;
    if (AnyGlob(filter.excludes, path, false)) continue;
    const bool included = all || AnyGlob(filter.includes, path, false);
    if (included && !AnyGlob(filter.excludes, path + ".", true)) {
      left[key] = value;
    } else if (value.is_structured()) {
      const std::optional<Json> below = FilterTree(value, filter, included, path);
      if (below) {
        left[key] = *below;
      } else if (included) {
        left[key] = value.is_object() ? Json::object() : Json::array();
      }
    } else if (included) {
      left[key] = value;
    }
  }
  return left;
}

std::optional<Json> FilterTree(const Json& value, const SourceFilter& filter, bool all,
                               const std::string& path) {
  if (value.is_object()) {
    Json left = FilterObject(value, filter, all, path);
    return left.empty() ? std::nullopt : std::optional(left);
  }
  Json left = Json::array();
  for (const Json& element : value) {
    if (element.is_structured()) {
      if (auto below = FilterTree(element, filter, all, path)) left.push_back(*below);
    } else if (all || AnyGlob(filter.includes, path, false)) {
      left.push_back(element);
    }
  }
  return left.empty() ? std::nullopt : std::optional(left);
}

std::string Filtered(const std::string& source, const SourceFilter& filter) {
  std::string out;
  const absl::Status status = SourceFilterer(filter).Apply(source, nullptr, out);
  if (!status.ok()) FAIL(std::string(status.message()));
  return out;
}

TEST_CASE("recorded source filters", "[search]") {
  const std::string source =
      R"({"title": "T", "user": {"name": "kim", "mail": "k@x", "addr": {"city": "Rome", )"
      R"("zip": "00100"}}, "tags": ["a", "b"], "comments": [{"by": "ann", "likes": [1, 2]}, )"
      R"({"by": "bob", "meta": {"x": 1, "y": null}}], "deep": [[{"p": 1, "q": 2}], [{"p": 3}], []], )"
      R"("a.b": "dotted", "dot": {"ted.key": {"in": 1}, "ted": {"key": 2}}, "mixed": [1, {"k": )"
      R"("v"}, "s", null, [{"k": "w"}]], "user2": {"name": "x"}, "usern": "plain"})";
  struct Row {
    std::vector<std::string> includes, excludes;
    const char* expected;
  };
  const std::vector<Row> rows = {
      {{"user.name"}, {}, R"({"user":{"name":"kim"}})"},
      {{"*.city"}, {}, R"({"user":{"addr":{"city":"Rome"}}})"},
      {{"nope.x", "title"}, {}, R"({"title":"T"})"},
      {{"comments.meta"}, {}, R"({"comments":[{"meta":{"x": 1, "y": null}}]})"},
      {{"comments.nope"}, {}, "{}"},
      {{"deep.q"}, {}, R"({"deep":[[{"q":2}]]})"},
      {{"a.b"}, {}, R"({"a.b":"dotted"})"},
      {{"dot.ted.key"}, {}, R"({"dot":{"ted.key":{"in": 1},"ted":{"key":2}}})"},
      {{"dot.ted.key.in"}, {}, R"({"dot":{"ted.key":{"in":1}}})"},
      {{"mixed.k"}, {}, R"({"mixed":[{"k":"v"},[{"k":"w"}]]})"},
      {{"tags.x"}, {}, "{}"},
      {{"user.", "title"}, {}, R"({"title":"T"})"},
      {{"user"}, {"user.addr"}, R"({"user":{"name":"kim","mail":"k@x"}})"},
      {{"user.addr"}, {"user"}, "{}"},
      {{"user.*"}, {"*.zip"}, R"({"user":{"name":"kim","mail":"k@x","addr":{"city":"Rome"}}})"},
      {{"comments"},
       {"comments.meta"},
       R"({"comments":[{"by":"ann","likes":[1, 2]},{"by":"bob"}]})"},
      {{"user2*"}, {"*name"}, R"({"user2":{}})"},
      {{"mixed"}, {"mixed.k"}, R"({"mixed":[1,"s",null]})"},
      {{"user.addr.city"}, {"user.addr.*"}, "{}"},
      {{"title,n"}, {}, "{}"},
      {{"comments"}, {"comments.*"}, R"({"comments":[]})"},
      {{"dot"}, {"dot.ted"}, R"({"dot":{}})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.includes, row.excludes);
    CHECK(Filtered(source, {true, row.includes, row.excludes}) == row.expected);
  }
}

TEST_CASE("escaped keys are matched by what they mean and kept as written", "[search]") {
  const std::string source = R"({"\u0061\"b": {"c\\": 1, "\ud83d\ude00": 2}, "a": "}]\\\"{"})";
  CHECK(Filtered(source, {true, {"a\"b.c\\"}, {}}) == R"({"\u0061\"b":{"c\\":1}})");
  CHECK(Filtered(source, {true, {"*\xF0\x9F\x98\x80"}, {}}) ==
        R"({"\u0061\"b":{"\ud83d\ude00":2}})");
  CHECK(Filtered(source, {true, {"a"}, {}}) == R"({"a":"}]\\\"{"})");
}

TEST_CASE("damaged sources are noticed", "[search]") {
  const std::string source = GENERATE("", "[]", "{", R"({"a)", R"({"a":)", R"({"a":{"b":1)",
                                      R"({"a":[1,)", R"({"a" 1})", R"({"a":1}x)", R"({"b":"x)");
  CAPTURE(source);
  std::string out;
  const SourceFilterer filterer({true, {"a.b", "a.c"}, {"a.d"}});
  CHECK(absl::IsDataLoss(filterer.Apply(source, nullptr, out)));
}

Json RandomTree(Random& random, int depth) {
  const int64_t kind = random.Between(0, depth > 0 ? 5 : 2);
  if (kind == 0) return random.Between(-5, 5);
  if (kind == 1) return random.OneIn(2) ? Json(nullptr) : Json("te\"xt\\");
  if (kind == 2) return random.OneIn(2);
  Json value = kind == 3 ? Json::array() : Json::object();
  for (int64_t i = random.Between(0, 3); i > 0; --i) {
    if (kind == 3) {
      value.push_back(RandomTree(random, depth - 1));
    } else {
      const std::string key(static_cast<size_t>(random.Between(1, 2)),
                            static_cast<char>('a' + random.Between(0, 2)));
      value[random.OneIn(8) ? key + ".b" : key] = RandomTree(random, depth - 1);
    }
  }
  return value;
}

std::vector<std::string> RandomPatterns(Random& random) {
  std::vector<std::string> patterns;
  // Now and then more than fit into one word of the automaton.
  for (int64_t i = random.Between(0, random.OneIn(5) ? 40 : 3); i > 0; --i) {
    std::string& pattern = patterns.emplace_back();
    for (int64_t part = random.Between(1, 3); part > 0; --part) {
      if (!pattern.empty()) pattern += '.';
      for (int64_t c = random.Between(0, 2); c > 0; --c) {
        pattern += random.OneIn(3) ? '*' : static_cast<char>('a' + random.Between(0, 2));
      }
    }
  }
  return patterns;
}

TEST_CASE("random filters on random documents", "[search]") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 3000; ++round) {
    Json tree = Json::object();
    for (int64_t i = random.Between(0, 4); i > 0; --i) {
      tree[std::string(1, static_cast<char>('a' + random.Between(0, 2)))] = RandomTree(random, 4);
    }
    const SourceFilter filter{true, RandomPatterns(random), RandomPatterns(random)};
    const Json expected = FilterObject(tree, filter, filter.includes.empty(), "");
    const std::string source = tree.dump(random.OneIn(2) ? 2 : -1);
    CAPTURE(source, filter.includes, filter.excludes);
    const Json found = Json::parse(Filtered(source, filter));
    REQUIRE(found.dump() == expected.dump());
  }
}

}  // namespace
}  // namespace curlew::search
