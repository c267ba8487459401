// Creations, deletions, look-ups and writes at the same time.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/store/fault_directory.h"
#include "test/engine/catalog/catalog_fixture.h"
#include "test/support/random.h"

namespace curlew::catalog {
namespace {

void InThreads(int count, const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("an update that changes nothing is answered only when what it found is durable") {
  std::mutex mutex;
  std::condition_variable changed;
  bool closed = false;
  bool held = false;
  auto plan = std::make_shared<store::FaultPlan>();
  plan->intercept = [&](std::string_view what, const std::string& path) {
    std::unique_lock lock(mutex);
    if (closed && what == "sync" && path.find("translog") != std::string::npos) {
      held = true;
      changed.notify_all();
      changed.wait(lock, [&] { return !closed; });
    }
    return absl::OkStatus();
  };
  CatalogWorld world(store::NewFaultDirectory(store::NewMemoryDirectory(), plan));
  world.Create("a");
  {
    std::lock_guard lock(mutex);
    closed = true;
  }
  // Assertions are this thread's alone.
  std::vector<BulkItemResult> written, updated;
  std::thread write([&] {
    std::vector<BulkItem> items = {IndexItem("a", "1", R"({"n": 1})")};
    written = Bulk(*world.catalog, items);
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return held; });
  }
  std::atomic<bool> opened{false};
  bool opened_before = false;
  std::thread update([&] {
    std::vector<BulkItem> items = {UpdateItem("a", "1", R"({"n": 1})")};
    updated = Bulk(*world.catalog, items);
    opened_before = opened.load();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  opened = true;
  {
    std::lock_guard lock(mutex);
    closed = false;
    changed.notify_all();
  }
  write.join();
  update.join();
  CHECK(written.at(0).result.status.ok());
  CHECK(updated.at(0).result.status.ok());
  CHECK(updated.at(0).result.kind == index::ResultKind::kNoop);
  CHECK(opened_before);
}

TEST_CASE("of many creations of one name exactly one succeeds") {
  CatalogWorld world;
  for (int round = 0; round < 5; ++round) {
    const std::string name = "index" + std::to_string(round);
    std::atomic<int> made = 0, taken = 0;
    InThreads(4, [&](int) {
      const auto index = world.catalog->Create(name, kQuietBody);
      if (index.ok()) {
        ++made;
      } else if (ErrorType(index.status()) == "resource_already_exists_exception") {
        ++taken;
      }
    });
    CHECK(made == 1);
    CHECK(taken == 3);
  }
  CHECK(world.Names().size() == 5);
}

TEST_CASE("bulks that need the same new index share one") {
  CatalogWorld world;
  constexpr int kThreads = 4, kEach = 25;
  std::atomic<int> failed = 0;
  InThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kEach; ++i) {
      const std::string id = std::to_string(thread) + "-" + std::to_string(i);
      std::vector<BulkItem> items = {IndexItem("shared", id, R"({"n": 1})")};
      std::vector<BulkItemResult> results(1);
      ExecuteBulk(*world.catalog, items, RefreshPolicy::kNone, results, [] {});
      failed += !results[0].result.status.ok();
    }
  });
  CHECK(failed == 0);
  CHECK(world.Names() == Strings{"shared"});
  const auto index = world.catalog->Get("shared").value();
  REQUIRE(index->shards()[0]->Refresh().ok());
  CHECK(VisibleCount(*index) == kThreads * kEach);
  world.Reopen();
  CHECK(VisibleCount(*world.catalog->Get("shared").value()) == kThreads * kEach);
}

TEST_CASE("everything at once ends in a catalog that a restart agrees with") {
  test::Random seeds;
  INFO("CURLEW_TEST_SEED=" << seeds.seed());
  const uint64_t seed = seeds.seed();
  CatalogWorld world;
  const Strings names = {"a", "b", "c"};
  std::atomic<int> unexpected = 0;
  // Catch2's assertions are for one thread: count what should not be.
  const auto expect = [&](const absl::Status& status, const Strings& types) {
    if (status.ok()) return;
    const std::string type = ErrorType(status);
    if (std::find(types.begin(), types.end(), type) == types.end()) {
      ++unexpected;
      UNSCOPED_INFO(status);
    }
  };
  std::mutex infos;
  InThreads(4, [&](int thread) {
    test::Random random(seed + static_cast<uint64_t>(thread));
    for (int i = 0; i < 150; ++i) {
      const std::string& name = random.Pick(names);
      absl::Status status;
      Strings types;
      const Strings gone = {"index_not_found_exception"};
      switch (random.Between(0, 5)) {
        case 0:
          status = world.catalog->Create(name, kQuietBody).status();
          types = {"resource_already_exists_exception"};
          break;
        case 1:
          status = world.catalog->Delete({name}, false);
          types = gone;
          break;
        case 2: {
          const auto all = world.catalog->Resolve({"*"}, {});
          status = all.status();
          if (all.ok()) {
            for (const auto& index : *all) VisibleCount(*index);
          }
          break;
        }
        case 3: {
          const auto index = world.catalog->Get(name);
          status = index.ok()
                       ? (*index)->mapper().Update(R"({"properties": {"f": {"type": "keyword"}}})")
                       : index.status();
          types = gone;
          break;
        }
        default: {
          std::vector<BulkItem> items = {IndexItem(name, "x", R"({"n": 1})"),
                                         IndexItem(name, "", R"({"m": "text"})")};
          std::vector<BulkItemResult> results(2);
          ExecuteBulk(*world.catalog, items, RefreshPolicy::kNone, results, [] {});
          status = results[0].result.status;
          status.Update(results[1].result.status);
          // The index may go while the write is on its way to it.
          types = {gone[0], "index_closed_exception"};
        }
      }
      std::lock_guard lock(infos);
      expect(status, types);
    }
  });
  CHECK(unexpected == 0);
  const Strings before = world.Names();
  world.Reopen();
  CHECK(world.catalog->failed().empty());
  CHECK(world.Names() == before);
  CHECK(world.data->Sub("indices").value()->ListSubs().value().size() == before.size());
}

}  // namespace
}  // namespace curlew::catalog
