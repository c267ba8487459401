#include "engine/util/parallel_for.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace curlew {
namespace {

TEST_CASE("every turn is taken once, with and without help") {
  ThreadPool pool("helpers", 3, 100);
  for (ThreadPool* const helpers : {static_cast<ThreadPool*>(nullptr), &pool}) {
    for (const size_t count : {0, 1, 2, 3, 100, 5000}) {
      std::vector<int> taken(count);  // not atomic: each turn has its own
      ParallelFor(helpers, count, [&](size_t i) { ++taken[i]; });
      for (const int times : taken) REQUIRE(times == 1);
    }
  }
}

TEST_CASE("idle threads take part") {
  ThreadPool pool("helpers", 1, 100);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<int> inside{0};
  // Nobody leaves before both have come: it ends only if the pool helps.
  ParallelFor(&pool, 2, [&](size_t) {
    {
      std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    inside.fetch_add(1);
    while (inside.load() < 2) std::this_thread::yield();
  });
  CHECK(threads.size() == 2);
  CHECK(threads.count(std::this_thread::get_id()) == 1);
}

TEST_CASE("a busy pool is not waited for, and helps nobody later") {
  ThreadPool pool("helpers", 2, 100);
  std::promise<void> release;
  const std::shared_future<void> released = release.get_future().share();
  for (int i = 0; i < 2; ++i) REQUIRE(pool.Post([released] { released.wait(); }));
  int turns = 0;  // of this thread alone
  ParallelFor(&pool, 50, [&](size_t) { ++turns; });
  CHECK(turns == 50);
  release.set_value();
}

TEST_CASE("loops of the pool's own threads do not wait for each other") {
  ThreadPool pool("helpers", 2, 100);
  std::atomic<int> turns{0};
  std::vector<std::promise<void>> done(20);
  for (auto& promise : done) {
    REQUIRE(pool.Post([&] {
      ParallelFor(&pool, 10, [&](size_t) { turns.fetch_add(1); });
      promise.set_value();
    }));
  }
  for (auto& promise : done) promise.get_future().wait();
  CHECK(turns.load() == 200);
}

}  // namespace
}  // namespace curlew
