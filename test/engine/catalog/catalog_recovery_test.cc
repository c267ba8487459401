// What a start makes of folders that have lost something, and of what a failed deletion left: only
// what is known to be needless goes, everything else is kept and named.
#include <fmt/format.h>

#include <algorithm>

#include "engine/catalog/index_folders.h"
#include "engine/catalog/index_metadata.h"
#include "engine/store/fault_directory.h"
#include "test/engine/catalog/catalog_fixture.h"
#include "test/support/random.h"

namespace curlew::catalog {
namespace {

std::shared_ptr<store::Directory> SubOf(store::Directory& directory, const std::string& name) {
  const auto sub = directory.Sub(name);
  REQUIRE(sub.ok());
  return *sub;
}

// Every file below, with its path.
Strings AllFiles(store::Directory& directory, const std::string& prefix = "") {
  Strings all;
  const auto files = directory.List();
  for (const std::string& file : *files) all.push_back(prefix + file);
  const auto subs = directory.ListSubs();
  for (const std::string& sub : *subs) {
    const Strings below = AllFiles(*SubOf(directory, sub), prefix + sub + "/");
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

void Write(Catalog& catalog, const std::string& index, const std::string& id) {
  std::vector<BulkItem> items = {IndexItem(index, id, R"({"n": 1})")};
  const auto results = Bulk(catalog, items);
  INFO(results[0].result.status);
  REQUIRE(results[0].result.status.ok());
}

TEST_CASE("an index that has lost files is kept as it is, named, and keeps no other from opening") {
  for (const bool committed : {false, true}) {
    CatalogWorld world;
    world.Create("other");
    Write(*world.catalog, "other", "1");
    const auto index = world.Create("hurt");
    const std::string uuid = index->uuid();
    Write(*world.catalog, "hurt", "1");
    if (committed) REQUIRE(index->shards()[0]->Flush().ok());
    REQUIRE(world.catalog->Close().ok());
    const auto folder = SubOf(*SubOf(*world.data, "indices"), uuid);
    const Strings files = AllFiles(*folder);
    REQUIRE(files.size() >= 4);
    // Each file by itself, then everything of the log, of the shard, of the index.
    std::vector<std::string> lost = files;
    for (const char* prefix : {"0/translog/", "0/", ""}) lost.emplace_back(prefix);
    for (const std::string& what : lost) {
      CatalogOptions options;
      ThreadPool pool{"background", 2, 100};
      const auto image = store::CrashImage(*world.data, store::UnsyncedFate::kKeep, 1);
      const auto hurt = SubOf(*SubOf(*image, "indices"), uuid);
      for (const std::string& file : files) {
        if (what.empty() || what.ends_with('/') ? !file.starts_with(what) : file != what) continue;
        auto at = hurt;
        std::string name = file;
        for (size_t slash; (slash = name.find('/')) != std::string::npos;) {
          at = SubOf(*at, name.substr(0, slash));
          name = name.substr(slash + 1);
        }
        REQUIRE(at->Delete(name).ok());
      }
      const Strings left = AllFiles(*hurt);
      INFO("lost " << (what.empty() ? "everything" : what) << ", committed " << committed);
      for (int start = 0; start < 2; ++start) {
        auto catalog = Catalog::Open(image, options, &pool);
        REQUIRE(catalog.ok());
        CHECK(SourceOf(**(*catalog)->Get("other"), "1") == R"({"n": 1})");
        REQUIRE((*catalog)->failed().size() == 1);
        CHECK(absl::IsDataLoss((*catalog)->failed()[0].second));
        CHECK(!(*catalog)->Get("hurt").ok());
        CHECK(AllFiles(*hurt) == left);
        REQUIRE((*catalog)->Close().ok());
      }
      // The way out.
      auto catalog = Catalog::Open(image, options, &pool);
      REQUIRE(catalog.ok());
      REQUIRE((*catalog)->Delete({(*catalog)->failed()[0].first}, false).ok());
      CHECK((*catalog)->failed().empty());
      const auto folders = SubOf(*image, "indices")->ListSubs();
      CHECK(std::find(folders->begin(), folders->end(), uuid) == folders->end());
    }
  }
}

TEST_CASE("a shard's folder that is missing is not made anew") {
  CatalogWorld world;
  const std::string uuid = world.Create("hurt", R"({"settings": {"number_of_shards": 3}})")->uuid();
  REQUIRE(world.catalog->Close().ok());
  const auto folder = SubOf(*SubOf(*world.data, "indices"), uuid);
  REQUIRE(folder->DeleteSub("1").ok());
  world.Reopen();
  REQUIRE(world.catalog->failed().size() == 1);
  CHECK(absl::IsDataLoss(world.catalog->failed()[0].second));
  CHECK(folder->ListSubs().value() == Strings{"0", "2"});
}

TEST_CASE("nothing in the way of one folder keeps the others from opening") {
  const auto memory = store::NewMemoryDirectory();
  {
    CatalogWorld world(memory);
    world.Create("a");
    world.Create("b");
    REQUIRE(world.catalog->Close().ok());
  }
  for (int64_t fault = 1;; ++fault) {
    INFO("operation " << fault);
    auto plan = std::make_shared<store::FaultPlan>();
    plan->fail_at = fault;
    ThreadPool pool{"background", 2, 100};
    const auto image = store::CrashImage(*memory, store::UnsyncedFate::kKeep, 1);
    auto catalog = Catalog::Open(store::NewFaultDirectory(image, plan), {}, &pool);
    if (plan->operations < fault) break;
    if (!catalog.ok()) {
      // The folder of all indexes cannot be opened, synced or listed.
      REQUIRE(fault <= 4);
      continue;
    }
    const auto indexes = (*catalog)->Resolve({"*"}, ResolveOptions{.skip_failed = true});
    REQUIRE(indexes.ok());
    CHECK(indexes->size() + (*catalog)->failed().size() == 2);
    CHECK(!indexes->empty());
  }
}

TEST_CASE("an index whose deletion failed is whole for good, or gone") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int64_t fault = 1;; ++fault) {
    INFO("operation " << fault);
    const auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    CatalogWorld world(store::NewFaultDirectory(memory, plan));
    const std::string uuid = world.Create("doomed")->uuid();
    Write(*world.catalog, "doomed", "before");
    const int64_t before = plan->operations;
    plan->fail_at = before + fault;
    const absl::Status deleted = world.catalog->Delete({"doomed"}, false);
    const bool met = plan->operations >= before + fault;
    plan->fail_at = 0;
    INFO(deleted);
    const bool listed = world.catalog->Get("doomed").ok();
    CHECK((!listed || !deleted.ok()));
    // What is acknowledged between the failed deletion and the restart is there after it, in the
    // same index or in one of that name made since.
    Write(*world.catalog, "doomed", "after");
    CHECK((world.catalog->Get("doomed").value()->uuid() == uuid) == listed);
    const auto check = [&](CatalogWorld& after) {
      CHECK(after.catalog->failed().empty());
      const auto index = after.catalog->Get("doomed");
      REQUIRE(index.ok());
      CHECK((*index)->uuid() == world.catalog->Get("doomed").value()->uuid());
      CHECK(SourceOf(**index, "after") == R"({"n": 1})");
      CHECK((SourceOf(**index, "before").empty() == !listed));
    };
    for (const auto fate :
         {store::UnsyncedFate::kKeep, store::UnsyncedFate::kLose, store::UnsyncedFate::kScramble}) {
      INFO("fate " << static_cast<int>(fate));
      CatalogWorld after(store::CrashImage(*memory, fate, random.engine()()));
      check(after);
      // Only indexes, and no traces of those that are gone.
      const auto indices = SubOf(*after.data, "indices");
      CHECK(indices->ListSubs().value().size() == 1);
      CHECK(indices->List().value().empty());
    }
    if (!met) break;
  }
}

TEST_CASE("limits of the mapping are those of the index, for documents too") {
  CatalogWorld world;
  world.Create("deep", R"({"settings": {"mapping": {"depth": {"limit": 40}}}})");
  world.Create("shallow", R"({"settings": {"mapping": {"depth": {"limit": 3}}}})");
  std::string source = "1";
  for (int depth = 0; depth < 30; ++depth) source = R"({"o": )" + source + "}";
  std::vector<BulkItem> items = {IndexItem("deep", "1", source),
                                 IndexItem("shallow", "1", R"({"a": {"b": {"c": {"d": 1}}}})"),
                                 IndexItem("shallow", "2", R"({"a": {"b": {"c": 1}}})")};
  const auto results = Bulk(*world.catalog, items);
  CHECK(results[0].result.status.ok());
  CHECK(!results[1].result.status.ok());
  CHECK(results[2].result.status.ok());
  world.Reopen();
  CHECK(SourceOf(**world.catalog->Get("deep"), "1") == source);
}

}  // namespace
}  // namespace curlew::catalog
