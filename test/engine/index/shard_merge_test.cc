// Merges beside each other and beside everything else, and what happens when they do not keep up.
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "engine/index/segment_files.h"
#include "engine/store/fault_directory.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

// Holds up the creation of files by merges: by every thread but the test's own.
class Barrier {
 public:
  explicit Barrier(int threads) : left_(threads) {}
  ~Barrier() { Open(); }

  // Threads beyond the first `threads` pass.
  absl::Status Pass(std::string_view what, const std::string& path) {
    if (what != "create" || path.find("/_") == std::string::npos) return absl::OkStatus();
    std::unique_lock lock(mutex_);
    if (open_ || std::this_thread::get_id() == own_ || passes_.contains(std::this_thread::get_id()))
      return absl::OkStatus();
    if (left_ == 0) {
      passes_.insert(std::this_thread::get_id());
      return absl::OkStatus();
    }
    --left_;
    ++held_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    return absl::OkStatus();
  }
  void WaitForHeld(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_ >= count; });
  }
  void Open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  const std::thread::id own_ = std::this_thread::get_id();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::thread::id> passes_;
  int left_;
  int held_ = 0;
  bool open_ = false;
};

std::shared_ptr<store::Directory> Held(Barrier& barrier) {
  auto plan = std::make_shared<store::FaultPlan>();
  plan->intercept = [&barrier](std::string_view what, const std::string& path) {
    return barrier.Pass(what, path);
  };
  return store::NewFaultDirectory(store::NewMemoryDirectory(), plan);
}

void AddSegments(Shard& shard, int& next, int count) {
  for (int i = 0; i < count; ++i) {
    ApplyOne(shard, IndexOp("d" + std::to_string(next++), R"({"n":1})"));
    REQUIRE(shard.Refresh().ok());
  }
}

template <typename Condition>
bool Eventually(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::set<uint64_t> SegmentsOnDisk(store::Directory& directory) {
  std::set<uint64_t> numbers;
  const auto files = directory.List();
  for (const std::string& file : *files) {
    if (const auto number = SegmentNumberOfFile(file)) numbers.insert(*number);
  }
  return numbers;
}

TEST_CASE("small merges go on beside one that takes long") {
  Barrier barrier(1);
  ShardWorld world;
  auto shard = world.Open(Held(barrier));
  int next = 0;
  AddSegments(*shard, next, 11);
  barrier.WaitForHeld(1);
  AddSegments(*shard, next, 100);
  // Those that the first merge holds, and about a tier of others.
  CHECK(Eventually([&] { return shard->stats().segments_count <= 25; }));
  barrier.Open();
  REQUIRE(shard->Refresh().ok());
  CHECK(VisibleDocuments(*shard).size() == static_cast<size_t>(next));
}

TEST_CASE("large merges leave a thread to others") {
  Barrier barrier(2);
  ShardWorld world;
  world.options.large_merge_bytes = 1;
  auto shard = world.Open(Held(barrier));
  int next = 0;
  AddSegments(*shard, next, 40);
  barrier.WaitForHeld(1);
  Shard* raw = shard.get();
  ApplyOne(*shard, IndexOp("late", "{}"));
  // The background thread that is free.
  std::atomic<bool> done{false};
  REQUIRE(world.pool.Post([&] {
    REQUIRE(raw->Flush().ok());
    done = true;
  }));
  // It would be held up, as the second one, if this was a merge; it writes a segment itself.
  barrier.Open();
  CHECK(Eventually([&] { return done.load(); }));
}

TEST_CASE("refreshes wait for merges that do not keep up") {
  Barrier barrier(1);
  ShardWorld world;
  world.options.max_unmerged_segments = 15;
  world.options.merge_wait = std::chrono::hours(1);
  auto shard = world.Open(Held(barrier));
  int next = 0;
  AddSegments(*shard, next, 16);
  barrier.WaitForHeld(1);
  ApplyOne(*shard, IndexOp("late", "{}"));
  std::atomic<bool> opened{false};
  SECTION("until they have") {
    std::thread refresh([&] {
      CHECK(shard->Refresh().ok());
      CHECK(opened.load());
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    opened = true;
    barrier.Open();
    refresh.join();
    CHECK(VisibleDocuments(*shard).size() == static_cast<size_t>(next) + 1);
  }
  SECTION("until the shard is closed") {
    std::thread refresh([&] { shard->Refresh().status().IgnoreError(); });
    std::thread close([&] { CHECK(shard->Close(false).ok()); });
    refresh.join();
    barrier.Open();
    close.join();
  }
}

TEST_CASE("waiting for merges has a bound") {
  Barrier barrier(100);
  ShardWorld world;
  world.options.max_unmerged_segments = 15;
  world.options.merge_wait = std::chrono::milliseconds(1);
  auto shard = world.Open(Held(barrier));
  int next = 0;
  AddSegments(*shard, next, 30);
  CHECK(shard->stats().segments_count == 30);
  barrier.Open();
}

TEST_CASE("writers wait for merges that do not keep up") {
  Barrier barrier(1);
  ShardWorld world;
  world.options.buffer_bytes = 10 << 10;
  world.options.max_unmerged_segments = 12;
  world.options.merge_wait = std::chrono::hours(1);
  auto shard = world.Open(Held(barrier));
  int next = 0;
  AddSegments(*shard, next, 13);
  barrier.WaitForHeld(1);
  std::atomic<bool> opened{false};
  std::thread write([&] {
    CHECK(ApplyOne(*shard, IndexOp("large", R"({"k":")" + std::string(12000, 'x') + R"("})"))
              .status.ok());
    CHECK(opened.load());
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  opened = true;
  barrier.Open();
  write.join();
}

TEST_CASE("the background refresh is put off while merges do not keep up") {
  Barrier barrier(1);
  ShardWorld world;
  world.options.max_unmerged_segments = 15;
  world.options.merge_wait = std::chrono::hours(1);
  auto shard = world.Open(Held(barrier));
  int next = 0;
  AddSegments(*shard, next, 16);
  barrier.WaitForHeld(1);
  shard->SetRefreshInterval(std::chrono::milliseconds(1));
  std::atomic<int> answered{0};
  for (int i = 0; i < 20; ++i) {
    ApplyOne(*shard, IndexOp("more" + std::to_string(i), "{}"));
    shard->OnNextRefresh([&](const absl::Status& status) { answered += status.ok(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(shard->stats().segments_count <= 17);
  }
  barrier.Open();
  CHECK(Eventually([&] { return answered.load() == 20; }));
  CHECK(VisibleDocuments(*shard).size() == static_cast<size_t>(next) + 20);
}

TEST_CASE("a forced merge ends although documents come and go") {
  ShardWorld world;
  auto plan = std::make_shared<store::FaultPlan>();
  std::unique_ptr<Shard> shard;
  const std::thread::id own = std::this_thread::get_id();
  std::atomic<bool> busy{true};  // the compiler may look at it for other threads, too
  int added = 0;
  plan->intercept = [&](std::string_view what, const std::string& path) {
    // Merges in the background, which the new segments may ask for, are none of this test's.
    if (std::this_thread::get_id() != own || what != "create" || busy ||
        path.find("/_") == std::string::npos) {
      return absl::OkStatus();
    }
    // A file of the merge: a new segment, and a deletion in an old one.
    busy = true;
    ++added;
    ApplyOne(*shard, IndexOp("new" + std::to_string(added), "{}"));
    ApplyOne(*shard, DeleteOp("d" + std::to_string(added)));
    CHECK(shard->Refresh().ok());
    busy = added > 300;
    return absl::OkStatus();
  };
  shard = world.Open(store::NewFaultDirectory(store::NewMemoryDirectory(), plan));
  int next = 0;
  AddSegments(*shard, next, 8);
  REQUIRE(shard->Flush().ok());
  busy = false;
  REQUIRE(shard->ForceMerge({1}).ok());
  busy = true;
  CHECK(added > 0);
  CHECK(added < 50);
}

TEST_CASE("segments that were merged away are deleted without being asked") {
  ShardWorld world;
  auto directory = store::NewMemoryDirectory();
  SECTION("when the shard is idle") { world.options.commit_idle = std::chrono::milliseconds(10); }
  SECTION("when they are large") {
    world.options.commit_idle = std::chrono::hours(1);
    world.options.commit_merged_bytes = 1;
  }
  auto shard = world.Open(directory);
  int next = 0;
  for (int i = 0; i < 25; ++i) {
    AddSegments(*shard, next, 1);
    // Committed, so that they have to stay until the next commit.
    REQUIRE(shard->Flush().ok());
  }
  CHECK(Eventually([&] {
    return shard->stats().segments_count < 20 &&
           SegmentsOnDisk(*directory).size() == shard->stats().segments_count;
  }));
}

TEST_CASE("merges during the replay of a log commit nothing", "[index]") {
  test::Random random;
  CAPTURE(random.seed());
  const auto directory = store::NewMemoryDirectory();
  std::map<std::string, std::string> expected;
  {
    ShardWorld writing;
    std::promise<void> release;
    const std::shared_future<void> released = release.get_future().share();
    for (int i = 0; i < 2; ++i) writing.pool.Post([released] { released.wait(); });  // no merges
    auto shard = writing.Open(directory);
    // Committed segments that are worth a merge, and then a log that is replayed in many parts.
    for (int i = 0; i < 3000; ++i) {
      const std::string id = "d" + std::to_string(i);
      expected[id] = RandomDocument(random).Json();
      ApplyOne(*shard, IndexOp(id, expected[id]));
      if (i < 1000 && i % 20 == 0) REQUIRE(shard->Refresh().ok());
      if (i == 1000) REQUIRE(shard->Flush().ok());
    }
    release.set_value();
    REQUIRE(shard->Close(/*flush=*/false).ok());
  }
  ShardWorld world;
  world.options.buffer_bytes = 10 << 10;
  world.options.commit_merged_bytes = 1;
  // Each start replays again, and must find all of it, however far the one before came.
  for (int start = 0; start < 5; ++start) {
    auto shard = world.Open(directory);
    CHECK(VisibleDocuments(*shard) == expected);
    REQUIRE(shard->Close(/*flush=*/false).ok());
  }
}

}  // namespace
}  // namespace curlew::index
