#include "engine/util/scratch_array.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace curlew {
namespace {

TEST_CASE("nested arrays do not overlap and their memory is used again") {
  const void* first = nullptr;
  for (int round = 0; round < 3; ++round) {
    ScratchArray<uint8_t> bytes(5, 7);
    ScratchArray<double> numbers(3, 0.5);
    {
      ScratchArray<std::string> texts(20);
      for (std::string& text : texts) text = std::string(100, 'x');
      CHECK(texts[19].size() == 100);
    }
    ScratchArray<uint32_t> others(100, 9);
    for (const uint8_t byte : bytes) CHECK(byte == 7);
    for (const double number : numbers) CHECK(number == 0.5);
    CHECK(reinterpret_cast<uintptr_t>(numbers.begin()) % alignof(double) == 0);
    if (first == nullptr) first = bytes.begin();
    CHECK(first == bytes.begin());
  }
}

TEST_CASE("what does not fit comes from the heap") {
  ScratchArray<char> large(ScratchStack::kBytes - 64, 'a');
  ScratchArray<char> larger(ScratchStack::kBytes, 'b');
  ScratchArray<std::shared_ptr<int>> none(0);
  ScratchArray<char> small(64, 'c');
  CHECK(large[ScratchStack::kBytes - 65] == 'a');
  CHECK(larger[ScratchStack::kBytes - 1] == 'b');
  CHECK(small[63] == 'c');
  CHECK(none.size() == 0);
}

TEST_CASE("elements are destroyed, each thread has a stack of its own") {
  const auto shared = std::make_shared<int>(1);
  std::thread other([&] {
    ScratchArray<std::shared_ptr<int>> copies(10, shared);
    CHECK(shared.use_count() == 11);
  });
  other.join();
  CHECK(shared.use_count() == 1);
}

}  // namespace
}  // namespace curlew
