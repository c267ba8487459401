// Integers and strings come back as they were put, and reads past the end fail for good.
#include "engine/util/bytes.h"

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "test/support/random.h"

namespace curlew {
namespace {

// Numbers of every magnitude, not only large ones.
uint64_t AnyNumber(test::Random& random) {
  const auto bits = static_cast<uint64_t>(random.engine()());
  const auto shift = random.Between(0, 64);
  return shift == 64 ? 0 : bits >> shift;
}

TEST_CASE("varints have the lengths of LEB128") {
  const std::vector<std::pair<uint64_t, size_t>> expected = {
      {0, 1},
      {1, 1},
      {127, 1},
      {128, 2},
      {16383, 2},
      {16384, 3},
      {std::numeric_limits<uint32_t>::max(), 5},
      {1ull << 62, 9},
      {1ull << 63, 10},
      {std::numeric_limits<uint64_t>::max(), 10}};
  for (const auto& [value, length] : expected) {
    std::string out;
    PutVarint(out, value);
    CHECK(out.size() == length);
    ByteReader in(out);
    CHECK(in.Varint() == value);
    CHECK((in.AtEnd() && !in.failed()));
  }
}

TEST_CASE("zig-zag keeps every signed number and makes small ones small") {
  const int64_t least = std::numeric_limits<int64_t>::min();
  const int64_t most = std::numeric_limits<int64_t>::max();
  for (const int64_t v :
       {least, least + 1, int64_t{-2}, int64_t{-1}, int64_t{0}, int64_t{1}, most}) {
    CHECK(UnZigZag(ZigZag(v)) == v);
  }
  CHECK(ZigZag(0) == 0);
  CHECK(ZigZag(-1) == 1);
  CHECK(ZigZag(1) == 2);
  CHECK(ZigZag(least) == std::numeric_limits<uint64_t>::max());
}

TEST_CASE("a record of random fields is read back, and no cut of it is") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 200; ++round) {
    std::string out;
    std::vector<int> kinds;
    std::vector<uint64_t> numbers;
    std::vector<std::string> strings;
    for (int64_t n = random.Between(1, 20); n > 0; --n) {
      kinds.push_back(static_cast<int>(random.Between(0, 3)));
      numbers.push_back(AnyNumber(random));
      strings.push_back(random.Bytes(0, 40));
      switch (kinds.back()) {
        case 0:
          PutVarint(out, numbers.back());
          break;
        case 1:
          PutFixed32(out, static_cast<uint32_t>(numbers.back()));
          break;
        case 2:
          PutFixed64(out, numbers.back());
          break;
        default:
          PutString(out, strings.back());
      }
    }
    const auto read = [&](std::string_view bytes, bool compare) {
      ByteReader in(bytes);
      for (size_t i = 0; i < kinds.size(); ++i) {
        switch (kinds[i]) {
          case 0: {
            const uint64_t v = in.Varint();
            if (compare) REQUIRE(v == numbers[i]);
            break;
          }
          case 1: {
            const uint32_t v = in.Fixed32();
            if (compare) REQUIRE(v == static_cast<uint32_t>(numbers[i]));
            break;
          }
          case 2: {
            const uint64_t v = in.Fixed64();
            if (compare) REQUIRE(v == numbers[i]);
            break;
          }
          default: {
            const std::string_view v = in.String();
            if (compare) REQUIRE(v == strings[i]);
          }
        }
      }
      return !in.failed() && in.AtEnd();
    };
    REQUIRE(read(out, true));
    for (size_t cut = 0; cut < out.size(); ++cut) {
      // Copied, so that a sanitizer sees a read past the end.
      const std::vector<char> bytes(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(cut));
      REQUIRE_FALSE(read({bytes.data(), bytes.size()}, false));
    }
  }
}

TEST_CASE("a varint that does not end, or a length past the end, fails for good") {
  const std::string endless(11, '\x80');
  ByteReader in(endless);
  CHECK(in.Varint() == 0);
  CHECK(in.failed());
  CHECK(in.Byte() == 0);
  CHECK(in.AtEnd());

  std::string huge;
  PutVarint(huge, std::numeric_limits<uint64_t>::max());
  huge += "abc";
  ByteReader string(huge);
  CHECK(string.String().empty());
  CHECK(string.failed());
  CHECK(string.remaining() == 0);
}

}  // namespace
}  // namespace curlew
