// CRC-32C and Murmur3 against published values and bit-by-bit references.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "engine/util/crc32c.h"
#include "engine/util/murmur3.h"
#include "test/support/random.h"

namespace curlew {
namespace {

uint32_t BitwiseCrc32c(std::string_view data) {
  uint32_t crc = 0xffffffff;
  for (const char c : data) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~crc;
}

TEST_CASE("the checksums of RFC 3720 B.4") {
  std::string rising;
  for (int i = 0; i < 32; ++i) rising.push_back(static_cast<char>(i));
  const std::string falling(rising.rbegin(), rising.rend());
  for (const auto& crc : {Crc32c, internal::PortableCrc32c}) {
    CHECK(crc(std::string(32, '\0'), 0) == 0x8a9136aa);
    CHECK(crc(std::string(32, '\xff'), 0) == 0x62a8ab43);
    CHECK(crc(rising, 0) == 0x46dd794e);
    CHECK(crc(falling, 0) == 0x113fdb5c);
    CHECK(crc("123456789", 0) == 0xe3069283);
    CHECK(crc("", 0) == 0);
  }
}

TEST_CASE("both ways of the checksum equal the bitwise one, in one piece or in several") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 500; ++round) {
    const std::string data = random.Bytes(0, 300);
    const uint32_t expected = BitwiseCrc32c(data);
    REQUIRE(Crc32c(data) == expected);
    REQUIRE(internal::PortableCrc32c(data, 0) == expected);
    const auto cut = static_cast<size_t>(random.Between(0, static_cast<int64_t>(data.size())));
    const std::string_view view = data;
    REQUIRE(Crc32c(view.substr(cut), Crc32c(view.substr(0, cut))) == expected);
    REQUIRE(internal::PortableCrc32c(view.substr(cut),
                                     internal::PortableCrc32c(view.substr(0, cut), 0)) == expected);
  }
}

TEST_CASE("murmur3_x86_32 by its reference values") {
  CHECK(Murmur3_32("", 0) == 0);
  CHECK(Murmur3_32("", 1) == 0x514e28b7);
  CHECK(Murmur3_32("", 0xffffffff) == 0x81f16f39);
  CHECK(Murmur3_32(std::string(4, '\0'), 0) == 0x2362f9de);
  CHECK(Murmur3_32("aaaa", 0x9747b28c) == 0x5a97808a);
  CHECK(Murmur3_32("abc", 0x9747b28c) == 0xc84a62dd);
  CHECK(Murmur3_32("Hello, world!", 0x9747b28c) == 0x24884cba);
}

TEST_CASE("the routing hash by OpenSearch's published values") {
  const std::map<std::string, uint32_t> expected = {
      {"hell", 0x5a0cb7c3},
      {"hello", 0xd7c31989},
      {"hello w", 0x22ab2984},
      {"hello wo", 0xdf0ca123},
      {"hello wor", 0xe7744d61},
      {"The quick brown fox jumps over the lazy dog", 0xe07db09c},
      {"The quick brown fox jumps over the lazy cog", 0x4e63d2ad}};
  for (const auto& [text, hash] : expected) {
    CHECK(RoutingHash(text) == static_cast<int32_t>(hash));
  }
}

TEST_CASE("the routing hash sees UTF-16 code units") {
  const auto over = [](std::string units) { return static_cast<int32_t>(Murmur3_32(units, 0)); };
  CHECK(RoutingHash("\xc3\xa4") == over(std::string("\xe4\x00", 2)));
  CHECK(RoutingHash("\xe2\x82\xac") == over("\xac\x20"));
  CHECK(RoutingHash("\xf0\x9f\x98\x80") == over(std::string("\x3d\xd8\x00\xde", 4)));
  // Not UTF-8: overlong, surrogate, cut off, past the last character.
  CHECK(RoutingHash("\xc0\x80") == over("\xfd\xff\xfd\xff"));
  CHECK(RoutingHash("\xed\xa0\x80") == over("\xfd\xff\xfd\xff\xfd\xff"));
  CHECK(RoutingHash("\xe2\x82") == over("\xfd\xff\xfd\xff"));
  CHECK(RoutingHash("\xf4\x90\x80\x80") == over("\xfd\xff\xfd\xff\xfd\xff\xfd\xff"));
}

TEST_CASE("the number of routing shards") {
  const std::pair<int, int> expected[] = {{1, 1024},   {2, 1024},    {3, 768},    {4, 1024},
                                          {5, 640},    {7, 896},     {9, 576},    {512, 1024},
                                          {513, 1026}, {1024, 2048}, {2048, 4096}};
  for (const auto& [shards, routing] : expected) CHECK(RoutingShards(shards) == routing);
}

TEST_CASE("every document has a shard, and all shards are used evenly") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const int shards : {1, 2, 3, 5, 8, 13}) {
    std::map<int, int> counts;
    for (int i = 0; i < shards * 1000; ++i) {
      const int shard = ShardOf(random.Word(1, 20) + std::to_string(i), shards);
      REQUIRE((shard >= 0 && shard < shards));
      ++counts[shard];
    }
    for (const auto& [shard, count] : counts) CHECK((count > 800 && count < 1200));
    CHECK(counts.size() == static_cast<size_t>(shards));
  }
}

}  // namespace
}  // namespace curlew
