// Sorting by random keys against sorting everything, and paging with search_after.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/codec/columns/numbers.h"
#include "engine/search/query/match_all_query.h"
#include "engine/search/sort.h"
#include "engine/util/error.h"
#include "test/engine/search/search_world.h"

namespace curlew::search {
namespace {

using mapping::QueryValue;
using test::Random;

SortKey RandomKey(Random& random) {
  static const std::vector<std::string> kFields = {"n", "d", "f", "b", "k", "kd", "_id", "_seq_no"};
  SortKey key;
  key.descending = random.OneIn(2);
  const int64_t kind = random.Between(0, 9);
  if (kind == 0) {
    key.kind = SortKey::Kind::kScore;
  } else if (kind == 1) {
    key.kind = SortKey::Kind::kDoc;
  } else {
    key.field = random.Pick(kFields);
    key.missing = static_cast<SortKey::Missing>(random.Between(0, 2));
    const bool text = key.field[0] == 'k' || key.field == "_id";
    key.mode = static_cast<SortKey::Mode>(random.Between(0, text ? 2 : 5));
    if (text) {
      key.missing_value = "tag" + std::to_string(random.Between(0, 30));
    } else if (random.OneIn(2)) {
      key.missing_value = random.Between(-20, 20);
    } else {
      key.missing_value = std::to_string(random.Between(-20, 20));
    }
  }
  return key;
}

// The value a document shows for a key, worked out from the document.
SortValue ValueOf(const SortKey& key, const test::FakeDocument& document, uint32_t doc,
                  float score) {
  using Mode = SortKey::Mode;
  if (key.kind == SortKey::Kind::kScore) return score;
  if (key.kind == SortKey::Kind::kDoc) return static_cast<int32_t>(doc);
  if (key.field == "_id") return document.id;
  if (key.field == "_seq_no") return static_cast<int64_t>(doc);
  const Mode mode =
      key.mode == Mode::kDefault ? (key.descending ? Mode::kMax : Mode::kMin) : key.mode;
  const bool high = (key.missing == SortKey::Missing::kFirst) == key.descending;
  if (key.field[0] == 'k') {
    const auto it = document.keywords.find(key.field);
    if (it != document.keywords.end()) {
      return mode == Mode::kMax ? *std::max_element(it->second.begin(), it->second.end())
                                : *std::min_element(it->second.begin(), it->second.end());
    }
    if (key.missing == SortKey::Missing::kValue) return std::get<std::string>(key.missing_value);
    return std::monostate();
  }
  std::vector<double> values;
  const auto it = document.numbers.find(key.field);
  if (it != document.numbers.end()) {
    for (const int64_t v : it->second) {
      values.push_back(key.field == "d"   ? codec::SortableToDouble(v)
                       : key.field == "f" ? codec::SortableToFloat(static_cast<int32_t>(v))
                                          : static_cast<double>(v));
    }
  }
  std::sort(values.begin(), values.end());
  double value = 0;
  const bool fraction = key.field == "d" || key.field == "f";
  if (values.empty()) {
    if (key.missing != SortKey::Missing::kValue) {
      const double infinity = std::numeric_limits<double>::infinity();
      if (key.field == "d") return high ? infinity : -infinity;
      if (key.field == "f") return static_cast<float>(high ? infinity : -infinity);
      return high ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int32_t>::min();
    }
    const auto* text = std::get_if<std::string>(&key.missing_value);
    value = text != nullptr ? std::stod(*text)
                            : static_cast<double>(std::get<int64_t>(key.missing_value));
  } else if (mode == Mode::kMin) {
    value = values.front();
  } else if (mode == Mode::kMax) {
    value = values.back();
  } else if (mode == Mode::kMedian) {
    const size_t half = values.size() / 2;
    value = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  } else {
    for (const double v : values) value += v;
    if (mode == Mode::kAvg) value /= static_cast<double>(values.size());
  }
  if (!fraction && !values.empty()) value = std::floor(value + 0.5);
  if (key.field == "d") return value;
  if (key.field == "f") return static_cast<float>(value);
  return static_cast<int32_t>(value);
}

struct Expected {
  uint32_t doc;
  std::vector<SortValue> sort;
};

std::vector<Expected> SortAll(const SearchWorld& world, const std::map<uint32_t, float>& matches,
                              const std::vector<SortKey>& keys) {
  std::vector<Expected> all;
  for (const auto& [doc, score] : matches) {
    Expected& entry = all.emplace_back();
    entry.doc = doc;
    for (const SortKey& key : keys) {
      entry.sort.push_back(ValueOf(key, world.document(doc), doc, score));
    }
  }
  std::stable_sort(all.begin(), all.end(), [&keys](const Expected& a, const Expected& b) {
    bool mixed = false;
    for (size_t i = 0; i < keys.size(); ++i) {
      const int order = CompareSortValues(keys[i], a.sort[i], b.sort[i], mixed);
      if (order != 0) return order < 0;
    }
    return false;
  });
  return all;
}

QueryValue ToQueryValue(const SortValue& value) {
  return std::visit(
      [](const auto& v) -> QueryValue {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, int32_t>) return int64_t{v};
        if constexpr (std::is_same_v<T, float>) return double{v};
        if constexpr (!std::is_same_v<T, int32_t> && !std::is_same_v<T, float>) return v;
      },
      value);
}

ShardResult Run(const SearchWorld& world, const SearchRequest& request) {
  CancelToken cancel;
  auto result = NewLocalShardSearch(world.context(), 1000000)->Query(request, cancel);
  if (!result.ok()) FAIL(std::string(result.status().message()));
  return *std::move(result);
}

TEST_CASE("sorted searches find what sorting everything finds", "[search]") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const SearchWorld world(random, round % 10 == 0 ? 500 : 60);
    const Spec spec = world.RandomSpec(random, 1);
    SearchRequest request;
    request.query = MakeQuery(spec, true);
    request.track_total_hits = kTrackTotalHitsExactly;
    do {
      request.sort.clear();
      for (int64_t i = random.Between(1, 3); i > 0; --i) request.sort.push_back(RandomKey(random));
    } while (IsByScore(request.sort));
    request.size = random.Between(1, 40);
    request.from = random.Between(0, 10);
    request.track_scores = random.OneIn(2);

    const auto matches = world.Matches(spec);
    const std::vector<Expected> expected = SortAll(world, matches, request.sort);
    const ShardResult result = Run(world, request);
    const auto window = static_cast<size_t>(request.from + request.size);
    REQUIRE(result.hits.size() == std::min(window, expected.size()));
    REQUIRE(result.total.value == static_cast<int64_t>(expected.size()));
    for (size_t i = 0; i < result.hits.size(); ++i) {
      CAPTURE(i, request.sort[0].field, request.sort.size());
      const auto sort = result.SortOf(i);
      REQUIRE(std::vector<SortValue>(sort.begin(), sort.end()) == expected[i].sort);
      REQUIRE(result.hits[i].doc == expected[i].doc);
      if (request.track_scores) {
        REQUIRE(result.hits[i].score == matches.at(expected[i].doc));
      }
    }
    if (request.track_scores && !matches.empty()) {
      float best = matches.begin()->second;
      for (const auto& [doc, score] : matches) best = std::max(best, score);
      REQUIRE(result.max_score == best);
    }
  }
}

TEST_CASE("search_after pages through everything once", "[search]") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const SearchWorld world(random, 50);
    SearchRequest request;
    request.track_total_hits = kTrackTotalHitsOff;
    for (int64_t i = random.Between(0, 2); i > 0; --i) request.sort.push_back(RandomKey(random));
    // A unique key at the end, or documents with equal keys at a page's end would be left out.
    SortKey last;
    if (random.OneIn(2)) {
      last.kind = SortKey::Kind::kDoc;
    } else {
      last.field = "_id";
    }
    last.descending = random.OneIn(2);
    request.sort.push_back(last);
    request.size = random.Between(1, 20);

    Spec all;
    const std::vector<Expected> expected = SortAll(world, world.Matches(all), request.sort);
    size_t at = 0;
    for (;;) {
      const ShardResult page = Run(world, request);
      if (page.hits.empty()) break;
      for (const TopHit& hit : page.hits) {
        REQUIRE(at < expected.size());
        REQUIRE(hit.doc == expected[at].doc);
        ++at;
      }
      request.search_after.clear();
      for (const SortValue& value : page.SortOf(page.hits.size() - 1)) {
        request.search_after.push_back(ToQueryValue(value));
      }
    }
    REQUIRE(at == expected.size());
  }
}

TEST_CASE("search_after with a text that no document has", "[search]") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const SearchWorld world(random, 40);
    SearchRequest request;
    SortKey key;
    key.field = "k";
    key.descending = random.OneIn(2);
    key.missing = random.OneIn(2) ? SortKey::Missing::kValue : SortKey::Missing::kLast;
    key.missing_value = "tag1x" + random.Word(1, 1);
    request.sort = {key};
    request.size = 1000;
    const std::string after = "tag1x" + random.Word(1, 1);
    request.search_after = {after};
    std::vector<uint32_t> expected;
    Spec all;
    for (const Expected& entry : SortAll(world, world.Matches(all), request.sort)) {
      bool mixed = false;
      if (CompareSortValues(key, after, entry.sort[0], mixed) < 0) expected.push_back(entry.doc);
    }
    std::vector<uint32_t> found;
    for (const TopHit& hit : Run(world, request).hits) found.push_back(hit.doc);
    REQUIRE(found == expected);
  }
}

TEST_CASE("sorts that cannot be are refused by name", "[search]") {
  Random random(1);
  const SearchWorld world(random, 10);
  struct Row {
    SortKey key;
    std::vector<QueryValue> after;
    const char* type;
    const char* part;
  };
  SortKey text, unmapped, no_column, sum_of_text, bad_missing, good, bad_type;
  text.field = "t";
  unmapped.field = "nosuch";
  no_column.field = "kt";
  sum_of_text.field = "k";
  sum_of_text.mode = SortKey::Mode::kSum;
  bad_missing.field = "n";
  bad_missing.missing = SortKey::Missing::kValue;
  bad_missing.missing_value = "many";
  good.field = "n";
  bad_type.field = "nosuch";
  bad_type.unmapped_type = "shape";
  const std::vector<Row> rows = {
      {text, {}, "illegal_argument_exception", "[t]"},
      {unmapped, {}, "query_shard_exception", "No mapping found for [nosuch]"},
      {no_column, {}, "illegal_argument_exception", "[kt]"},
      {sum_of_text, {}, "query_shard_exception", "[k]"},
      {bad_missing, {}, "illegal_argument_exception", "[many]"},
      {bad_type, {}, "illegal_argument_exception", "[shape]"},
      {good,
       {int64_t{1}, int64_t{2}},
       "illegal_argument_exception",
       "has 2 value(s) but sort has 1"},
      {good, {"x"}, "illegal_argument_exception", "[x] for field [n]"},
      {good, {true}, "illegal_argument_exception", "for field [n]"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.part);
    SearchRequest request;
    request.sort = {row.key};
    request.search_after = row.after;
    CancelToken cancel;
    const auto result = NewLocalShardSearch(world.context(), 10000)->Query(request, cancel);
    REQUIRE_FALSE(result.ok());
    const ErrorDetails details = DescribeError(result.status());
    CHECK(details.type == row.type);
    CHECK(details.rest_status == 400);
    CHECK(details.reason.find(row.part) != std::string::npos);
  }
}

TEST_CASE("an unmapped field with a type sorts as if every value were missing", "[search]") {
  Random random(2);
  const SearchWorld world(random, 10);
  SearchRequest request;
  SortKey key;
  key.field = "nosuch";
  key.unmapped_type = "long";
  request.sort = {key};
  const ShardResult result = Run(world, request);
  REQUIRE_FALSE(result.hits.empty());
  CHECK(result.SortOf(0)[0] == SortValue(std::numeric_limits<int64_t>::max()));
  request.sort[0].unmapped_type = "keyword";
  CHECK(Run(world, request).SortOf(0)[0] == SortValue(std::monostate()));
}

}  // namespace
}  // namespace curlew::search
