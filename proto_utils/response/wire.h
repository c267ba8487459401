// Protobuf's encoding, as far as hits need it: tags, varints, fixed-width numbers, lengths.
// https://protobuf.dev/programming-guides/encoding/
#ifndef CURLEW_PROTO_UTILS_RESPONSE_WIRE_H_
#define CURLEW_PROTO_UTILS_RESPONSE_WIRE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace curlew::proto_utils::wire {

static_assert(std::endian::native == std::endian::little, "fixed-width numbers go out as they are");

enum class Type : uint32_t { kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5 };

constexpr uint32_t Tag(int field, Type type) {
  return static_cast<uint32_t>(field) << 3 | static_cast<uint32_t>(type);
}

// Seven bits a byte; 9/64 is near enough to 1/7 up to 64 bits, and costs no division.
constexpr size_t VarintSize(uint64_t v) {
  if (v < 1 << 14) return v < 1 << 7 ? 1 : 2;
  return (static_cast<size_t>(std::bit_width(v | 1)) * 9 + 64) / 64;
}
// A signed number on the wire: negative ones take ten bytes.
constexpr uint64_t Signed(int64_t v) { return static_cast<uint64_t>(v); }

constexpr size_t TagSize(int field) { return VarintSize(Tag(field, Type::kVarint)); }
constexpr size_t VarintFieldSize(int field, uint64_t v) { return TagSize(field) + VarintSize(v); }
// A field of `length` bytes with its tag and length.
constexpr size_t LengthFieldSize(int field, size_t length) {
  return TagSize(field) + VarintSize(length) + length;
}

// memcpy, without a call for up to 128 bytes, as long as names, ids and small sources are: two
// copies from both ends that overlap, or a row of 16 bytes each and one from the end.
inline void Copy(char* to, const char* from, size_t size) {
  if (size > 128 || size == 0) {
    if (size != 0) std::memcpy(to, from, size);
  } else if (size >= 16) {
    const auto copy16 = [to, from](size_t at) {
      uint64_t words[2];
      std::memcpy(words, from + at, sizeof(words));
      std::memcpy(to + at, words, sizeof(words));
    };
    for (size_t at = 0; at < size - 16; at += 16) copy16(at);
    copy16(size - 16);
  } else if (size >= 8) {
    uint64_t head, tail;
    std::memcpy(&head, from, 8);
    std::memcpy(&tail, from + size - 8, 8);
    std::memcpy(to, &head, 8);
    std::memcpy(to + size - 8, &tail, 8);
  } else if (size >= 4) {
    uint32_t head, tail;
    std::memcpy(&head, from, 4);
    std::memcpy(&tail, from + size - 4, 4);
    std::memcpy(to, &head, 4);
    std::memcpy(to + size - 4, &tail, 4);
  } else {
    to[0] = from[0];
    to[size / 2] = from[size / 2];
    to[size - 1] = from[size - 1];
  }
}

// Each writes at `p`, where there is room, and returns what follows.
inline char* PutVarint(char* p, uint64_t v) {
  while (v >= 0x80) {
    *p++ = static_cast<char>(v | 0x80);
    v >>= 7;
  }
  *p++ = static_cast<char>(v);
  return p;
}
// With `field` and `type` known to the compiler, one store.
[[gnu::always_inline]] inline char* PutTag(char* p, int field, Type type) {
  const uint32_t tag = Tag(field, type);
  if (!__builtin_constant_p(tag) || tag >= 1 << 14) return PutVarint(p, tag);
  if (tag < 0x80) {
    *p = static_cast<char>(tag);
    return p + 1;
  }
  const auto bytes = static_cast<uint16_t>((tag & 0x7f) | 0x80 | tag >> 7 << 8);
  std::memcpy(p, &bytes, sizeof(bytes));
  return p + sizeof(bytes);
}
inline char* PutVarintField(char* p, int field, uint64_t v) {
  return PutVarint(PutTag(p, field, Type::kVarint), v);
}
inline char* PutFixed32Field(char* p, int field, float v) {
  p = PutTag(p, field, Type::kFixed32);
  std::memcpy(p, &v, sizeof(v));
  return p + sizeof(v);
}
inline char* PutFixed64Field(char* p, int field, double v) {
  p = PutTag(p, field, Type::kFixed64);
  std::memcpy(p, &v, sizeof(v));
  return p + sizeof(v);
}
// Tag and length; the bytes follow.
inline char* PutLength(char* p, int field, size_t length) {
  p = PutTag(p, field, Type::kLength);
  if (length < 0x80) {
    *p = static_cast<char>(length);
    return p + 1;
  }
  return PutVarint(p, length);
}
inline char* PutBytesField(char* p, int field, std::string_view bytes) {
  p = PutLength(p, field, bytes.size());
  Copy(p, bytes.data(), bytes.size());
  return p + bytes.size();
}

}  // namespace curlew::proto_utils::wire

#endif  // CURLEW_PROTO_UTILS_RESPONSE_WIRE_H_
