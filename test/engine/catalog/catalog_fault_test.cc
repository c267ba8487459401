// Creation, deletion and changes of mappings, failing or cut at every single operation on the disk.
#include <functional>

#include "engine/store/fault_directory.h"
#include "test/engine/catalog/catalog_fixture.h"
#include "test/support/random.h"

namespace curlew::catalog {
namespace {

constexpr std::string_view kBody = R"({
    "settings": {"number_of_shards": 2, "number_of_replicas": 0, "refresh_interval": "-1"},
    "mappings": {"properties": {"t": {"type": "text"}}}})";

constexpr store::UnsyncedFate kFates[] = {store::UnsyncedFate::kKeep, store::UnsyncedFate::kLose,
                                          store::UnsyncedFate::kScramble};

// What a step does to a catalog, and what a later start may find of it.
struct Step {
  std::function<void(CatalogWorld&)> prepare;
  std::function<absl::Status(Catalog&)> run;
  // `done`: the step said OK.
  std::function<void(CatalogWorld&, bool done)> check;
};

// Runs the step with a fault at its first, second, ... operation until it meets none. `stop`: the
// machine stops there, and what a crash leaves is opened; else only that operation fails, and the
// same catalog goes on.
void AtEveryOperation(const Step& step, bool stop) {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int64_t fault = 1;; ++fault) {
    INFO("operation " << fault << (stop ? ", stopped" : ", failed"));
    const auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    bool done = false, met = false;
    {
      CatalogWorld world(store::NewFaultDirectory(memory, plan));
      step.prepare(world);
      plan->stop = stop;
      const int64_t before = plan->operations;
      plan->fail_at = before + fault;
      const absl::Status status = step.run(*world.catalog);
      met = plan->operations >= before + fault;
      INFO(status);
      done = status.ok();
      REQUIRE((met || done));
      if (stop) {
        for (const auto fate : kFates) {
          const auto seed = static_cast<uint64_t>(random.Between(0, 1 << 30));
          CatalogWorld after(store::CrashImage(*memory, fate, seed));
          INFO("fate " << static_cast<int>(fate));
          CHECK(after.catalog->failed().empty());
          step.check(after, done);
        }
      } else {
        plan->fail_at = 0;
        // What failed can be done again.
        if (!done) {
          const absl::Status again = step.run(*world.catalog);
          INFO(again);
          REQUIRE(again.ok());
        }
        step.check(world, true);
        world.Reopen();
        CHECK(world.catalog->failed().empty());
        step.check(world, true);
      }
    }
    if (!met) break;
  }
}

void LoadOne(Catalog& catalog, const std::string& index) {
  std::vector<BulkItem> items = {IndexItem(index, "1", R"({"t": "x"})")};
  const auto results = Bulk(catalog, items);
  INFO(results[0].result.status);
  REQUIRE(results[0].result.status.ok());
}

const Step kCreation = {[](CatalogWorld& world) { world.Create("old"); },
                        [](Catalog& catalog) { return catalog.Create("new", kBody).status(); },
                        [](CatalogWorld& world, bool done) {
                          const Strings names = world.Names();
                          const bool there = names == Strings{"new", "old"};
                          REQUIRE((there || (!done && names == Strings{"old"})));
                          if (!there) {
                            world.Create("new", kBody);  // the name is free
                          }
                          const auto index = world.catalog->Get("new").value();
                          REQUIRE(index->shards().size() == 2);
                          REQUIRE(index->mapper().current()->Find("t") != nullptr);
                          LoadOne(*world.catalog, "new");
                        }};

const Step kDeletion = {
    [](CatalogWorld& world) {
      world.Create("old");
      world.Create("new", kBody);
      LoadOne(*world.catalog, "new");
    },
    // A deletion that has come far enough finds nothing the second time.
    [](Catalog& catalog) { return catalog.Delete({"new"}, true); },
    [](CatalogWorld& world, bool done) {
      const Strings names = world.Names();
      const bool there = names == Strings{"new", "old"};
      REQUIRE((names == Strings{"old"} || (!done && there)));
      // Either nothing of it, or all.
      if (there) REQUIRE(SourceOf(*world.catalog->Get("new").value(), "1") == R"({"t": "x"})");
      if (!there) world.Create("new", kBody);
      LoadOne(*world.catalog, "new");
      REQUIRE(world.catalog->Delete({"new"}, false).ok());
    }};

const Step kMapping = {
    [](CatalogWorld& world) { world.Create("new", kBody); },
    [](Catalog& catalog) {
      const auto index = catalog.Get("new");
      if (!index.ok()) return index.status();
      return (*index)->mapper().Update(R"({"properties": {"k": {"type": "keyword"}}})");
    },
    [](CatalogWorld& world, bool done) {
      const auto mapping = world.catalog->Get("new").value()->mapper().current();
      REQUIRE(mapping->Find("t") != nullptr);
      REQUIRE((mapping->Find("k") != nullptr || !done));
    }};

TEST_CASE("a creation cut anywhere leaves no index or a whole one") {
  AtEveryOperation(kCreation, /*stop=*/true);
}

TEST_CASE("a creation that fails anywhere leaves its name free") {
  AtEveryOperation({kCreation.prepare,
                    [](Catalog& catalog) {
                      const absl::Status status = catalog.Create("new", kBody).status();
                      // Not even the list knows of it.
                      CHECK(catalog.Get("new").ok() == status.ok());
                      return status;
                    },
                    kCreation.check},
                   /*stop=*/false);
}

TEST_CASE("a deletion cut anywhere leaves nothing or all") {
  AtEveryOperation(kDeletion, /*stop=*/true);
}

TEST_CASE("a deletion that fails anywhere can be tried again") {
  AtEveryOperation(kDeletion, /*stop=*/false);
}

TEST_CASE("a change of the mapping cut anywhere leaves the old or the new") {
  AtEveryOperation(kMapping, /*stop=*/true);
}

TEST_CASE("a change of the mapping that fails anywhere can be tried again") {
  AtEveryOperation(kMapping, /*stop=*/false);
}

TEST_CASE("a full disk at any moment of a bulk loses nothing that was acknowledged") {
  for (int64_t fault = 1;; ++fault) {
    INFO("operation " << fault);
    const auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    plan->no_space = true;
    plan->stop = true;
    CatalogWorld world(store::NewFaultDirectory(memory, plan));
    world.Create("a");
    const int64_t before = plan->operations;
    plan->fail_at = before + fault;
    // "b" is made on the way, each brings fields that the mapping does not know.
    std::vector<BulkItem> items = {IndexItem("a", "1", R"({"x": 1})"),
                                   IndexItem("b", "2", R"({"y": 2})"),
                                   IndexItem("a", "3", R"({"z": 3})")};
    const auto results = Bulk(*world.catalog, items);
    const bool met = plan->operations >= before + fault;
    for (const auto fate : kFates) {
      CatalogWorld after(store::CrashImage(*memory, fate, static_cast<uint64_t>(fault)));
      CHECK(after.catalog->failed().empty());
      for (size_t i = 0; i < items.size(); ++i) {
        if (!results[i].result.status.ok()) continue;
        const auto index = after.catalog->Get(items[i].index);
        REQUIRE(index.ok());
        CHECK(SourceOf(**index, items[i].operation.id) == items[i].operation.source);
      }
    }
    if (!met) break;
  }
}

}  // namespace
}  // namespace curlew::catalog
