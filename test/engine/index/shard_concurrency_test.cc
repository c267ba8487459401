// Writers, readers, refreshes, commits and merges at the same time.
#include <atomic>
#include <thread>

#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

constexpr int kPinned = 10;

// Ids of its own, so that the writer knows what has to be there at the end.
void Write(Shard& shard, int writer, test::Random random, std::map<std::string, std::string>& model,
           std::atomic<int>& failures) {
  for (int step = 0; step < 150; ++step) {
    const std::string id = std::to_string(writer) + "-" + std::to_string(random.Between(0, 15));
    const std::string json = RandomDocument(random).Json();
    const std::string pinned = "pinned" + std::to_string(random.Between(0, kPinned - 1));
    const std::string pinned_json = RandomDocument(random).Json();
    const bool remove = random.OneIn(4);
    // Documents that every writer overwrites or updates, but nobody deletes; and a counter.
    Operation operations[] = {
        remove ? DeleteOp(id) : IndexOp(id, json),
        random.OneIn(2) ? IndexOp(pinned, pinned_json) : UpdateOp(pinned, R"({"n": 7})"),
    };
    operations[1].retry_on_conflict = 1000;
    OperationResult results[2];
    const ApplyOutcome outcome = shard.Apply(operations, results);
    failures += !results[0].status.ok() + !results[1].status.ok();
    if (random.OneIn(10)) failures += !shard.WaitDurable(outcome.ticket).ok();
    if (remove) {
      model.erase(id);
    } else {
      model[id] = json;
    }
    if (random.OneIn(10)) {
      const auto got = shard.Get(id);
      failures += !got.ok() || got->found == remove || (!remove && got->source != json);
    }
  }
}

// In every snapshot each pinned document is there exactly once: an update is never seen half.
void Read(const Shard& shard, const std::atomic<bool>& done, std::atomic<int>& failures) {
  uint64_t generation = 0;
  while (!done) {
    const auto snapshot = shard.snapshot();
    failures += snapshot->generation < generation;
    generation = snapshot->generation;
    std::map<std::string, int> pinned;
    for (const SnapshotSegment& segment : snapshot->segments) {
      const auto cursor = segment.reader->stored().NewCursor();
      for (codec::DocId doc = 0; doc < segment.reader->max_doc(); ++doc) {
        if (!segment.Live(doc)) continue;
        const auto stored = cursor->Read(doc);
        failures += !stored.ok();
        if (stored.ok() && stored->id.starts_with("pinned")) ++pinned[std::string(stored->id)];
      }
    }
    failures += pinned.size() != kPinned;
    for (const auto& [id, count] : pinned) failures += count != 1;
    std::this_thread::yield();
  }
}

TEST_CASE("writers, readers, refreshes, commits and merges do not disturb each other") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ShardWorld world;
  world.options.refresh_interval = std::chrono::milliseconds(2);
  world.options.buffer_bytes = 60 << 10;
  auto directory = store::NewMemoryDirectory();
  auto shard = world.Open(directory);
  for (int i = 0; i < kPinned; ++i) {
    const std::string json = RandomDocument(random).Json();
    ApplyOne(*shard, IndexOp("pinned" + std::to_string(i), json));
  }
  REQUIRE(shard->Refresh().ok());

  constexpr int kWriters = 3;
  std::atomic<int> failures{0};
  std::atomic<bool> done{false};
  std::map<std::string, std::string> models[kWriters];
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back(Write, std::ref(*shard), w, test::Random(random.engine()()),
                         std::ref(models[w]), std::ref(failures));
  }
  std::thread reader(Read, std::cref(*shard), std::cref(done), std::ref(failures));
  std::thread keeper([&, r = test::Random(random.engine()())]() mutable {
    while (!done) {
      switch (r.Between(0, 2)) {
        case 0:
          failures += !shard->Refresh().ok();
          break;
        case 1:
          failures += !shard->Flush().ok();
          break;
        default:
          failures += !shard->ForceMerge({static_cast<int>(r.Between(1, 4))}).ok();
          break;
      }
      shard->stats();
    }
  });
  for (std::thread& writer : writers) writer.join();
  done = true;
  reader.join();
  keeper.join();
  REQUIRE(failures == 0);

  REQUIRE(shard->Refresh().ok());
  auto check = [&] {
    const auto visible = VisibleDocuments(*shard);
    size_t expected = kPinned;
    for (const auto& model : models) {
      expected += model.size();
      for (const auto& [id, json] : model) REQUIRE(visible.at(id) == json);
    }
    REQUIRE(visible.size() == expected);
  };
  check();
  CheckSegments(*shard, *directory);
  REQUIRE(shard->Close(false).ok());
  shard = world.Open(directory);
  check();
}

TEST_CASE("updates of one document from many threads all count") {
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  constexpr int kThreads = 4;
  constexpr int kUpdates = 50;
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kUpdates; ++i) {
        // Every update adds a member of its own (a keyword sub-object would be mapped; tags are not
        // needed here), so that a lost one would be missing.
        const std::string name = "u" + std::to_string(t * kUpdates + i);
        const std::string doc = "{\"" + name + "\":true}";
        Operation operation = UpdateOp("one", doc);
        operation.doc_as_upsert = true;
        operation.retry_on_conflict = 1000000;
        failures += !ApplyOne(*shard, operation).status.ok();
        if (i % 20 == 0) failures += !shard->Refresh().ok();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(failures == 0);
  const auto got = shard->Get("one");
  REQUIRE(got.ok());
  REQUIRE(got->version == kThreads * kUpdates);
  for (int i = 0; i < kThreads * kUpdates; ++i) {
    INFO(i);
    REQUIRE(got->source.find("\"u" + std::to_string(i) + "\":true") != std::string::npos);
  }
}

TEST_CASE("a shard can be closed while it works") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 10; ++round) {
    ShardWorld world;
    world.options.refresh_interval = std::chrono::milliseconds(1);
    world.options.buffer_bytes = 50 << 10;
    auto directory = store::NewMemoryDirectory();
    auto shard = world.Open(directory);
    std::shared_ptr<const Snapshot> held;
    for (int i = 0; i < 200; ++i) {
      const std::string json = RandomDocument(random).Json();
      ApplyOne(*shard, IndexOp("d" + std::to_string(i % 50), json));
      if (i == 100) held = shard->snapshot();
    }
    REQUIRE(shard->Close(random.OneIn(2)).ok());
    REQUIRE(!ApplyOne(*shard, DeleteOp("d1")).status.ok());
    REQUIRE(!shard->Refresh().ok());
    shard = world.Open(directory);
    REQUIRE(VisibleDocuments(*shard).size() == 50);
    // What a reader of the closed shard lets go must not be missed by the new one.
    held = nullptr;
    REQUIRE(shard->Close(true).ok());
    shard = world.Open(directory);
    REQUIRE(VisibleDocuments(*shard).size() == 50);
  }
}

}  // namespace
}  // namespace curlew::index
