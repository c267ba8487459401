#include "engine/util/murmur3.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

namespace curlew {
namespace {

// Decodes the character at `at` and moves past it. Anything that is not shortest-form UTF-8 (RFC
// 3629) gives U+FFFD and moves one byte.
uint32_t NextCodePoint(std::string_view text, size_t& at) {
  constexpr uint32_t kReplacement = 0xfffd;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(at++);
  if (lead < 0x80) return lead;
  size_t length = 0;
  uint32_t smallest = 0;
  uint32_t code = 0;
  if ((lead & 0xe0) == 0xc0) {
    length = 1, smallest = 0x80, code = lead & 0x1f;
  } else if ((lead & 0xf0) == 0xe0) {
    length = 2, smallest = 0x800, code = lead & 0x0f;
  } else if ((lead & 0xf8) == 0xf0) {
    length = 3, smallest = 0x10000, code = lead & 0x07;
  } else {
    return kReplacement;
  }
  if (text.size() - at < length) return kReplacement;
  for (size_t i = 0; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return kReplacement;
    code = (code << 6) | (byte(at + i) & 0x3f);
  }
  if (code < smallest || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return kReplacement;
  at += length;
  return code;
}

void PutUnit(std::string& out, uint32_t unit) {
  out.push_back(static_cast<char>(unit & 0xff));
  out.push_back(static_cast<char>(unit >> 8));
}

}  // namespace

// Austin Appleby's MurmurHash3_x86_32 (public domain); constants are his.
uint32_t Murmur3_32(std::string_view data, uint32_t seed) {
  constexpr uint32_t kC1 = 0xcc9e2d51;
  constexpr uint32_t kC2 = 0x1b873593;
  const auto scramble = [](uint32_t k) { return std::rotl(k * kC1, 15) * kC2; };

  uint32_t hash = seed;
  size_t at = 0;
  for (; data.size() - at >= 4; at += 4) {
    uint32_t k;
    std::memcpy(&k, data.data() + at, 4);
    hash = std::rotl(hash ^ scramble(k), 13) * 5 + 0xe6546b64;
  }
  if (at < data.size()) {
    uint32_t k = 0;
    std::memcpy(&k, data.data() + at, data.size() - at);
    hash ^= scramble(k);
  }

  hash ^= static_cast<uint32_t>(data.size());
  hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
  return hash ^ (hash >> 16);
}

int32_t RoutingHash(std::string_view routing_utf8) {
  std::string units;
  units.reserve(routing_utf8.size() * 2);
  for (size_t at = 0; at < routing_utf8.size();) {
    const uint32_t code = NextCodePoint(routing_utf8, at);
    if (code < 0x10000) {
      PutUnit(units, code);
    } else {
      PutUnit(units, 0xd800 + ((code - 0x10000) >> 10));
      PutUnit(units, 0xdc00 + ((code - 0x10000) & 0x3ff));
    }
  }
  return static_cast<int32_t>(Murmur3_32(units, 0));
}

int RoutingShards(int shards) {
  constexpr int kLog2OfMost = 10;  // 1,024
  const int log2_shards = std::bit_width(static_cast<uint32_t>(shards) - 1);
  return shards << std::max(1, kLog2OfMost - log2_shards);
}

int ShardOf(std::string_view routing_utf8, int shards) {
  const int routing_shards = RoutingShards(shards);
  int slot = RoutingHash(routing_utf8) % routing_shards;
  if (slot < 0) slot += routing_shards;
  return slot / (routing_shards / shards);
}

}  // namespace curlew
