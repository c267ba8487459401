// Random query trees over random documents: the engine's answers against those of looking at every
// document, scores bit for bit.
#include <algorithm>
#include <catch2/catch.hpp>

#include "engine/util/error.h"
#include "test/engine/search/search_world.h"
#include "test/support/asserting_scorer.h"

namespace curlew::search {
namespace {

using test::Random;

SearchRequest EverythingOf(QueryPtr query) {
  SearchRequest request;
  request.query = std::move(query);
  request.size = 100000;
  request.track_total_hits = kTrackTotalHitsExactly;
  return request;
}

ShardResult Run(const SearchWorld& world, const SearchRequest& request) {
  CancelToken cancel;
  auto result = NewLocalShardSearch(world.context(), 1000000)->Query(request, cancel);
  REQUIRE(result.ok());
  return *std::move(result);
}

// Best first, ties in index order.
std::vector<std::pair<uint32_t, float>> Ranked(const std::map<uint32_t, float>& matches) {
  std::vector<std::pair<uint32_t, float>> ranked(matches.begin(), matches.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return ranked;
}

void CheckHits(const ShardResult& result, const std::vector<std::pair<uint32_t, float>>& expected,
               size_t size) {
  REQUIRE(result.hits.size() == std::min(size, expected.size()));
  for (size_t i = 0; i < result.hits.size(); ++i) {
    CAPTURE(i);
    REQUIRE(result.hits[i].doc == expected[i].first);
    REQUIRE(result.hits[i].score == expected[i].second);
  }
}

// Walks one segment by random moves.
void WalkAtRandom(Random& random, Scorer& scorer, const std::map<uint32_t, float>& all,
                  uint32_t doc_base, DocId max_doc, bool scored) {
  std::vector<std::pair<DocId, float>> expected;  // of this segment
  for (const auto& [doc, score] : all) {
    if (doc >= doc_base && doc < doc_base + max_doc) expected.emplace_back(doc - doc_base, score);
  }
  const auto from = [&expected](DocId target) {
    return std::lower_bound(expected.begin(), expected.end(), target,
                            [](const auto& entry, DocId t) { return entry.first < t; });
  };
  const auto doc_of = [&](auto it) { return it == expected.end() ? kNoMoreDocs : it->first; };
  DocId next = 0;       // the first document not passed yet
  bool missed = false;  // the last move was a Probe that missed: only Probe and Advance may follow
  bool placed = false;
  while (next < max_doc) {
    const int64_t move = random.Between(missed ? 2 : 0, 3);
    if (move == 0) {
      const auto it = from(next);
      REQUIRE(scorer.Next() == doc_of(it));
      placed = true;
      if (it == expected.end()) return;
      if (scored) REQUIRE(scorer.Score() == it->second);
      next = it->first + 1;
    } else if (move == 1) {
      if (!placed) continue;
      const DocId end = scorer.doc() + static_cast<DocId>(random.Between(0, 200));
      const auto room = static_cast<uint32_t>(random.Between(1, 40));
      std::vector<DocId> docs(room);
      std::vector<float> scores(room);
      auto it = from(scorer.doc());
      const uint32_t count =
          scorer.NextBatch(end, room, docs.data(), scored ? scores.data() : nullptr);
      for (uint32_t i = 0; i < count; ++i, ++it) {
        REQUIRE(docs[i] == doc_of(it));
        if (scored) REQUIRE(scores[i] == it->second);
      }
      REQUIRE(scorer.doc() == doc_of(it));
      if (it == expected.end()) return;
      next = it->first + 1;
    } else {
      const DocId target = next + static_cast<DocId>(random.Between(0, random.OneIn(5) ? 300 : 4));
      if (target >= max_doc) return;
      const auto it = from(target);
      if (move == 2) {
        if (!Before(scorer.doc(), target)) continue;  // a Probe that missed went to its answer
        REQUIRE(scorer.Advance(target) == doc_of(it));
        missed = false;
        placed = true;
        if (it == expected.end()) return;
        if (scored) REQUIRE(scorer.Score() == it->second);
        next = it->first + 1;
      } else {
        const DocId answer = scorer.Probe(target);
        REQUIRE(answer <= doc_of(it));
        missed = answer != target;
        placed = !missed;
        if (!missed && scored) REQUIRE(scorer.Score() == it->second);
        if (answer == kNoMoreDocs) return;
        next = missed ? answer : target + 1;
      }
    }
  }
}

TEST_CASE("random queries match and score as the documents say", "[search]") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 12; ++round) {
    // To look at every document for every clause of a query takes most of the time.
    const bool large = round % 3 == 0;
    const SearchWorld world(random, large ? 600 : 60);
    for (int i = 0; i < (large ? 12 : 40); ++i) {
      const Spec spec = world.RandomSpec(random, static_cast<int>(random.Between(0, 3)));
      const auto expected = Ranked(world.Matches(spec));
      CAPTURE(round, i, static_cast<int>(spec.kind), spec.field, spec.boost);

      const SearchRequest request = EverythingOf(MakeQuery(spec, random.OneIn(2)));
      const ShardResult all = Run(world, request);
      CheckHits(all, expected, expected.size());
      REQUIRE(all.total.value == static_cast<int64_t>(expected.size()));
      REQUIRE(all.total.exact);
      if (!expected.empty()) REQUIRE(all.max_score == expected[0].second);

      SearchRequest page = request;
      page.size = random.Between(0, 12);
      page.from = random.Between(0, 5);
      page.track_total_hits = random.Between(-1, static_cast<int64_t>(expected.size()) + 1);
      const ShardResult best = Run(world, page);
      CheckHits(best, expected, page.size == 0 ? 0 : static_cast<size_t>(page.from + page.size));
      if (page.track_total_hits >= 0) {
        const auto total = static_cast<int64_t>(expected.size());
        REQUIRE(best.total.value == std::min(total, page.track_total_hits));
        REQUIRE(best.total.exact == (total <= page.track_total_hits));
      }
    }
  }
}

TEST_CASE("post filters and minimum scores cut hits and totals", "[search]") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 60; ++round) {
    const SearchWorld world(random, 80);
    const Spec spec = world.RandomSpec(random, 2);
    const Spec filter = world.RandomSpec(random, 1);
    std::map<uint32_t, float> expected = world.Matches(spec);
    SearchRequest request = EverythingOf(MakeQuery(spec, true));
    if (random.OneIn(2)) {
      request.post_filter = MakeQuery(filter, true);
      const auto allowed = world.Matches(filter);
      std::erase_if(expected, [&](const auto& entry) { return !allowed.contains(entry.first); });
    }
    if (random.OneIn(2)) {
      request.min_score = static_cast<float>(random.Between(0, 8)) / 8;
      std::erase_if(expected, [&](const auto& e) { return e.second < *request.min_score; });
    }
    const ShardResult result = Run(world, request);
    CheckHits(result, Ranked(expected), expected.size());
    REQUIRE(result.total.value == static_cast<int64_t>(expected.size()));
  }
}

TEST_CASE("scorers keep their contract under random moves", "[search]") {
  Random random;
  CAPTURE(random.seed());
  for (int round = 0; round < 150; ++round) {
    const SearchWorld world(random, round % 10 == 0 ? 900 : 90);
    Spec spec = world.RandomSpec(random, static_cast<int>(random.Between(0, 3)));
    CAPTURE(round, static_cast<int>(spec.kind), spec.field);
    const ScoreMode mode = random.OneIn(3) ? ScoreMode::kNone : ScoreMode::kScores;
    const ShardContext context = world.context();
    const auto prepared = MakeQuery(spec, true)->Prepare(context, mode);
    REQUIRE(prepared.ok());
    const auto matches = world.Matches(spec);
    for (const index::SnapshotSegment& segment : context.snapshot->segments) {
      // Scorers know nothing of deletions: only segments without any compare.
      if (segment.live_docs != nullptr) continue;
      const auto supplier = (*prepared)->ForSegment(segment);
      REQUIRE(supplier.ok());
      const DocId max_doc = segment.reader->max_doc();
      if (*supplier == nullptr) {
        const auto first = matches.lower_bound(segment.doc_base);
        REQUIRE((first == matches.end() || first->first >= segment.doc_base + max_doc));
        continue;
      }
      const int64_t count = (*prepared)->Count(segment);
      const auto in_segment = std::distance(matches.lower_bound(segment.doc_base),
                                            matches.lower_bound(segment.doc_base + max_doc));
      REQUIRE((count == -1 || count == in_segment));
      for (int walk = 0; walk < 4; ++walk) {
        const auto scorer = (*supplier)->NewScorer();
        WalkAtRandom(random, *scorer, matches, segment.doc_base, max_doc,
                     mode == ScoreMode::kScores);
      }
    }
  }
}

}  // namespace
}  // namespace curlew::search
