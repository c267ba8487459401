// Searches over columns and points of many blocks against a look at every document: what is left
// out must not show.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engine/search/query/bool_query.h"
#include "engine/search/query/range_query.h"
#include "engine/search/query/terms_query.h"
#include "engine/search/shard_search.h"
#include "engine/search/sort.h"
#include "test/support/asserting_scorer.h"
#include "test/support/columns_segment.h"
#include "test/support/random.h"

namespace curlew::search {
namespace {

using mapping::QueryValue;
using test::ColumnsSegment;
using test::NumberValues;
using test::Random;

constexpr const char* kMapping = R"({"properties": {
  "n": {"type": "long"}, "m": {"type": "long"}, "r": {"type": "long"}, "c": {"type": "long"},
  "k": {"type": "keyword", "index": false}}})";
const std::vector<std::string> kNumbers = {"n", "m", "r", "c"};

// Numbers: "n" one a document, rising with it; "m" some a document, or none; "r" one, at random;
// "c" one of few. Strings: "k" one or none, of few.
class World {
 public:
  World(Random& random, int segments, DocId smallest, DocId largest, bool deletions) {
    mapping_ = mapping::Mapping::Parse(kMapping, analysis::AnalyzerRegistry::BuiltIn(), {}).value();
    auto snapshot = std::make_shared<index::Snapshot>();
    for (int i = 0; i < segments; ++i) {
      const auto max_doc = static_cast<DocId>(random.Between(smallest, largest));
      std::map<std::string, NumberValues> numbers;
      test::StringValues strings(max_doc);
      for (const std::string& field : kNumbers) numbers[field].resize(max_doc);
      for (DocId doc = 0; doc < max_doc; ++doc) {
        const int64_t all = int64_t{doc} + max_docs_;
        numbers["n"][doc] = {all / 8 + random.Between(0, 200)};
        numbers["r"][doc] = {random.Between(-1'000'000, 1'000'000)};
        numbers["c"][doc] = {random.Between(0, 3) * 1'000'000'007};
        for (int64_t n = random.Between(0, 2); n > 0; --n) {
          numbers["m"][doc].push_back(doc / 4096 * 50 + random.Between(0, 60));
        }
        std::sort(numbers["m"][doc].begin(), numbers["m"][doc].end());
        if (!random.OneIn(4)) {
          strings[doc] = {"key" + std::to_string((doc / 3000 * 7 + random.Between(0, 9)) % 40)};
        }
      }
      index::SnapshotSegment& segment = snapshot->segments.emplace_back();
      auto reader = std::make_shared<ColumnsSegment>(
          max_doc, numbers, std::map<std::string, test::StringValues>{{"k", strings}});
      segment.reader = reader;
      readers_.push_back(reader.get());
      segment.doc_base = max_docs_;
      auto live = std::make_shared<codec::LiveDocs>(max_doc);
      const int every = random.Pick<int>({2, 10, 1000});
      for (DocId doc = 0; doc < max_doc; ++doc) {
        if (deletions && random.OneIn(every)) live->Delete(doc);
        for (const std::string& field : kNumbers) numbers_[field].push_back(numbers[field][doc]);
        strings_.push_back(strings[doc]);
        live_.push_back(live->Live(doc));
      }
      if (live->deleted_count() > 0) segment.live_docs = live;
      max_docs_ += max_doc;
    }
    snapshot_ = snapshot;
  }

  ShardContext context() const {
    ShardContext context;
    context.index = "world";
    context.mapping = mapping_;
    context.snapshot = snapshot_;
    context.analyzers = &analysis::AnalyzerRegistry::BuiltIn();
    return context;
  }
  ShardResult Run(const SearchRequest& request) const {
    CancelToken cancel;
    auto result = NewLocalShardSearch(context(), 1000000)->Query(request, cancel);
    if (!result.ok()) FAIL(std::string(result.status().message()));
    return *std::move(result);
  }
  test::ColumnReads reads() const {
    test::ColumnReads all;
    for (const ColumnsSegment* reader : readers_) {
      all.documents += reader->reads().documents;
      all.marked += reader->reads().marked;
      all.points += reader->reads().points;
    }
    return all;
  }

  uint32_t max_doc() const { return max_docs_; }
  bool live(uint32_t doc) const { return live_[doc]; }
  const std::vector<int64_t>& numbers(const std::string& field, uint32_t doc) const {
    return numbers_.at(field)[doc];
  }
  // What sorts it; null where there is none.
  SortValue ValueOf(const SortKey& key, uint32_t doc) const {
    if (key.kind == SortKey::Kind::kDoc) return static_cast<int32_t>(doc);
    if (key.field == "k") {
      if (!strings_[doc].empty()) return strings_[doc][0];
      if (key.missing == SortKey::Missing::kValue) return std::get<std::string>(key.missing_value);
      return std::monostate();
    }
    const auto& values = numbers(key.field, doc);
    const bool greatest =
        key.mode == SortKey::Mode::kMax || (key.mode == SortKey::Mode::kDefault && key.descending);
    if (!values.empty()) return greatest ? values.back() : values.front();
    if (key.missing == SortKey::Missing::kValue) return std::get<int64_t>(key.missing_value);
    const bool high = (key.missing == SortKey::Missing::kFirst) == key.descending;
    return high ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
  }

 private:
  std::shared_ptr<const mapping::Mapping> mapping_;
  std::shared_ptr<const index::Snapshot> snapshot_;
  std::vector<const ColumnsSegment*> readers_;
  uint32_t max_docs_ = 0;
  std::map<std::string, NumberValues> numbers_;
  test::StringValues strings_;
  std::vector<bool> live_;
};

// Ranges and single values, all of which a document has to meet.
struct Conditions {
  struct One {
    std::string field;
    std::vector<std::pair<int64_t, int64_t>> ranges;  // any of them
  };
  std::vector<One> all;

  bool Match(const World& world, uint32_t doc) const {
    return std::all_of(all.begin(), all.end(), [&](const One& one) {
      for (const int64_t value : world.numbers(one.field, doc)) {
        for (const auto& [low, high] : one.ranges) {
          if (value >= low && value <= high) return true;
        }
      }
      return false;
    });
  }
  QueryPtr Make() const {
    BoolQueryOptions options;
    for (const One& one : all) {
      QueryPtr query;
      if (one.ranges.size() == 1 && one.ranges[0].first != one.ranges[0].second) {
        RangeQueryOptions range;
        range.field = one.field;
        range.lower = mapping::RangeBound{one.ranges[0].first, true};
        range.upper = mapping::RangeBound{one.ranges[0].second, true};
        query = NewRangeQuery(std::move(range));
      } else {
        std::vector<QueryValue> values;
        for (const auto& range : one.ranges) values.emplace_back(range.first);
        query = NewTermsQuery({one.field, std::move(values), 1.0f});
      }
      options.filter.push_back(std::make_shared<test::AssertingQuery>(std::move(query)));
    }
    if (options.filter.empty()) return nullptr;
    if (options.filter.size() == 1) return options.filter[0];
    return NewBoolQuery(std::move(options));
  }
};

Conditions RandomConditions(const World& world, Random& random) {
  Conditions conditions;
  for (int64_t i = random.Between(0, 2); i > 0; --i) {
    Conditions::One& one = conditions.all.emplace_back();
    one.field = random.Pick(kNumbers);
    const auto value = [&] {
      const auto doc = static_cast<uint32_t>(random.Between(0, int64_t{world.max_doc()} - 1));
      const auto& values = world.numbers(one.field, doc);
      return values.empty() ? random.Between(0, 100) : random.Pick(values);
    };
    if (random.OneIn(3)) {
      for (int64_t n = random.Between(1, random.OneIn(3) ? 40 : 4); n > 0; --n) {
        const int64_t v = value();
        one.ranges.emplace_back(v, v);
      }
    } else {
      const int64_t a = value();
      const int64_t b = random.OneIn(2) ? a + random.Between(0, 20) : value();
      one.ranges.emplace_back(std::min(a, b), std::max(a, b));
    }
  }
  return conditions;
}

SortKey RandomKey(Random& random) {
  SortKey key;
  key.descending = random.OneIn(2);
  key.field = random.Pick<std::string>({"n", "m", "r", "c", "k"});
  key.missing = static_cast<SortKey::Missing>(random.Between(0, 2));
  key.mode = static_cast<SortKey::Mode>(random.Between(0, 2));
  if (key.field == "k") {
    key.missing_value =
        "key" + std::to_string(random.Between(0, 60)) + (random.OneIn(2) ? "x" : "");
  } else {
    key.missing_value = random.Between(-100, 300);
  }
  return key;
}

QueryValue ToQueryValue(const SortValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return *number;
  if (const auto* number = std::get_if<int32_t>(&value)) return int64_t{*number};
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return std::monostate();
}

void CheckSearch(const World& world, Random& random) {
  const Conditions conditions = RandomConditions(world, random);
  SearchRequest request;
  request.query = conditions.Make();
  for (int64_t i = random.Between(1, 2); i > 0; --i) request.sort.push_back(RandomKey(random));
  request.size = random.Pick<int64_t>({1, 10, 100, 5000});
  request.track_total_hits =
      random.Pick<int64_t>({kTrackTotalHitsOff, 100, kTrackTotalHitsExactly});

  struct Entry {
    uint32_t doc;
    std::vector<SortValue> sort;
  };
  const auto compare = [&](const std::vector<SortValue>& a, const std::vector<SortValue>& b) {
    bool mixed = false;
    for (size_t i = 0; i < request.sort.size(); ++i) {
      const int order = CompareSortValues(request.sort[i], a[i], b[i], mixed);
      if (order != 0) return order;
    }
    return 0;
  };
  std::vector<Entry> expected;
  for (uint32_t doc = 0; doc < world.max_doc(); ++doc) {
    if (!world.live(doc) || !conditions.Match(world, doc)) continue;
    Entry& entry = expected.emplace_back();
    entry.doc = doc;
    for (const SortKey& key : request.sort) entry.sort.push_back(world.ValueOf(key, doc));
  }
  const auto total = static_cast<int64_t>(expected.size());
  std::stable_sort(expected.begin(), expected.end(),
                   [&](const Entry& a, const Entry& b) { return compare(a.sort, b.sort) < 0; });
  if (!expected.empty() && random.OneIn(2)) {
    const std::vector<SortValue> after = random.Pick(expected).sort;
    for (const SortValue& value : after) request.search_after.push_back(ToQueryValue(value));
    std::erase_if(expected, [&](const Entry& e) { return compare(e.sort, after) <= 0; });
  }
  const ShardResult result = world.Run(request);
  CAPTURE(request.sort[0].field, request.sort[0].descending, request.sort.size(), request.size,
          request.search_after.size(), conditions.all.size(), total);
  REQUIRE(result.hits.size() ==
          std::min<size_t>(static_cast<size_t>(request.size), expected.size()));
  for (size_t i = 0; i < result.hits.size(); ++i) {
    CAPTURE(i);
    REQUIRE(result.hits[i].doc == expected[i].doc);
    const auto sort = result.SortOf(i);
    REQUIRE(std::vector<SortValue>(sort.begin(), sort.end()) == expected[i].sort);
  }
  if (request.track_total_hits == kTrackTotalHitsOff) return;
  const bool exact = total <= request.track_total_hits;
  REQUIRE(result.total.exact == exact);
  REQUIRE(result.total.value == (exact ? total : request.track_total_hits));
}

TEST_CASE("sorted searches that pass over blocks find what a look at everything finds") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 6; ++round) {
    CAPTURE(round);
    const World world(random, static_cast<int>(random.Between(1, 3)), 1,
                      random.Pick<DocId>({100, 5000, 15000}), random.OneIn(2));
    for (int search = 0; search < 10; ++search) CheckSearch(world, random);
  }
}

TEST_CASE("counts of ranges are those of a look at everything") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 8; ++round) {
    CAPTURE(round);
    const World world(random, static_cast<int>(random.Between(1, 3)), 1,
                      random.Pick<DocId>({100, 5000, 15000}), !random.OneIn(3));
    for (int search = 0; search < 20; ++search) {
      const Conditions conditions = RandomConditions(world, random);
      SearchRequest request;
      request.query = conditions.Make();
      request.size = 0;
      request.track_total_hits = kTrackTotalHitsExactly;
      int64_t expected = 0;
      for (uint32_t doc = 0; doc < world.max_doc(); ++doc) {
        expected += world.live(doc) && conditions.Match(world, doc) ? 1 : 0;
      }
      CAPTURE(conditions.all.size());
      REQUIRE(world.Run(request).total.value == expected);
    }
  }
}

TEST_CASE("a sorted search reads the blocks that can compete, and no others") {
  Random random(5);
  const World world(random, 1, 40000, 40000, false);
  SearchRequest request;
  request.sort.emplace_back().field = "n";
  for (const bool with_after : {false, true}) {
    const uint64_t before = world.reads().documents;
    if (with_after) request.search_after = {int64_t{world.max_doc() / 8 - 300}};
    CHECK(world.Run(request).hits.size() == 10);
    CHECK(world.reads().documents - before < 10000);
  }
  // A total that has to be counted needs every document, but not its value.
  request.search_after.clear();
  request.track_total_hits = kTrackTotalHitsExactly;
  RangeQueryOptions range;
  range.field = "m";
  range.lower = mapping::RangeBound{int64_t{1}, true};
  request.query = NewRangeQuery(range);
  const int64_t total = world.Run(request).total.value;
  request.sort.clear();
  request.size = 0;
  CHECK(world.Run(request).total.value == total);
}

TEST_CASE("a range is read from points when it is narrow, from the column when it is led") {
  Random random(6);
  const World world(random, 1, 40000, 40000, false);
  const auto in = [](const char* field, int64_t low, int64_t high) {
    RangeQueryOptions range;
    range.field = field;
    range.lower = mapping::RangeBound{low, true};
    range.upper = mapping::RangeBound{high, true};
    return NewRangeQuery(range);
  };
  const auto run = [&](QueryPtr query) {
    SearchRequest request;
    request.query = std::move(query);
    const test::ColumnReads before = world.reads();
    world.Run(request);
    const test::ColumnReads after = world.reads();
    return test::ColumnReads{after.documents - before.documents, after.marked - before.marked,
                             after.points - before.points};
  };
  const test::ColumnReads narrow = run(in("r", 0, 5000));
  CHECK(narrow.points > 0);
  CHECK(narrow.marked == 0);
  const test::ColumnReads wide = run(in("r", -900'000, 900'000));
  CHECK(wide.points == 0);
  CHECK(wide.marked > 0);
  // Led by a few documents, the wider range is asked about those only.
  BoolQueryOptions both;
  both.filter = {in("r", 0, 500), in("n", 1, 3000)};
  const test::ColumnReads led = run(NewBoolQuery(both));
  CHECK(led.points < 100);
  CHECK(led.documents < 200);
  CHECK(led.marked == 0);

  // A count is known from where the range's ends are.
  SearchRequest count;
  count.query = in("r", -500'000, 500'000);
  count.size = 0;
  const test::ColumnReads before = world.reads();
  CHECK(world.Run(count).total.value > 0);
  CHECK(world.reads().points == before.points);
  CHECK(world.reads().marked == before.marked);
}

}  // namespace
}  // namespace curlew::search
