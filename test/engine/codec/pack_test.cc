// Packed numbers come out as they went in, by every set of instructions that this processor has.
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "engine/codec/pack/bit_pack.h"
#include "engine/codec/pack/patched.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

std::vector<uint32_t> RandomNumbers(test::Random& random, uint32_t count, uint32_t width) {
  std::vector<uint32_t> values;
  const auto most = static_cast<int64_t>((uint64_t{1} << width) - 1);
  for (uint32_t i = 0; i < count; ++i) {
    values.push_back(static_cast<uint32_t>(random.OneIn(4) ? most : random.Between(0, most)));
  }
  return values;
}

TEST_CASE("every width and count is unpacked alike by all kernels") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const char* name : {"SSE4.1", "AVX2", "AVX-512 VBMI"}) {
    bool there = false;
    for (const PackKernels* kernels : AllKernels()) there |= std::string(name) == kernels->name;
    if (!there) WARN("NOT TESTED: this processor has no " << name);
  }
  for (uint32_t width = 0; width <= 32; ++width) {
    for (const uint32_t count : {1, 2, 7, 8, 9, 15, 16, 17, 31, 64, 127, 128, 255}) {
      const std::vector<uint32_t> values = RandomNumbers(random, count, width);
      std::string packed;
      AppendBitPacked(packed, values, width);
      REQUIRE(packed.size() == BitPackedBytes(count, width));
      // What lies behind must not matter. (On the heap, so that reading beyond it is seen.)
      packed += random.Bytes(kPackSlack, kPackSlack);
      std::vector<char> in(packed.begin(), packed.end());
      for (uint32_t i = 0; i < count; ++i) REQUIRE(PackedAt(in.data(), width, i) == values[i]);
      for (const PackKernels* kernels : AllKernels()) {
        INFO(kernels->name << ", width " << width << ", count " << count);
        std::vector<uint32_t> out(count + kUnpackSlack);
        kernels->unpack(in.data(), width, count, out.data());
        out.resize(count);
        REQUIRE(out == values);
      }
    }
  }
}

TEST_CASE("gaps are summed alike by all kernels, over 32 bits too") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 200; ++round) {
    const auto count = static_cast<uint32_t>(random.Between(1, 130));
    const uint32_t base = random.OneIn(2) ? 0 : static_cast<uint32_t>(random.Between(0, 1 << 30));
    const std::vector<uint32_t> gaps =
        RandomNumbers(random, count, static_cast<uint32_t>(random.Between(0, 32)));
    std::vector<uint32_t> expected;
    uint32_t next = base;
    for (const uint32_t gap : gaps) {
      next += gap;
      expected.push_back(next++);
    }
    for (const PackKernels* kernels : AllKernels()) {
      INFO(kernels->name);
      std::vector<uint32_t> values = gaps;
      values.resize(count + kUnpackSlack);
      kernels->sum_gaps(values.data(), count, base);
      values.resize(count);
      REQUIRE(values == expected);
    }
  }
}

TEST_CASE("patched numbers come out whole, one by one and in ranges") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 3000; ++round) {
    const auto count = static_cast<uint32_t>(random.Between(1, random.OneIn(2) ? 8 : 255));
    const auto usual = static_cast<uint32_t>(random.Between(0, 12));
    const auto rare = static_cast<uint32_t>(random.Between(usual, 32));
    std::vector<uint32_t> values = RandomNumbers(random, count, usual);
    const int every = random.Pick<int>({2, 20, 100});
    for (uint32_t& value : values) {
      if (random.OneIn(every)) value = RandomNumbers(random, 1, rare)[0];
    }
    std::string packed;
    AppendPatched(packed, values);
    uint32_t most = 0;
    for (const uint32_t value : values) most = std::max(most, BitsFor(value));
    REQUIRE(packed.size() <= 2 + BitPackedBytes(count, most));
    const size_t size = packed.size();
    packed += random.Bytes(kPackSlack, kPackSlack);
    const std::vector<char> in(packed.begin(), packed.end());

    const Patched patched(in.data(), count);
    REQUIRE(patched.sound());
    REQUIRE(patched.bytes() == size);
    REQUIRE(patched.end() == in.data() + size);
    std::vector<uint32_t> out(count + kUnpackSlack);
    patched.Unpack(out.data());
    out.resize(count);
    REQUIRE(out == values);
    for (uint32_t i = 0; i < count; ++i) REQUIRE(patched.At(i) == values[i]);
    const auto first = static_cast<uint32_t>(random.Between(0, count - 1));
    const auto some = static_cast<uint32_t>(random.Between(0, count - first));
    std::vector<uint32_t> range(some);
    patched.UnpackRange(first, some, range.data());
    REQUIRE(range == std::vector<uint32_t>(values.begin() + first, values.begin() + first + some));
  }
}

TEST_CASE("any bytes can be unpacked as patched numbers") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 2000; ++round) {
    const auto count = static_cast<uint32_t>(random.Between(1, 128));
    const std::string bytes = random.Bytes(1100, 1100);
    const std::vector<char> in(bytes.begin(), bytes.end());
    const Patched patched(in.data(), count);
    if (!patched.sound() || patched.bytes() + kPackSlack > in.size()) continue;
    std::vector<uint32_t> out(count + kUnpackSlack);
    patched.Unpack(out.data());
    for (uint32_t i = 0; i < count; ++i) patched.At(i);
  }
}

}  // namespace
}  // namespace curlew::codec
