// Bulk execution: grouping, what makes an index, order, errors per item, refresh.
#include "engine/catalog/bulk.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>

#include "test/engine/catalog/catalog_fixture.h"
#include "test/support/random.h"

namespace curlew::catalog {
namespace {

using index::ResultKind;

constexpr std::string_view kFiveShards =
    R"({"settings": {"number_of_shards": 5, "number_of_replicas": 0, "refresh_interval": "-1"}})";

TEST_CASE("items find their index and shard, and results their place") {
  CatalogWorld world;
  world.Create("one");
  const auto five = world.Create("five", kFiveShards);
  Strings ids;
  for (int i = 0; i < 200; ++i) ids.push_back("id" + std::to_string(i));
  std::vector<BulkItem> items;
  for (size_t i = 0; i < ids.size(); ++i) {
    items.push_back(IndexItem(i % 2 == 0 ? "one" : "five", ids[i], R"({"n": 1})"));
  }
  const auto results = Bulk(*world.catalog, items, RefreshPolicy::kTrue);
  std::map<std::pair<std::string, int>, int64_t> next_seq_no;
  for (size_t i = 0; i < items.size(); ++i) {
    INFO(i);
    REQUIRE(results[i].result.status.ok());
    CHECK(results[i].result.kind == ResultKind::kCreated);
    CHECK(results[i].result.version == 1);
    // Sequence numbers count each shard's items in the order of the request.
    const std::string index(items[i].index);
    const int shard = world.catalog->Get(index).value()->ShardNumberFor(ids[i], "");
    CHECK(results[i].result.seq_no == next_seq_no[std::pair(index, shard)]++);
  }
  CHECK(next_seq_no.size() == 6);
  CHECK(VisibleCount(*world.catalog->Get("one").value()) == 100);
  CHECK(VisibleCount(*five) == 100);
  for (const auto& shard : five->shards()) CHECK(shard->stats().docs_count > 0);
}

TEST_CASE("routing sends a document to another shard than its id would") {
  CatalogWorld world;
  const auto index = world.Create("five", kFiveShards);
  Strings ids;
  for (int i = 0; i < 30; ++i) ids.push_back(std::to_string(i));
  std::vector<BulkItem> items;
  for (const std::string& id : ids) {
    items.push_back(IndexItem("five", id, "{}"));
    items.back().operation.routing = "here";
  }
  Bulk(*world.catalog, items, RefreshPolicy::kTrue);
  CHECK(index->ShardFor("", "here").stats().docs_count == 30);
  CHECK(VisibleCount(*index) == 30);
  // The same id without routing is another document, unless its own shard happens to be that one.
  const std::string away = *std::find_if(ids.begin(), ids.end(), [&](const std::string& id) {
    return index->ShardNumberFor(id, "") != index->ShardNumberFor("", "here");
  });
  std::vector<BulkItem> missing = {DeleteItem("five", away)};
  CHECK(Bulk(*world.catalog, missing)[0].result.kind == ResultKind::kNotFound);
  CHECK(SourceOf(*index, away, "here") == "{}");
}

TEST_CASE("operations on one id take effect in the order of the request") {
  CatalogWorld world;
  const auto index = world.Create("a");
  std::vector<BulkItem> items = {
      CreateItem("a", "1", R"({"n":1})"), UpdateItem("a", "1", R"({"m":2})"),
      CreateItem("a", "1", R"({"n":3})"), DeleteItem("a", "1"),
      UpdateItem("a", "1", R"({"n":4})"), IndexItem("a", "1", R"({"n":5})"),
      UpdateItem("a", "1", R"({"n":5})"), DeleteItem("a", "2")};
  const auto results = Bulk(*world.catalog, items);
  CHECK(results[0].result.kind == ResultKind::kCreated);
  CHECK(results[1].result.kind == ResultKind::kUpdated);
  CHECK(results[1].result.version == 2);
  CHECK(ErrorType(results[2].result.status) == "version_conflict_engine_exception");
  CHECK(results[3].result.kind == ResultKind::kDeleted);
  CHECK(results[3].result.version == 3);
  CHECK(ErrorType(results[4].result.status) == "document_missing_exception");
  CHECK(results[5].result.kind == ResultKind::kCreated);
  CHECK(results[5].result.version == 4);
  CHECK(results[6].result.kind == ResultKind::kNoop);
  CHECK(results[7].result.kind == ResultKind::kNotFound);
  CHECK(SourceOf(*index, "1") == R"({"n":5})");
}

TEST_CASE("an item without an id gets one") {
  CatalogWorld world;
  const auto index = world.Create("a");
  std::vector<BulkItem> items = {IndexItem("a", "", R"({"n":1})"), CreateItem("a", "", "{}"),
                                 IndexItem("a", "mine", "{}")};
  const auto results = Bulk(*world.catalog, items);
  for (const auto& result : results) REQUIRE(result.result.status.ok());
  CHECK(items[0].generated_id.size() == 20);
  CHECK(items[0].operation.id == items[0].generated_id);
  CHECK(items[1].generated_id != items[0].generated_id);
  CHECK(items[2].generated_id.empty());
  CHECK(SourceOf(*index, items[0].generated_id) == R"({"n":1})");
}

TEST_CASE("bad items fail alone, and say where") {
  CatalogWorld world;
  const auto index = world.Create("five", kFiveShards);
  std::vector<BulkItem> items = {
      IndexItem("five", "1", R"({"n": 1})"),       IndexItem("five", "2", R"({"n": )"),
      IndexItem("five", "3", "{\"n\": \"\xff\"}"), IndexItem("five", "4", R"({"n": "word"})"),
      IndexItem("five", "5", R"({"n": 5})"),       IndexItem("Wrong", "6", "{}"),
      UpdateItem("five", "nosuch", R"({"n": 7})"), DeleteItem("nosuch", "8"),
      CreateItem("five", "1", R"({"n": 9})")};
  items.push_back(IndexItem("five", "1", R"({"n": 10})"));
  items.back().operation.if_seq_no = 999;
  items.back().operation.if_primary_term = 1;
  const auto results = Bulk(*world.catalog, items);
  const Strings types = {"",
                         "mapper_parsing_exception",
                         "mapper_parsing_exception",
                         "mapper_parsing_exception",
                         "",
                         "invalid_index_name_exception",
                         "document_missing_exception",
                         "index_not_found_exception",
                         "version_conflict_engine_exception",
                         "version_conflict_engine_exception"};
  for (size_t i = 0; i < items.size(); ++i) {
    const absl::Status& status = results[i].result.status;
    INFO(i << " " << status);
    CHECK((status.ok() ? "" : ErrorType(status)) == types[i]);
    if (types[i].find("mapper") == 0 || types[i].find("version") == 0 ||
        types[i].find("document") == 0) {
      CHECK(Fact(status, "index") == "five");
      CHECK(Fact(status, "index_uuid") == index->uuid());
      CHECK(Fact(status, "shard") ==
            std::to_string(index->ShardNumberFor(items[i].operation.id, "")));
    }
  }
  CHECK(SourceOf(*index, "1") == R"({"n": 1})");
  CHECK(SourceOf(*index, "5") == R"({"n": 5})");
  for (const char* id : {"2", "3", "4"}) CHECK(SourceOf(*index, id) == "");
  CHECK(world.Names() == Strings{"five"});
}

TEST_CASE("what makes a missing index, and what does not") {
  const auto external = [](BulkItem item) {
    item.operation.version = 7;
    item.operation.version_type = index::VersionType::kExternal;
    return item;
  };
  BulkItem conflict = IndexItem("new", "1", "{}");
  conflict.operation.if_seq_no = 1;
  conflict.operation.if_primary_term = 1;
  const std::vector<std::pair<BulkItem, bool>> expected = {
      {IndexItem("new", "1", "{}"), true},
      {CreateItem("new", "1", "{}"), true},
      {IndexItem("new", "", "{}"), true},
      {UpdateItem("new", "1", "{}"), true},          // and fails for want of the document
      {IndexItem("new", "1", "no document"), true},  // and fails
      {conflict, true},                              // and fails
      {DeleteItem("new", "1"), false},
      {external(DeleteItem("new", "1")), true}};
  for (const auto& [item, makes] : expected) {
    CatalogWorld world;
    std::vector<BulkItem> items = {item};
    const auto results = Bulk(*world.catalog, items);
    INFO(static_cast<int>(item.operation.type) << " " << results[0].result.status);
    CHECK(world.Names() == (makes ? Strings{"new"} : Strings{}));
    // An index made so has one replica.
    if (makes) CHECK(results[0].shards_total == 2);
    if (!makes) CHECK(ErrorType(results[0].result.status) == "index_not_found_exception");

    CatalogOptions options;
    options.auto_create_index = false;
    CatalogWorld strict(store::NewMemoryDirectory(), options);
    const auto refused = Bulk(*strict.catalog, items);
    CHECK(ErrorType(refused[0].result.status) == "index_not_found_exception");
    CHECK(Fact(refused[0].result.status, "index") == "new");
    CHECK(strict.Names().empty());
  }
}

TEST_CASE("require_alias refuses indexes, there or not, but not deletions") {
  CatalogWorld world;
  const auto index = world.Create("a");
  std::vector<BulkItem> items = {IndexItem("a", "1", R"({"n":1})"), IndexItem("a", "2", "{}"),
                                 DeleteItem("a", "1"), UpdateItem("new", "1", "{}"),
                                 IndexItem("a", "3", "{}")};
  for (const size_t i : {1, 2, 3}) items[i].require_alias = true;
  const auto results = Bulk(*world.catalog, items);
  CHECK(results[0].result.status.ok());
  for (const size_t i : {1, 3}) {
    CHECK(ErrorType(results[i].result.status) == "index_not_found_exception");
    CHECK(Reason(results[i].result.status).find("[require_alias]") != std::string::npos);
  }
  CHECK(results[2].result.kind == ResultKind::kDeleted);
  CHECK(results[4].result.status.ok());
  CHECK(SourceOf(*index, "2") == "");
  CHECK(world.Names() == Strings{"a"});
}

TEST_CASE("shard counts name the replicas that there could be") {
  CatalogWorld world;
  world.Create("none");
  world.Create("two", R"({"settings": {"number_of_replicas": 2}})");
  std::vector<BulkItem> items = {IndexItem("none", "1", "{}"), IndexItem("two", "1", "{}"),
                                 IndexItem("auto", "1", "{}"), DeleteItem("two", "nosuch")};
  const auto results = Bulk(*world.catalog, items);
  const int totals[] = {1, 3, 2, 3};
  for (size_t i = 0; i < items.size(); ++i) {
    CHECK(results[i].shards_total == totals[i]);
    CHECK(results[i].shards_successful == 1);
  }
}

TEST_CASE("no items are no trouble") {
  CatalogWorld world;
  for (const auto refresh : {RefreshPolicy::kNone, RefreshPolicy::kTrue, RefreshPolicy::kWaitFor}) {
    std::vector<BulkItem> items;
    CHECK(Bulk(*world.catalog, items, refresh).empty());
  }
}

TEST_CASE("without a refresh nothing is visible, with one everything is") {
  CatalogWorld world;
  const auto index = world.Create("five", kFiveShards);
  Strings ids;
  for (int i = 0; i < 20; ++i) ids.push_back(std::to_string(i));
  std::vector<BulkItem> items;
  for (const std::string& id : ids) items.push_back(IndexItem("five", id, "{}"));
  for (const auto& result : Bulk(*world.catalog, items, RefreshPolicy::kNone)) {
    CHECK(!result.forced_refresh);
  }
  CHECK(VisibleCount(*index) == 0);
  for (const auto& result : Bulk(*world.catalog, items, RefreshPolicy::kTrue)) {
    CHECK(result.result.kind == ResultKind::kUpdated);
    CHECK(result.forced_refresh);
  }
  CHECK(VisibleCount(*index) == 20);
}

TEST_CASE("forced_refresh stands on every success of a shard that was refreshed") {
  CatalogWorld world;
  world.Create("a");
  world.Create("b");
  std::vector<BulkItem> first = {IndexItem("a", "1", R"({"n":1})"),
                                 IndexItem("b", "1", R"({"n":1})")};
  Bulk(*world.catalog, first);
  // "a" is written to; on "b" there is only a noop and a failure.
  std::vector<BulkItem> items = {IndexItem("a", "2", "{}"), UpdateItem("a", "1", R"({"n":1})"),
                                 CreateItem("a", "1", "{}"), UpdateItem("b", "1", R"({"n":1})"),
                                 CreateItem("b", "1", "{}")};
  const auto results = Bulk(*world.catalog, items, RefreshPolicy::kTrue);
  CHECK(results[1].result.kind == ResultKind::kNoop);
  CHECK(results[3].result.kind == ResultKind::kNoop);
  const bool forced[] = {true, true, false, false, false};
  for (size_t i = 0; i < items.size(); ++i) CHECK(results[i].forced_refresh == forced[i]);
  // The deletion of what is not there is an operation all the same.
  std::vector<BulkItem> deletion = {DeleteItem("b", "nosuch")};
  CHECK(Bulk(*world.catalog, deletion, RefreshPolicy::kTrue)[0].forced_refresh);
}

TEST_CASE("wait_for ends when the documents are visible") {
  CatalogWorld world;
  const auto index = world.Create("five", R"({"settings": {
      "number_of_shards": 5, "number_of_replicas": 0, "refresh_interval": "20ms"}})");
  Strings ids;
  for (int i = 0; i < 20; ++i) ids.push_back(std::to_string(i));
  std::vector<BulkItem> items;
  for (const std::string& id : ids) items.push_back(IndexItem("five", id, "{}"));
  for (const auto& result : Bulk(*world.catalog, items, RefreshPolicy::kWaitFor)) {
    CHECK(result.result.status.ok());
  }
  CHECK(VisibleCount(*index) == 20);

  // Nothing to wait for: failures, and noops.
  std::vector<BulkItem> idle = {CreateItem("five", "1", "{}"), UpdateItem("five", "2", "{}")};
  const auto results = Bulk(*world.catalog, idle, RefreshPolicy::kWaitFor);
  CHECK(ErrorType(results[0].result.status) == "version_conflict_engine_exception");
  CHECK(results[1].result.kind == ResultKind::kNoop);
}

TEST_CASE("wait_for answers on an index that never refreshes by itself") {
  CatalogWorld world;
  const auto index = world.Create("a");
  std::vector<BulkItem> items = {IndexItem("a", "1", "{}")};
  Bulk(*world.catalog, items, RefreshPolicy::kWaitFor);
  CHECK(VisibleCount(*index) == 1);
}

TEST_CASE("wait_for is called once, and answered when the index goes meanwhile") {
  CatalogWorld world;
  world.Create("a", R"({"settings": {"number_of_shards": 3, "refresh_interval": "1h"}})");
  Strings ids;
  for (int i = 0; i < 20; ++i) ids.push_back(std::to_string(i));
  std::vector<BulkItem> items;
  for (const std::string& id : ids) items.push_back(IndexItem("a", id, "{}"));
  std::vector<BulkItemResult> results(items.size());
  std::atomic<int> calls = 0;
  std::promise<void> done;
  ExecuteBulk(*world.catalog, items, RefreshPolicy::kWaitFor, results, [&] {
    if (++calls == 1) done.set_value();
  });
  std::future<void> finished = done.get_future();
  CHECK(finished.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
  for (const auto& result : results) CHECK(result.result.status.ok());
  REQUIRE(world.catalog->Delete({"a"}, false).ok());
  CHECK(finished.wait_for(std::chrono::seconds(60)) == std::future_status::ready);
  CHECK(calls == 1);
}

TEST_CASE("what bulks acknowledge survives power loss") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const auto memory = store::NewMemoryDirectory();
  CatalogWorld world(memory);
  world.Create("five", kFiveShards);
  std::map<std::string, std::string> model;
  for (int round = 0; round < 10; ++round) {
    Strings ids, sources;
    for (int i = 0; i < 20; ++i) {
      ids.push_back(std::to_string(random.Between(0, 60)));
      sources.push_back("{\"n\":" + std::to_string(round * 100 + i) + "}");
    }
    std::vector<BulkItem> items;
    for (size_t i = 0; i < ids.size(); ++i) {
      if (random.OneIn(4)) {
        items.push_back(DeleteItem("five", ids[i]));
        model.erase(ids[i]);
      } else {
        items.push_back(IndexItem("five", ids[i], sources[i]));
        model[ids[i]] = sources[i];
      }
    }
    for (const auto& result : Bulk(*world.catalog, items,
                                   random.OneIn(3) ? RefreshPolicy::kTrue : RefreshPolicy::kNone)) {
      REQUIRE(result.result.status.ok());
    }
    CatalogWorld after(store::CrashImage(*memory, store::UnsyncedFate::kLose));
    const auto index = after.catalog->Get("five").value();
    for (int id = 0; id <= 60; ++id) {
      const std::string key = std::to_string(id);
      REQUIRE(SourceOf(*index, key) == (model.contains(key) ? model[key] : ""));
    }
  }
}

}  // namespace
}  // namespace curlew::catalog
