// Indexes by name: made, found, listed, deleted, and there again after a restart.
#include "engine/catalog/catalog.h"

#include "engine/catalog/index_metadata.h"
#include "test/engine/catalog/catalog_fixture.h"

namespace curlew::catalog {
namespace {

std::shared_ptr<store::Directory> FolderOf(CatalogWorld& world, const std::string& uuid) {
  return world.data->Sub("indices").value()->Sub(uuid).value();
}

Strings Folders(CatalogWorld& world) {
  return world.data->Sub("indices").value()->ListSubs().value();
}

void Load(Catalog& catalog, std::string_view index, int count) {
  Strings ids;
  for (int i = 0; i < count; ++i) ids.push_back(std::to_string(i));
  std::vector<BulkItem> items;
  for (const std::string& id : ids) items.push_back(IndexItem(index, id, R"({"n": 1})"));
  for (const auto& result : Bulk(catalog, items, RefreshPolicy::kTrue)) {
    REQUIRE(result.result.status.ok());
  }
}

TEST_CASE("an index is made with its settings and mapping, and shown so") {
  CatalogWorld world;
  const auto index = world.Create("books", R"({
      "settings": {"number_of_shards": 3, "number_of_replicas": 2, "refresh_interval": "5s"},
      "mappings": {"properties": {"t": {"type": "text"}}}, "aliases": {}})");
  CHECK(index->name() == "books");
  CHECK(index->uuid().size() == 22);
  CHECK(index->created_millis() > 1'600'000'000'000);
  CHECK(index->shards().size() == 3);
  CHECK(index->settings().number_of_replicas == 2);
  CHECK(index->mapper().current()->Find("t") != nullptr);
  CHECK(index->DescribeJson() ==
        R"({"aliases":{},"mappings":{"properties":{"t":{"type":"text"}}},"settings":{"index":{)"
        R"("creation_date":")" +
            std::to_string(index->created_millis()) +
            R"(","number_of_replicas":"2","number_of_shards":"3","provided_name":"books",)"
            R"("refresh_interval":"5s","replication":{"type":"DOCUMENT"},"uuid":")" +
            index->uuid() + R"("}}})");
  CHECK(world.catalog->Get("books").value() == index);
}

TEST_CASE("an index made of nothing has the defaults") {
  CatalogWorld world;
  for (const char* body : {"", "{}", R"({"settings":{},"mappings":{},"aliases":{}})"}) {
    const auto index = world.Create("plain" + std::to_string(world.Names().size()), body);
    CHECK(index->shards().size() == 1);
    CHECK(index->settings().number_of_replicas == 1);
    CHECK(index->DescribeJson().find(R"("mappings":{},)") != std::string::npos);
    CHECK(index->DescribeJson().find(R"("number_of_shards":"1")") != std::string::npos);
    CHECK(index->DescribeJson().find(R"("number_of_replicas":"1")") != std::string::npos);
  }
}

TEST_CASE("a name that is taken is refused with the facts") {
  CatalogWorld world;
  const auto index = world.Create("books");
  const absl::Status again = world.catalog->Create("books", "").status();
  CHECK(ErrorType(again) == "resource_already_exists_exception");
  CHECK(DescribeError(again).rest_status == 400);
  CHECK(Reason(again) == "index [books/" + index->uuid() + "] already exists");
  CHECK(Fact(again, "index") == "books");
  CHECK(Fact(again, "index_uuid") == index->uuid());
  CHECK(Folders(world).size() == 1);
}

TEST_CASE("bodies that are wrong make no index") {
  CatalogWorld world;
  const std::vector<std::tuple<std::string, std::string, std::string>> wrong = {
      {"{", "parse_exception", "not valid JSON"},
      {"[]", "parse_exception", "must be an object"},
      {"{\"a\xff\": {}}", "parse_exception", "not valid JSON"},
      {R"({"settings": 3})", "parse_exception", "key [settings] must be an object"},
      {R"({"mappings": []})", "parse_exception", "key [mappings] must be an object"},
      {R"({"nosuch": {}})", "parse_exception", "unknown key [nosuch] for create index"},
      {R"({"settings": {"nosuch": 1}})", "illegal_argument_exception", "[index.nosuch]"},
      {R"({"mappings": {"properties": {"a": {"type": "nosuch"}}}})", "mapper_parsing_exception",
       "nosuch"}};
  for (const auto& [body, type, reason] : wrong) {
    INFO(body);
    const absl::Status status = world.catalog->Create("x", body).status();
    REQUIRE(!status.ok());
    CHECK(ErrorType(status) == type);
    CHECK(Reason(status).find(reason) != std::string::npos);
  }
  const absl::Status aliases = world.catalog->Create("x", R"({"aliases": {"a": {}}})").status();
  CHECK(aliases.code() == absl::StatusCode::kUnimplemented);
  CHECK(ErrorType(world.catalog->Create("X", "").status()) == "invalid_index_name_exception");
  CHECK(world.Names().empty());
  CHECK(Folders(world).empty());
}

TEST_CASE("an index is deleted with all that is on disk, and its name is free") {
  CatalogWorld world;
  const auto first = world.Create("books");
  world.Create("films");
  Load(*world.catalog, "books", 3);
  REQUIRE(world.catalog->Delete({"books"}, false).ok());
  CHECK(world.Names() == Strings{"films"});
  CHECK(Folders(world).size() == 1);
  CHECK(ErrorType(world.catalog->Get("books").status()) == "index_not_found_exception");

  // Whoever still holds it is told so by its shards; its documents are readable no longer.
  index::Operation operation;
  operation.id = "1";
  operation.source = "{}";
  index::OperationResult result;
  first->shards()[0]->Apply({&operation, 1}, {&result, 1});
  CHECK(!result.status.ok());
  CHECK(ErrorType(first->mapper().Update(R"({"properties":{"x":{"type":"long"}}})")) ==
        "index_not_found_exception");

  const auto second = world.Create("books");
  CHECK(second->uuid() != first->uuid());
  CHECK(SourceOf(*second, "1") == "");
  world.Reopen();
  CHECK(world.Names() == Strings{"books", "films"});
}

TEST_CASE("deletions of several names happen all or not at all") {
  CatalogWorld world;
  for (const char* name : {"a", "b", "c"}) world.Create(name);
  const absl::Status missing = world.catalog->Delete({"a", "nosuch", "b"}, false);
  CHECK(ErrorType(missing) == "index_not_found_exception");
  CHECK(Fact(missing, "index") == "nosuch");
  CHECK(world.Names() == Strings{"a", "b", "c"});
  CHECK(world.catalog->Delete({"a,nosuch", "b"}, true).ok());
  CHECK(world.Names() == Strings{"c"});
  CHECK(world.catalog->Delete({"nosuch"}, true).ok());
  CHECK(ErrorType(world.catalog->Delete({}, true)) == "action_request_validation_exception");
  CHECK(ErrorType(world.catalog->Delete({""}, false)) == "index_not_found_exception");
  CHECK(world.Names() == Strings{"c"});
}

TEST_CASE("wildcards delete only where that is allowed") {
  CatalogWorld careful;
  for (const char* name : {"a", "ab", "b"}) careful.Create(name);
  for (const Strings& names :
       {Strings{"a*"}, Strings{"*"}, Strings{"_all"}, Strings{"b", "a*"}, Strings{"b,_all"}}) {
    const absl::Status status = careful.catalog->Delete(names, true);
    CHECK(ErrorType(status) == "illegal_argument_exception");
  }
  CHECK(careful.Names() == Strings{"a", "ab", "b"});

  CatalogOptions options;
  options.destructive_requires_name = false;
  CatalogWorld daring(store::NewMemoryDirectory(), options);
  for (const char* name : {"a", "ab", "b"}) daring.Create(name);
  CHECK(daring.catalog->Delete({"a*"}, false).ok());
  CHECK(daring.Names() == Strings{"b"});
}

TEST_CASE("indexes, mappings and documents are there after a restart") {
  CatalogWorld world;
  const auto made = world.Create("books", R"({
      "settings": {"number_of_shards": 2, "number_of_replicas": 0},
      "mappings": {"properties": {"t": {"type": "text"}}}})");
  const std::string description = made->DescribeJson();
  Load(*world.catalog, "books", 20);
  REQUIRE(made->mapper().Update(R"({"properties": {"k": {"type": "keyword"}}})").ok());
  world.Create("films");
  world.Reopen();
  CHECK(world.Names() == Strings{"books", "films"});
  CHECK(world.catalog->failed().empty());
  const auto again = world.catalog->Get("books").value();
  CHECK(again->uuid() == made->uuid());
  CHECK(again->created_millis() == made->created_millis());
  CHECK(again->shards().size() == 2);
  CHECK(VisibleCount(*again) == 20);
  CHECK(again->mapper().current()->Find("k") != nullptr);
  CHECK(again->mapper().current()->Find("n") != nullptr);  // that the documents brought
  CHECK(again->DescribeJson() != description);
  world.Reopen();
  CHECK(world.catalog->Get("books").value()->DescribeJson() == again->DescribeJson());
}

TEST_CASE("leftovers of creations and deletions are removed at the start") {
  CatalogWorld world;
  world.Create("books");
  const auto indices = world.data->Sub("indices").value();
  for (const std::string suffix : {".creating", ".deleted"}) {
    const auto leftover = indices->Sub("leftover" + suffix.substr(1)).value();
    REQUIRE(leftover->Create("segment").value()->Close().ok());
    REQUIRE(leftover->Sub("0").ok());
    REQUIRE(store::WriteAtomically(*indices, "leftover" + suffix.substr(1) + suffix, "").ok());
    REQUIRE(store::WriteAtomically(*indices, "without-a-folder" + suffix, "").ok());
  }
  world.Reopen();
  CHECK(world.Names() == Strings{"books"});
  CHECK(Folders(world).size() == 1);
  CHECK(indices->List().value().empty());
}

TEST_CASE("GetOrCreate makes what is missing unless that is switched off") {
  CatalogWorld world;
  const auto made = world.catalog->GetOrCreate("new").value();
  CHECK(made->settings().number_of_replicas == 1);
  CHECK(world.catalog->GetOrCreate("new").value() == made);
  CHECK(ErrorType(world.catalog->GetOrCreate("Wrong").status()) == "invalid_index_name_exception");

  CatalogOptions options;
  options.auto_create_index = false;
  CatalogWorld strict(store::NewMemoryDirectory(), options);
  CHECK(ErrorType(strict.catalog->GetOrCreate("new").status()) == "index_not_found_exception");
  CHECK(strict.Names().empty());
}

TEST_CASE("Resolve gives each index once, by name") {
  CatalogWorld world;
  for (const char* name : {"b", "a", "ab"}) world.Create(name);
  CHECK(world.Names() == Strings{"a", "ab", "b"});
  CHECK(NamesOf(world.catalog->Resolve({"b", "a*", "a"}, {}).value()) == Strings{"a", "ab", "b"});
  CHECK(NamesOf(world.catalog->Resolve({"b"}, {}).value()) == Strings{"b"});
  CHECK(ErrorType(world.catalog->Resolve({"nosuch"}, {}).status()) == "index_not_found_exception");
  ResolveOptions options;
  options.ignore_unavailable = true;
  CHECK(world.catalog->Resolve({"nosuch"}, options).value().empty());
  options = {};
  options.allow_no_indices = false;
  CHECK(ErrorType(world.catalog->Resolve({"x*"}, options).status()) == "index_not_found_exception");
  CHECK(NamesOf(world.catalog->Resolve({"a"}, options).value()) == Strings{"a"});
}

// Damages the index of that name, which a restart then finds.
using Damage = void (*)(store::Directory& folder);

void ScribbleOverMetadata(store::Directory& folder) {
  REQUIRE(store::WriteAtomically(folder, IndexMetadata::kFileName, "nonsense").ok());
}

// Whichever commit point or segment comes first.
void ScribbleOverShard(store::Directory& folder) {
  const auto shard = folder.Sub("0").value();
  const Strings files = shard->List().value();
  for (const std::string& name : files) {
    REQUIRE(store::WriteAtomically(*shard, name, "nonsense").ok());
  }
}

void RemoveSegments(store::Directory& folder) {
  const auto shard = folder.Sub("0").value();
  size_t removed = 0;
  const Strings files = shard->List().value();
  for (const std::string& name : files) {
    if (shard->Size(name).value() > 0 && !name.starts_with("segments_")) {
      REQUIRE(shard->Delete(name).ok());
      ++removed;
    }
  }
  REQUIRE(removed > 0);
}

TEST_CASE("an index that cannot be opened is listed, can be deleted, and keeps nobody waiting") {
  for (const Damage damage :
       {Damage(ScribbleOverMetadata), Damage(ScribbleOverShard), Damage(RemoveSegments)}) {
    CatalogWorld world;
    world.Create("alive");
    const std::string uuid = world.Create("broken")->uuid();
    Load(*world.catalog, "broken", 5);
    REQUIRE(world.catalog->Close().ok());
    damage(*FolderOf(world, uuid));
    world.Reopen();

    const auto failed = world.catalog->failed();
    REQUIRE(failed.size() == 1);
    // Its name is in the metadata; when that is gone, the folder's has to do.
    const std::string name = damage == ScribbleOverMetadata ? uuid : "broken";
    CHECK(failed[0].first == name);
    CHECK(!failed[0].second.ok());
    INFO(failed[0].second);
    CHECK(world.catalog->Get("alive").ok());
    CHECK(world.catalog->Get(name).status() == failed[0].second);

    // Whoever names it, or means all, is told; who can do without it is not.
    CHECK(world.catalog->Resolve({name}, {}).status() == failed[0].second);
    CHECK(world.catalog->Resolve({}, {}).status() == failed[0].second);
    CHECK(NamesOf(world.catalog->Resolve({"alive"}, {}).value()) == Strings{"alive"});
    ResolveOptions options;
    options.skip_failed = true;
    CHECK(NamesOf(world.catalog->Resolve({}, options).value()) == Strings{"alive"});

    // Nothing is written over it.
    if (damage != ScribbleOverMetadata) {
      CHECK(ErrorType(world.catalog->Create("broken", "").status()) ==
            "resource_already_exists_exception");
      CHECK(!world.catalog->GetOrCreate("broken").ok());
    }
    REQUIRE(world.catalog->Delete({name}, false).ok());
    CHECK(world.catalog->failed().empty());
    CHECK(world.Names() == Strings{"alive"});
    CHECK(Folders(world).size() == 1);
    world.Create("broken");
    world.Reopen();
    CHECK(world.catalog->failed().empty());
    CHECK(world.Names() == Strings{"alive", "broken"});
  }
}

TEST_CASE("a copied folder is no second index") {
  CatalogWorld world;
  const auto index = world.Create("books");
  const auto original = FolderOf(world, index->uuid());
  const auto copy = FolderOf(world, "copy");
  REQUIRE(store::WriteAtomically(*copy, IndexMetadata::kFileName,
                                 original->Open(IndexMetadata::kFileName).value()->view())
              .ok());
  world.Reopen();
  REQUIRE(world.catalog->failed().size() == 1);
  CHECK(world.catalog->failed()[0].first == "copy");
  CHECK(world.catalog->Get("books").ok());
  REQUIRE(world.catalog->Delete({"copy"}, false).ok());
  CHECK(Folders(world) == Strings{index->uuid()});
}

TEST_CASE("documents go to the shard that OpenSearch would choose") {
  CatalogWorld world;
  const auto one = world.Create("one");
  const auto five =
      world.Create("five", R"({"settings": {"number_of_shards": 5, "number_of_replicas": 0}})");
  std::vector<int> counts(5);
  for (int i = 0; i < 1000; ++i) {
    const std::string id = std::to_string(i);
    CHECK(one->ShardNumberFor(id, "") == 0);
    const int shard = five->ShardNumberFor(id, "");
    REQUIRE((shard >= 0 && shard < 5));
    ++counts[static_cast<size_t>(shard)];
    CHECK(&five->ShardFor(id, "") == five->shards()[static_cast<size_t>(shard)].get());
    // Routing takes the place of the id.
    CHECK(five->ShardNumberFor("x", id) == shard);
  }
  for (const int count : counts) CHECK(count > 100);
}

}  // namespace
}  // namespace curlew::catalog
