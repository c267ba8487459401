// When writes become visible.
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "engine/index/scheduler.h"
#include "engine/store/fault_directory.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

// Waits for a callback of OnNextRefresh.
class Waiter {
 public:
  std::function<void(absl::Status)> Callback() {
    return [this](absl::Status status) {
      std::lock_guard lock(mutex_);
      status_ = std::move(status);
      ++calls_;
      called_.notify_all();
    };
  }
  absl::Status Wait() {
    std::unique_lock lock(mutex_);
    called_.wait(lock, [this] { return calls_ > 0; });
    return status_;
  }
  int calls() {
    std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable called_;
  absl::Status status_;
  int calls_ = 0;
};

TEST_CASE("nothing is visible before a refresh, everything after it") {
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  CHECK(!*shard->Refresh());
  ApplyOne(*shard, IndexOp("a", R"({"n":1})"));
  CHECK(VisibleDocuments(*shard).empty());
  const auto old = shard->snapshot();
  CHECK(*shard->Refresh());
  CHECK(!*shard->Refresh());
  CHECK(VisibleDocuments(*shard).size() == 1);
  CHECK(old->segments.empty());
  ApplyOne(*shard, DeleteOp("a"));
  CHECK(VisibleDocuments(*shard).size() == 1);
  const auto before = shard->snapshot();
  CHECK(*shard->Refresh());
  CHECK(VisibleDocuments(*shard).empty());
  CHECK(before->segments[0].live_count() == 1);
  CHECK(shard->snapshot()->generation > before->generation);
}

TEST_CASE("a full buffer becomes a segment that is not visible yet") {
  ShardWorld world;
  world.options.buffer_bytes = 20 << 10;
  auto shard = world.Open(store::NewMemoryDirectory());
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int i = 0; i < 200; ++i) {
    const std::string json = RandomDocument(random).Json();
    ApplyOne(*shard, IndexOp("d" + std::to_string(i % 120), json));
  }
  CHECK(VisibleDocuments(*shard).empty());
  CHECK(shard->Get("d7")->found);
  REQUIRE(shard->Refresh().ok());
  CHECK(VisibleDocuments(*shard).size() == 120);
  CHECK(shard->snapshot()->segments.size() > 1);
}

TEST_CASE("segments that wait for a refresh are merged, and go on waiting") {
  ShardWorld world;
  world.options.buffer_bytes = 20 << 10;
  world.options.max_unmerged_segments = 15;
  world.options.merge_wait = std::chrono::hours(1);
  auto directory = store::NewMemoryDirectory();
  auto shard = world.Open(directory);
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  std::map<std::string, std::string> want;
  ApplyOne(*shard, IndexOp("seen", "{}"));
  REQUIRE(shard->Refresh().ok());
  const auto seen = shard->snapshot();
  want["seen"] = "{}";
  for (int i = 0; i < 3000; ++i) {
    const std::string id = "d" + std::to_string(random.Between(0, 1500));
    if (random.OneIn(5)) {
      ApplyOne(*shard, DeleteOp(id));
      want.erase(id);
    } else {
      want[id] = RandomDocument(random).Json();
      ApplyOne(*shard, IndexOp(id, want[id]));
    }
  }
  CHECK(shard->stats().merge_total > 0);
  CHECK(shard->snapshot() == seen);
  for (const auto& [id, source] : want) REQUIRE(shard->Get(id)->source == source);
  REQUIRE(shard->Refresh().ok());
  CHECK(VisibleDocuments(*shard) == want);
  REQUIRE(shard->Close(false).ok());
  // The replay makes as many, and waits for no merge that cannot be.
  shard = world.Open(directory);
  CHECK(VisibleDocuments(*shard) == want);
}

TEST_CASE("waiting for the next refresh") {
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  SECTION("nothing to wait for") {
    Waiter waiter;
    shard->OnNextRefresh(waiter.Callback());
    CHECK(waiter.calls() == 1);
  }
  SECTION("a refresh is forced when none would come") {
    ApplyOne(*shard, IndexOp("a", "{}"));
    Waiter waiter;
    shard->OnNextRefresh(waiter.Callback());
    CHECK(waiter.Wait().ok());
    CHECK(VisibleDocuments(*shard).size() == 1);
  }
  SECTION("the background refresh serves all who wait") {
    shard->SetRefreshInterval(std::chrono::milliseconds(20));
    Waiter waiters[3];
    for (int i = 0; i < 3; ++i) {
      const std::string id = std::to_string(i);
      ApplyOne(*shard, IndexOp(id, "{}"));
      shard->OnNextRefresh(waiters[i].Callback());
    }
    for (Waiter& waiter : waiters) CHECK(waiter.Wait().ok());
    CHECK(VisibleDocuments(*shard).size() == 3);
    for (Waiter& waiter : waiters) CHECK(waiter.calls() == 1);
  }
  SECTION("turning the interval off does not forget them") {
    shard->SetRefreshInterval(std::chrono::hours(1));
    ApplyOne(*shard, IndexOp("a", "{}"));
    Waiter waiter;
    shard->OnNextRefresh(waiter.Callback());
    CHECK(waiter.calls() == 0);
    shard->SetRefreshInterval(std::chrono::milliseconds(-1));
    CHECK(waiter.Wait().ok());
  }
  SECTION("a shorter interval counts at once") {
    shard->SetRefreshInterval(std::chrono::hours(1));
    ApplyOne(*shard, IndexOp("a", "{}"));
    Waiter waiter;
    shard->OnNextRefresh(waiter.Callback());
    shard->SetRefreshInterval(std::chrono::milliseconds(5));
    CHECK(waiter.Wait().ok());
  }
  SECTION("closing answers them") {
    shard->SetRefreshInterval(std::chrono::hours(1));
    ApplyOne(*shard, IndexOp("a", "{}"));
    Waiter waiter;
    shard->OnNextRefresh(waiter.Callback());
    REQUIRE(shard->Close(false).ok());
    CHECK(!waiter.Wait().ok());
  }
}

TEST_CASE("those who wait hear of a refresh that fails") {
  auto plan = std::make_shared<store::FaultPlan>();
  ShardWorld world;
  auto shard = world.Open(store::NewFaultDirectory(store::NewMemoryDirectory(), plan));
  ApplyDurable(*shard, IndexOp("a", "{}"));
  plan->stop = true;
  plan->fail_at = plan->operations + 1;
  Waiter waiter;
  shard->OnNextRefresh(waiter.Callback());
  CHECK(!waiter.Wait().ok());
  // No more writes; reading goes on.
  CHECK(!ApplyOne(*shard, IndexOp("b", "{}")).status.ok());
  CHECK(!shard->Flush().ok());
  CHECK(shard->Get("a")->found);
  Waiter late;
  shard->OnNextRefresh(late.Callback());
  CHECK(!late.Wait().ok());
}

TEST_CASE("the log is trimmed by commits") {
  ShardWorld world;
  world.options.flush_translog_bytes = 4000;
  auto shard = world.Open(store::NewMemoryDirectory());
  for (int i = 0; i < 100; ++i) {
    ApplyDurable(*shard, IndexOp(std::to_string(i), R"({"t":"some words to fill the log"})"));
  }
  // The log has grown past its size many times over: commits follow by themselves, in their own
  // time.
  for (int i = 0; i < 1000 && shard->stats().flush_total == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK(shard->stats().flush_total > 0);
  REQUIRE(shard->Flush().ok());
  CHECK(shard->stats().translog_operations == 0);
}

TEST_CASE("background merges keep the number of segments bounded") {
  ShardWorld world;
  auto directory = store::NewMemoryDirectory();
  auto shard = world.Open(directory);
  for (int i = 0; i < 200; ++i) {
    ApplyOne(*shard, IndexOp(std::to_string(i), R"({"n":1})"));
    REQUIRE(shard->Refresh().ok());
  }
  REQUIRE(shard->Close(true).ok());
  shard = world.Open(directory);
  CHECK(VisibleDocuments(*shard).size() == 200);
  CHECK(shard->snapshot()->segments.size() < 200);
}

TEST_CASE("the scheduler runs tasks in order of time and drops what is left") {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int> order;
  auto add = [&](int n) {
    return [&, n] {
      std::lock_guard lock(mutex);
      order.push_back(n);
      changed.notify_all();
    };
  };
  {
    Scheduler scheduler;
    const auto now = Scheduler::Clock::now();
    scheduler.At(now + std::chrono::milliseconds(20), add(2));
    scheduler.At(now + std::chrono::milliseconds(5), add(1));
    scheduler.At(now + std::chrono::hours(1), add(3));
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return order.size() == 2; });
  }
  CHECK(order == std::vector<int>{1, 2});
}

}  // namespace
}  // namespace curlew::index
