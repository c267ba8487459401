#include "engine/util/thread_pool.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <thread>
#include <vector>

namespace curlew {
namespace {

TEST_CASE("one thread runs tasks in the order of posting, and stopping runs what is queued") {
  std::vector<int> order;
  std::promise<void> gate;
  ThreadPool pool("one", 1, 100);
  REQUIRE(pool.Post([&] { gate.get_future().wait(); }));
  for (int i = 0; i < 50; ++i) REQUIRE(pool.Post([&order, i] { order.push_back(i); }));
  gate.set_value();
  pool.Stop();
  pool.Stop();
  REQUIRE(order.size() == 50);
  for (int i = 0; i < 50; ++i) CHECK(order[static_cast<size_t>(i)] == i);
  CHECK_FALSE(pool.Post([] {}));
  CHECK(pool.stats().completed == 51);
  CHECK(pool.stats().rejected == 1);
}

TEST_CASE("a full queue refuses, and says what is going on") {
  std::promise<void> started;
  std::promise<void> gate;
  ThreadPool pool("full", 1, 2);
  REQUIRE(pool.Post([&] {
    started.set_value();
    gate.get_future().wait();
  }));
  started.get_future().wait();
  CHECK(pool.Post([] {}));
  CHECK(pool.Post([] {}));
  CHECK_FALSE(pool.Post([] {}));
  const ThreadPool::Stats stats = pool.stats();
  CHECK(stats.threads == 1);
  CHECK(stats.active == 1);
  CHECK(stats.queue == 2);
  CHECK(stats.rejected == 1);
  CHECK(stats.completed == 0);
  gate.set_value();
}

TEST_CASE("as many tasks as threads run at a time") {
  constexpr int kThreads = 4;
  std::atomic<int> arrived{0};
  std::promise<void> all;
  std::shared_future<void> everybody = all.get_future().share();
  ThreadPool pool("wide", kThreads, kThreads);
  for (int i = 0; i < kThreads; ++i) {
    // Each waits for the last: this ends only if all of them run at once.
    REQUIRE(pool.Post([&] {
      if (++arrived == kThreads) all.set_value();
      everybody.wait();
    }));
  }
  pool.Stop();
  CHECK(arrived == kThreads);
}

TEST_CASE("many threads may post, and every accepted task runs once") {
  std::atomic<int> ran{0};
  std::atomic<int> accepted{0};
  ThreadPool pool("a-name-longer-than-fifteen", 3, 50);
  std::vector<std::thread> posters;
  for (int t = 0; t < 4; ++t) {
    posters.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        if (pool.Post([&] { ++ran; })) ++accepted;
      }
    });
  }
  for (std::thread& poster : posters) poster.join();
  pool.Stop();
  CHECK(ran == accepted);
  CHECK(pool.stats().completed + pool.stats().rejected == 2000);
}

}  // namespace
}  // namespace curlew
