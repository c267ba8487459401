// Ids for documents that come without one.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <thread>

#include "engine/catalog/bulk.h"

namespace curlew::catalog {
namespace {

bool IsUrlSafe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

TEST_CASE("generated ids have 20 URL-safe characters") {
  for (int i = 0; i < 1000; ++i) {
    const std::string id = GenerateId();
    REQUIRE(id.size() == 20);
    REQUIRE(std::all_of(id.begin(), id.end(), IsUrlSafe));
  }
}

TEST_CASE("generated ids are unique, also between threads") {
  constexpr int kThreads = 4, kEach = 20000;
  std::vector<std::vector<std::string>> ids(kThreads);
  std::vector<std::thread> threads;
  for (auto& list : ids) {
    threads.emplace_back([&list] {
      for (int i = 0; i < kEach; ++i) list.push_back(GenerateId());
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& list : ids) all.insert(list.begin(), list.end());
  CHECK(all.size() == kThreads * kEach);
}

TEST_CASE("generated ids ascend with time") {
  // Within a millisecond the sequence decides, which wraps once in 16.7 million ids; and a clock
  // may be set back: nearly all is what the dictionary needs.
  constexpr int kCount = 20000;
  int descents = 0;
  std::string last = GenerateId();
  for (int i = 0; i < kCount; ++i) {
    std::string next = GenerateId();
    descents += next < last;
    last = std::move(next);
  }
  CHECK(descents < kCount / 100);
}

}  // namespace
}  // namespace curlew::catalog
