// What a shard and the coordinator say around the hits: windows, totals, errors, cancellation,
// fetch.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <limits>

#include "engine/search/coordinator.h"
#include "engine/search/query/bool_query.h"
#include "engine/search/query/match_all_query.h"
#include "engine/search/query/match_query.h"
#include "engine/search/query/range_query.h"
#include "engine/search/query/term_query.h"
#include "engine/search/query/terms_query.h"
#include "engine/search/source_filter.h"
#include "engine/util/error.h"
#include "test/engine/search/search_world.h"

namespace curlew::search {
namespace {

using test::Random;

using Shards = std::vector<std::unique_ptr<ShardSearch>>;

absl::StatusOr<ShardResult> Query(const SearchWorld& world, const SearchRequest& request) {
  CancelToken cancel;
  return NewLocalShardSearch(world.context(), 10000)->Query(request, cancel);
}

void CheckError(const absl::Status& status, const char* type, const char* part) {
  REQUIRE_FALSE(status.ok());
  const ErrorDetails details = DescribeError(status);
  CAPTURE(details.type, details.reason);
  CHECK(details.type == type);
  CHECK(details.rest_status == 400);
  CHECK(details.reason.find(part) != std::string::npos);
}

TEST_CASE("windows over the limit are refused with both numbers", "[search]") {
  Random random(3);
  const SearchWorld world(random, 20);
  SearchRequest request;
  request.from = 9990;
  request.size = 10;
  CHECK(Query(world, request).ok());
  request.size = 20;
  CheckError(Query(world, request).status(), "illegal_argument_exception", "[10010]");
  request.from = std::numeric_limits<int64_t>::max();
  CheckError(Query(world, request).status(), "illegal_argument_exception", "[10000]");
}

TEST_CASE("search_after needs a sort and no from", "[search]") {
  Random random(4);
  const SearchWorld world(random, 20);
  SearchRequest request;
  request.search_after = {int64_t{1}};
  CheckError(Query(world, request).status(), "illegal_argument_exception", "Sort must contain");
  SortKey key;
  key.field = "n";
  request.sort = {key};
  request.from = 1;
  CheckError(Query(world, request).status(), "illegal_argument_exception", "[from]");
}

TEST_CASE("errors of queries are query_shard_exceptions", "[search]") {
  Random random(5);
  const SearchWorld world(random, 20);
  SearchRequest request;
  request.query = NewTermQuery({"n", std::string("abc"), false, 1.0f});
  CheckError(Query(world, request).status(), "query_shard_exception", "abc");
  request.query = NewTermQuery({"n", int64_t{1} << 40, false, 1.0f});
  CheckError(Query(world, request).status(), "query_shard_exception", "1099511627776");
  MatchQueryOptions match;
  match.field = "t";
  match.query = std::string("x");
  match.analyzer = "nosuch";
  request.query = NewMatchQuery(match);
  CheckError(Query(world, request).status(), "query_shard_exception",
             "[match] analyzer [nosuch] not found");
  TermsQueryOptions terms{"k", std::vector<mapping::QueryValue>(65537, std::string("x")), 1.0f};
  request.query = NewTermsQuery(terms);
  CheckError(Query(world, request).status(), "query_shard_exception", "65537");
  BoolQueryOptions many;
  for (int i = 0; i < 1024; ++i) many.should.push_back(NewMatchAllQuery());
  request.query = NewBoolQuery(many);
  CHECK(Query(world, request).ok());
  many.should.push_back(NewMatchAllQuery());
  request.query = NewBoolQuery(many);
  CheckError(Query(world, request).status(), "query_shard_exception",
             "maxClauseCount is set to 1024");
}

TEST_CASE("a text of too many words is an error however it is searched", "[search]") {
  Random random(5);
  const SearchWorld world(random, 20);
  const auto words = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "a ";
    return text;
  };
  for (const auto& [count, fits] : {std::pair(1024, true), {1025, false}, {300'000, false}}) {
    CAPTURE(count);
    MatchQueryOptions match;
    match.field = "t";
    match.query = words(count);
    MatchPhraseQueryOptions phrase;
    phrase.field = "t";
    phrase.query = words(count);
    for (const QueryPtr& query : {NewMatchQuery(match), NewMatchPhraseQuery(phrase)}) {
      SearchRequest request;
      request.query = query;
      const auto result = Query(world, request);
      if (fits) {
        CHECK(result.ok());
      } else {
        CheckError(result.status(), "query_shard_exception", "maxClauseCount is set to 1024");
      }
    }
  }
}

TEST_CASE("source filters over the limit are refused by name", "[search]") {
  Random random(5);
  const SearchWorld world(random, 20);
  SearchRequest request;
  request.source.includes.assign(kMaxPatternPlaces / 8, "abcdef");
  CHECK(Query(world, request).ok());
  request.source.includes.push_back("x");
  CheckError(Query(world, request).status(), "illegal_argument_exception", "[includes]");
  std::swap(request.source.includes, request.source.excludes);
  CheckError(Query(world, request).status(), "illegal_argument_exception", "[excludes]");
}

TEST_CASE("a lenient match swallows values that the field cannot hold", "[search]") {
  Random random(6);
  const SearchWorld world(random, 20);
  SearchRequest request;
  MatchQueryOptions match;
  match.field = "n";
  match.query = std::string("abc");
  match.lenient = true;
  request.query = NewMatchQuery(match);
  const auto result = Query(world, request);
  REQUIRE(result.ok());
  CHECK(result->total.value == 0);
}

TEST_CASE("a fraction equals no integer, an open range is existence", "[search]") {
  Random random(7);
  const SearchWorld world(random, 60);
  SearchRequest request;
  request.query = NewTermQuery({"n", 1.5, false, 1.0f});
  CHECK(Query(world, request)->total.value == 0);
  RangeQueryOptions range;
  range.field = "n";
  request.query = NewRangeQuery(range);
  Spec exists;
  exists.kind = Spec::Kind::kExists;
  exists.field = "n";
  CHECK(Query(world, request)->total.value == static_cast<int64_t>(world.Matches(exists).size()));
  request.query = NewTermQuery({"nosuch", std::string("x"), false, 1.0f});
  CHECK(Query(world, request)->total.value == 0);
  request.query = NewTermQuery({"k", std::string("TAG1"), true, 1.0f});
  Spec tag;
  tag.kind = Spec::Kind::kTag;
  tag.field = "k";
  tag.words = {"tag1"};
  CHECK(Query(world, request)->total.value == static_cast<int64_t>(world.Matches(tag).size()));
}

TEST_CASE("a cancelled search stops", "[search]") {
  Random random(8);
  const SearchWorld world(random, 60);
  SearchRequest request;
  CancelToken cancel;
  cancel.Cancel();
  auto search = NewLocalShardSearch(world.context(), 10000);
  CHECK(absl::IsCancelled(search->Query(request, cancel).status()));
  const CancelToken late(CancelToken::Clock::now() - std::chrono::seconds(1));
  CHECK(absl::IsDeadlineExceeded(search->Query(request, late).status()));

  Shards shards;
  shards.push_back(std::move(search));
  CHECK(absl::IsCancelled(RunQueryPhase(request, shards, true, cancel).status()));
}

// Cancels in the middle of the matches.
class CancellingCollector : public LeafCollector {
 public:
  explicit CancellingCollector(CancelToken& cancel) : cancel_(cancel) {}
  void Collect(std::span<const DocId> docs, std::span<const float>) override {
    seen += docs.size();
    cancel_.Cancel();
  }
  size_t seen = 0;

 private:
  CancelToken& cancel_;
};

TEST_CASE("a bulk scorer stops within a window when it is cancelled", "[search]") {
  std::vector<test::FakeDocument> documents(200000);
  const auto mapping = mapping::Mapping::Empty();
  const auto snapshot = test::MakeFakeSnapshot({std::move(documents)}, *mapping);
  ShardContext context;
  context.mapping = mapping;
  context.snapshot = snapshot;
  const auto prepared = NewMatchAllQuery()->Prepare(context, ScoreMode::kNone);
  const auto supplier = (*prepared)->ForSegment(snapshot->segments[0]);
  CancelToken cancel;
  CancellingCollector collector(cancel);
  const absl::Status status =
      (*supplier)->NewBulkScorer(ScoreMode::kNone)->Score(nullptr, cancel, collector);
  CHECK(absl::IsCancelled(status));
  CHECK(collector.seen <= 65536);
}

// Keeps what it is shown of a part.
struct ShownPart : HitVisitor {
  void OnStart(uint64_t count) override { announced = count; }
  bool OnHits(std::span<const Hit> hits) override {
    for (const Hit& hit : hits) {
      ids.emplace_back(hit.id);
      sources.emplace_back(hit.source ? std::string(*hit.source) : "none");
      scores.push_back(hit.score);
      seq_nos.push_back(hit.seq_no);
      versions.push_back(hit.version);
    }
    return true;
  }
  uint64_t announced = 0;
  std::vector<std::string> ids, sources;
  std::vector<double> scores;
  std::vector<std::optional<int64_t>> seq_nos, versions;
};

struct Shown : HitOutput {
  void Begin(size_t count) override { parts.resize(count); }
  HitVisitor& part(size_t i) override { return parts[i]; }
  // Of a result in one part.
  const ShownPart* operator->() const {
    REQUIRE(parts.size() == 1);
    return &parts[0];
  }
  std::vector<ShownPart> parts;
};

TEST_CASE("several shards answer as one, ties by shard", "[search]") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 20; ++round) {
    const SearchWorld first(random, 40), second(random, 40);
    const std::vector<const SearchWorld*> worlds = {&first, &second};
    Shards shards;
    for (const SearchWorld* world : worlds) {
      shards.push_back(NewLocalShardSearch(world->context(), 10000));
    }
    SearchRequest request;
    Spec spec = first.RandomSpec(random, 1);
    request.query = MakeQuery(spec, false);
    request.from = random.Between(0, 10);
    request.size = random.Between(0, 30);
    request.version = request.seq_no_primary_term = true;
    request.track_total_hits = random.Between(0, 60);

    struct Entry {
      float score;
      uint32_t target, doc;
    };
    std::vector<Entry> expected;
    for (uint32_t target = 0; target < 2; ++target) {
      for (const auto& [doc, score] : worlds[target]->Matches(spec)) {
        expected.push_back({score, target, doc});
      }
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](const Entry& a, const Entry& b) { return a.score > b.score; });
    CancelToken cancel;
    const auto result = RunQueryPhase(request, shards, true, cancel);
    REQUIRE(result.ok());
    const auto total = static_cast<int64_t>(expected.size());
    CHECK(result->total.value == std::min(total, request.track_total_hits));
    CHECK(result->total.exact == (total <= request.track_total_hits));
    CHECK(result->successful_shards == 2);
    Shown shown;
    REQUIRE(RunFetchPhase(request, *result, shards, cancel, nullptr, shown).ok());
    REQUIRE(shown->announced == shown->ids.size());
    const auto from = std::min(static_cast<size_t>(request.from), expected.size());
    REQUIRE(shown->ids.size() ==
            std::min(static_cast<size_t>(request.size), expected.size() - from));
    for (size_t i = 0; i < shown->ids.size(); ++i) {
      const Entry& entry = expected[from + i];
      const test::FakeDocument& document = worlds[entry.target]->document(entry.doc);
      CHECK(shown->ids[i] == document.id);
      CHECK(shown->sources[i] == document.source);
      CHECK(shown->scores[i] == entry.score);
      CHECK(shown->seq_nos[i] == entry.doc);
      CHECK(shown->versions[i] == 1);
    }
  }
}

TEST_CASE("sources are left out or cut as asked", "[search]") {
  Random random(9);
  const SearchWorld world(random, 5);
  Shards shards;
  shards.push_back(NewLocalShardSearch(world.context(), 10000));
  SearchRequest request;
  CancelToken cancel;
  const auto result = RunQueryPhase(request, shards, true, cancel);
  Shown whole, none, cut;
  REQUIRE(RunFetchPhase(request, *result, shards, cancel, nullptr, whole).ok());
  CHECK(whole->sources[0] == world.document(result->hits[0].doc).source);
  request.source.fetch = false;
  REQUIRE(RunFetchPhase(request, *result, shards, cancel, nullptr, none).ok());
  CHECK(none->sources[0] == "none");
  CHECK_FALSE(none->seq_nos[0].has_value());
  request.source = {true, {"nosuch"}, {}};
  shards[0] = NewLocalShardSearch(world.context(), 10000);
  REQUIRE(RunFetchPhase(request, *result, shards, cancel, nullptr, cut).ok());
  CHECK(cut->sources[0] == "{}");
}

// A shard that cannot answer.
class FailingShard : public ShardSearch {
 public:
  const std::string& index() const override { return index_; }
  int shard() const override { return 3; }
  absl::StatusOr<ShardResult> Query(const SearchRequest&, const CancelToken&) override {
    return IllegalArgument("broken");
  }
  std::unique_ptr<ShardFetch> NewFetch(const SearchRequest&, const CancelToken&) const override {
    return nullptr;
  }

 private:
  const std::string index_ = "failing";
};

TEST_CASE("failing shards fail the search, or a part of it", "[search]") {
  Random random(10);
  const SearchWorld world(random, 5);
  SearchRequest request;
  CancelToken cancel;
  Shards shards;
  CHECK(RunQueryPhase(request, shards, true, cancel)->max_score == 0.0f);
  shards.push_back(std::make_unique<FailingShard>());
  const auto all = RunQueryPhase(request, shards, true, cancel);
  CheckError(all.status(), "search_phase_execution_exception", "all shards failed");
  CHECK(DescribeError(all.status()).cause->reason == "broken");
  shards.push_back(NewLocalShardSearch(world.context(), 10000));
  const auto some = RunQueryPhase(request, shards, true, cancel);
  REQUIRE(some.ok());
  CHECK(some->successful_shards == 1);
  REQUIRE(some->failures.size() == 1);
  CHECK(some->failures[0].shard == 3);
  CHECK_FALSE(some->hits.empty());
  CheckError(RunQueryPhase(request, shards, false, cancel).status(),
             "search_phase_execution_exception", "Partial");
}

}  // namespace
}  // namespace curlew::search
