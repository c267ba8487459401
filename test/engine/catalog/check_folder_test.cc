// Data folders, indexes and shards are checked where they lie, and stay as they are.
#include "engine/catalog/check_folder.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/store/real_directory.h"
#include "test/engine/catalog/catalog_fixture.h"
#include "test/support/temp_folder.h"

namespace curlew::catalog {
namespace {

namespace fs = std::filesystem;

// Every file and folder below, with what is in it and when it was last written.
std::map<std::string, std::string> Listing(const std::string& folder) {
  std::map<std::string, std::string> listing;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::ostringstream text;
    text << entry.last_write_time().time_since_epoch().count() << " ";
    if (entry.is_regular_file()) text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    listing[entry.path().string()] = text.str();
  }
  return listing;
}

void Flip(const std::string& path, size_t at) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const char c = static_cast<char>(file.get() ^ 1);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(c);
}

// Two indexes, one of three shards, written by a catalog that is gone, with the lock file that its
// server would have left.
struct World {
  World() {
    CatalogWorld catalog(store::OpenRealDirectory(temp.path()).value());
    const auto one = catalog.Create("one");
    const auto three =
        catalog.Create("three", R"({"settings": {"number_of_shards": 3, "number_of_replicas": 0},
                     "mappings": {"properties": {"t": {"type": "text"}, "n": {"type": "long"}}}})");
    std::vector<std::string> texts;
    for (int i = 0; i < 60; ++i) {
      texts.push_back(fmt::format("d{}", i));
      texts.push_back(fmt::format(R"({{"t": "some words {}", "n": {}}})", i, i));
    }
    std::vector<BulkItem> items;
    for (size_t i = 0; i < texts.size(); i += 2) {
      items.push_back(IndexItem("three", texts[i], texts[i + 1]));
      items.push_back(IndexItem("one", texts[i], texts[i + 1]));
    }
    for (const BulkItemResult& result : Bulk(*catalog.catalog, items)) {
      REQUIRE(result.result.status.ok());
    }
    one_path = fmt::format("{}/indices/{}", temp.path(), one->uuid());
    three_path = fmt::format("{}/indices/{}", temp.path(), three->uuid());
    REQUIRE(catalog.catalog->Close().ok());
    catalog.catalog.reset();
    REQUIRE(store::FolderLock::Acquire(temp.path()).ok());
  }
  FolderCheck Check(const std::string& path) const {
    const auto before = Listing(temp.path());
    auto check = CheckFolder(path);
    INFO(check.status());
    REQUIRE(check.ok());
    CHECK(Listing(temp.path()) == before);
    return *std::move(check);
  }
  FolderCheck Check() const { return Check(temp.path()); }

  test::TempFolder temp;
  std::string one_path;
  std::string three_path;
};

TEST_CASE("a data folder, an index and a shard are checked, and nothing is changed") {
  const World world;
  const FolderCheck all = world.Check();
  CHECK(all.problem_count() == 0);
  CHECK(all.remarks.empty());
  REQUIRE(all.indexes.size() == 2);
  CHECK(all.indexes[0].name == "one");
  CHECK(all.indexes[0].path == fs::canonical(world.one_path).string());
  CHECK(all.indexes[1].name == "three");
  REQUIRE(all.indexes[1].shards.size() == 3);
  uint64_t docs = 0;
  for (const auto& shard : all.indexes[1].shards) {
    for (const auto& segment : shard.check.segments) docs += segment.docs;
  }
  CHECK(docs == 60);

  const FolderCheck index = world.Check(world.three_path);
  CHECK(index.problem_count() == 0);
  REQUIRE(index.indexes.size() == 1);
  CHECK(index.indexes[0].shards.size() == 3);

  const FolderCheck shard = world.Check(world.three_path + "/2/");
  CHECK(shard.problem_count() == 0);
  REQUIRE(shard.indexes.size() == 1);
  CHECK(shard.indexes[0].name == "three");
  REQUIRE(shard.indexes[0].shards.size() == 1);
  CHECK(shard.indexes[0].shards[0].shard == 2);
}

TEST_CASE("copies of an index and of a shard are checked anywhere") {
  const World world;
  test::TempFolder elsewhere;
  const auto copy = [&](const std::string& from, const std::string& to) {
    fs::copy(from, elsewhere.path() + "/" + to, fs::copy_options::recursive);
    return world.Check(elsewhere.path() + "/" + to);
  };
  CHECK(copy(world.three_path, "index").problem_count() == 0);
  const FolderCheck shard = copy(world.three_path + "/1", "shard");
  CHECK(shard.problem_count() == 0);
  REQUIRE(shard.indexes.size() == 1);
  CHECK(shard.indexes[0].name.empty());
  REQUIRE(shard.indexes[0].shards.size() == 1);
  CHECK(shard.indexes[0].shards[0].check.segments.size() == 1);
}

TEST_CASE("a folder that a server has open, or that is none of ours, is refused") {
  const World world;
  auto lock = store::FolderLock::Acquire(world.temp.path());
  REQUIRE(lock.ok());
  for (const std::string& path : {world.temp.path(), world.one_path, world.three_path + "/0"}) {
    const auto check = CheckFolder(path);
    CHECK(ErrorType(check.status()) == "illegal_state_exception");
  }
  lock->reset();
  // Those who only look do not keep each other out, but a server.
  const auto looking = store::FolderLock::AcquireShared(world.temp.path());
  REQUIRE(looking.ok());
  REQUIRE(*looking != nullptr);
  CHECK(world.Check().problem_count() == 0);
  CHECK_FALSE(store::FolderLock::Acquire(world.temp.path()).ok());

  test::TempFolder empty;
  CHECK(ErrorType(CheckFolder(empty.path()).status()) == "illegal_argument_exception");
  CHECK(Listing(empty.path()).empty());
  CHECK(absl::IsNotFound(CheckFolder(empty.path() + "/nosuch").status()));
  CHECK(fs::is_empty(empty.path()));
}

TEST_CASE("damage is reported with the file, in the index that has it") {
  const World world;
  const std::string file = world.three_path + "/1/_0.stored";
  Flip(file, fs::file_size(file) / 2);
  const FolderCheck check = world.Check();
  CHECK(check.problem_count() == 1);
  REQUIRE(check.indexes.size() == 2);
  CHECK(check.indexes[0].problem_count() == 0);
  const auto& segments = check.indexes[1].shards.at(1).check.segments;
  REQUIRE(segments.size() == 1);
  REQUIRE(segments[0].problems.size() == 1);
  CHECK(segments[0].problems[0].file == "_0.stored");
  CHECK_THAT(segments[0].problems[0].what, Catch::Contains("checksum"));
}

TEST_CASE("documents in another shard's folder are found") {
  const World world;
  fs::rename(world.three_path + "/0", world.three_path + "/spare");
  fs::rename(world.three_path + "/1", world.three_path + "/0");
  fs::rename(world.three_path + "/spare", world.three_path + "/1");
  const FolderCheck check = world.Check(world.three_path);
  REQUIRE(check.indexes.size() == 1);
  REQUIRE(check.indexes[0].problem_count() > 0);
  CHECK_THAT(check.indexes[0].shards[0].check.segments.at(0).problems.at(0).what,
             Catch::Contains("belongs to shard 1"));
}

TEST_CASE("an index that has lost a part is reported, and one that is to go is not") {
  const World world;
  const std::string meta = world.one_path + "/index.meta";
  Flip(meta, 30);
  FolderCheck check = world.Check();
  REQUIRE(check.indexes.size() == 2);
  REQUIRE(check.indexes[0].problems.size() == 1);
  CHECK(check.indexes[0].name.empty());
  CHECK(check.indexes[0].problems[0].file == "index.meta");
  CHECK(check.indexes[0].shards.size() == 1);  // what can be looked at is
  Flip(meta, 30);

  fs::remove_all(world.three_path + "/2");
  check = world.Check();
  CHECK(check.problem_count() == 1);
  REQUIRE(check.indexes.at(1).problems.size() == 1);
  CHECK(check.indexes[1].problems[0].file == "2");

  std::ofstream(world.three_path + ".deleted").flush();
  check = world.Check();
  CHECK(check.problem_count() == 0);
  CHECK(check.indexes.size() == 1);
  CHECK(check.remarks.size() == 1);

  fs::copy(world.one_path, world.temp.path() + "/indices/copy", fs::copy_options::recursive);
  check = world.Check();
  CHECK(check.problem_count() == 2);  // of another folder, and the second of that name
}

}  // namespace
}  // namespace curlew::catalog
