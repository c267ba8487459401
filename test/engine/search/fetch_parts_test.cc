// Large results, fetched in parts by several threads.
#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/search/coordinator.h"
#include "engine/util/error.h"
#include "engine/util/thread_pool.h"
#include "test/engine/search/search_world.h"

namespace curlew::search {
namespace {

using test::Random;

// Takes the ids of a part, up to some.
struct Part : HitVisitor {
  explicit Part(size_t limit) : most(limit) {}

  void OnStart(uint64_t count) override { announced = count; }
  bool OnHits(std::span<const Hit> hits) override {
    if (ids.size() >= most) return false;
    for (const Hit& hit : hits) ids.emplace_back(hit.id);
    return true;
  }

  const size_t most;
  uint64_t announced = 0;
  std::vector<std::string> ids;
};

struct Parts : HitOutput {
  void Begin(size_t count) override {
    for (size_t i = 0; i < count; ++i) parts.emplace_back(most);
  }
  HitVisitor& part(size_t i) override { return parts[i]; }

  size_t most = SIZE_MAX;
  std::deque<Part> parts;
};

TEST_CASE("a large result comes in parts, in order, whoever fetches them", "[search]") {
  Random random(11);
  const SearchWorld world(random, 20000);
  std::vector<std::unique_ptr<ShardSearch>> shards;
  shards.push_back(NewLocalShardSearch(world.context(), 100000));
  SearchRequest request;
  request.size = 100000;
  CancelToken cancel;
  const auto result = RunQueryPhase(request, shards, true, cancel);
  REQUIRE(result.ok());
  REQUIRE(result->hits.size() > 4096);
  ThreadPool pool("helpers", 2, 100);
  for (ThreadPool* const helpers : {static_cast<ThreadPool*>(nullptr), &pool}) {
    Parts shown;
    REQUIRE(RunFetchPhase(request, *result, shards, cancel, helpers, shown).ok());
    REQUIRE(shown.parts.size() == result->hits.size() / 2048);
    size_t at = 0;
    for (const Part& part : shown.parts) {
      REQUIRE(part.announced == part.ids.size());
      for (const std::string& id : part.ids) {
        if (id == world.document(result->hits[at++].doc).id) continue;
        REQUIRE(id == world.document(result->hits[at - 1].doc).id);
      }
    }
    CHECK(at == result->hits.size());
  }

  Parts full;
  full.most = 100;
  const absl::Status refused = RunFetchPhase(request, *result, shards, cancel, &pool, full);
  CHECK(absl::IsResourceExhausted(refused));
  CHECK(DescribeError(refused).type == "circuit_breaking_exception");
  for (const Part& part : full.parts) CHECK(part.ids.size() < 100 + kFetchBatch);

  cancel.Cancel();
  Parts none;
  CHECK(absl::IsCancelled(RunFetchPhase(request, *result, shards, cancel, &pool, none)));
}

}  // namespace
}  // namespace curlew::search
