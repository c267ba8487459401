// Which codec a shard's segments are written with, and what a forced merge leaves and writes.
#include <algorithm>
#include <mutex>
#include <set>
#include <string>

#include "engine/store/fault_directory.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

std::string Source(test::Random& random) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "word" + std::to_string(random.Between(0, 99)) + " ";
  return R"({"n":1,"t":")" + text + "\"}";
}

void AddDocuments(Shard& shard, int first, int count, test::Random& random) {
  for (int i = first; i < first + count; ++i) {
    ApplyOne(shard, IndexOp("d" + std::to_string(i), Source(random)));
  }
  REQUIRE(shard.Refresh().ok());
}

std::multiset<std::string> Codecs(const Shard& shard) {
  std::multiset<std::string> codecs;
  for (const auto& segment : shard.snapshot()->segments) {
    codecs.insert(segment.reader->info().stored_codec);
  }
  return codecs;
}

using Names = std::multiset<std::string>;

TEST_CASE("segments are compressed once a merge passes the threshold, and stay so") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ShardWorld world;
  world.options.merged_stored_threshold = 100'000;
  auto shard = world.Open(store::NewMemoryDirectory());
  AddDocuments(*shard, 0, 50, random);
  AddDocuments(*shard, 50, 50, random);
  CHECK(Codecs(*shard) == Names{"none", "none"});
  REQUIRE(shard->ForceMerge({1}).ok());
  CHECK(Codecs(*shard) == Names{"none"});
  AddDocuments(*shard, 100, 200, random);
  CHECK(Codecs(*shard) == Names{"none", "none"});
  REQUIRE(shard->ForceMerge({1}).ok());
  CHECK(Codecs(*shard) == Names{"zstd"});

  // What it takes compressed is below the threshold; what counts is what it would take otherwise.
  REQUIRE(shard->stats().store_bytes < 100'000);
  AddDocuments(*shard, 300, 1, random);
  CHECK(Codecs(*shard) == Names{"none", "zstd"});
  REQUIRE(shard->ForceMerge({1}).ok());
  CHECK(Codecs(*shard) == Names{"zstd"});

  // And a result that has become small is not compressed any more.
  for (int i = 20; i < 301; ++i) ApplyOne(*shard, DeleteOp("d" + std::to_string(i)));
  REQUIRE(shard->ForceMerge({1}).ok());
  CHECK(Codecs(*shard) == Names{"none"});
  CHECK(VisibleDocuments(*shard).size() == 20);
}

TEST_CASE("without a threshold every segment is compressed") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const char* codec : {"lz4", "zstd", "zstd_no_dict"}) {
    ShardWorld world;
    world.options.stored = {codec, 1};
    world.options.merged_stored = {codec, 1};
    auto directory = store::NewMemoryDirectory();
    auto shard = world.Open(directory);
    AddDocuments(*shard, 0, 20, random);
    AddDocuments(*shard, 20, 30, random);
    CHECK(Codecs(*shard) == Names{codec, codec});
    REQUIRE(shard->ForceMerge({1}).ok());
    CHECK(Codecs(*shard) == Names{codec});
    CHECK(shard->stats().stored_bytes < shard->stats().stored_raw_bytes);
    REQUIRE(shard->Close(true).ok());

    // Other codecs from now on: what is there stays readable.
    world.options.stored = {"none"};
    world.options.merged_stored = {"lz4"};
    world.options.merged_stored_threshold = 1;
    shard = world.Open(directory);
    CHECK(Codecs(*shard) == Names{codec});
    AddDocuments(*shard, 50, 10, random);
    CHECK(Codecs(*shard) == Names{codec, "none"});
    REQUIRE(shard->ForceMerge({1}).ok());
    CHECK(Codecs(*shard) == Names{"lz4"});
    CHECK(VisibleDocuments(*shard).size() == 60);
  }
}

TEST_CASE("sources of documents that are replaced before they are visible are not stored") {
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  for (int i = 0; i < 10; ++i) {
    ApplyOne(*shard, IndexOp("a", R"({"k":")" + std::string(1000, 'x') + "\"}"));
  }
  ApplyOne(*shard, IndexOp("b", "{}"));
  REQUIRE(shard->Refresh().ok());
  CHECK(shard->stats().docs_deleted == 9);
  CHECK(shard->stats().stored_raw_bytes < 1100);
  CHECK(shard->Get("a")->source.size() > 1000);
  CHECK(VisibleDocuments(*shard).size() == 2);
}

TEST_CASE("what died in the buffer does not make a merge look small") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ShardWorld world;
  world.options.merged_stored_threshold = 20'000;
  auto shard = world.Open(store::NewMemoryDirectory());
  for (int segment = 0; segment < 2; ++segment) {
    for (int i = 0; i < 50; ++i) {
      for (int version = 0; version < 10; ++version) {
        ApplyOne(*shard, IndexOp("d" + std::to_string(segment * 50 + i), Source(random)));
      }
    }
    REQUIRE(shard->Refresh().ok());
  }
  REQUIRE(shard->stats().docs_deleted == 900);
  REQUIRE(shard->stats().stored_raw_bytes > 20'000);
  REQUIRE(shard->ForceMerge({1}).ok());
  CHECK(Codecs(*shard) == Names{"zstd"});
}

TEST_CASE("a forced merge makes its result durable, and not what it merges away") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  std::mutex mutex;
  std::set<std::string> synced;
  auto plan = std::make_shared<store::FaultPlan>();
  plan->intercept = [&](std::string_view what, const std::string& path) {
    std::lock_guard lock(mutex);
    const size_t name = path.rfind("/_");
    if (what == "sync" && name != std::string::npos) {
      synced.insert(path.substr(name + 1, path.find('.', name) - name - 1));
    }
    return absl::OkStatus();
  };
  auto memory = store::NewMemoryDirectory();
  ShardWorld world;
  auto shard = world.Open(store::NewFaultDirectory(memory, plan));
  for (int i = 0; i < 4; ++i) AddDocuments(*shard, i * 5, 5, random);
  REQUIRE(shard->ForceMerge({1}).ok());
  const std::string result = shard->snapshot()->segments[0].reader->info().name;
  CHECK(synced == std::set<std::string>{result});
  shard.reset();
  CHECK(VisibleDocuments(*world.Open(memory)).size() == 20);
}

TEST_CASE("a forced merge without a number, and one of deletions") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  for (int i = 0; i < 4; ++i) AddDocuments(*shard, i * 20, 20, random);
  // Four segments are as the policy likes them.
  REQUIRE(shard->ForceMerge({}).ok());
  CHECK(shard->stats().segments_count == 4);
  REQUIRE(shard->ForceMerge({0, true}).ok());
  CHECK(shard->stats().segments_count == 4);

  // Below a tenth, and above it.
  ApplyOne(*shard, DeleteOp("d1"));
  for (const char* id : {"d21", "d22", "d23"}) ApplyOne(*shard, DeleteOp(id));
  REQUIRE(shard->ForceMerge({0, true}).ok());
  CHECK(shard->stats().segments_count == 4);
  CHECK(shard->stats().docs_deleted == 1);
  CHECK(shard->stats().docs_count == 76);
  CHECK(shard->ForceMerge({-1}).code() == absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace curlew::index
