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

constexpr size_t VarintSize(uint64_t v) {
  return (static_cast<size_t>(std::bit_width(v | 1)) + 6) / 7;
}
// A signed number on the wire: negative ones take ten bytes.
constexpr uint64_t Signed(int64_t v) { return static_cast<uint64_t>(v); }

constexpr size_t TagSize(int field) { return VarintSize(Tag(field, Type::kVarint)); }
constexpr size_t VarintFieldSize(int field, uint64_t v) { return TagSize(field) + VarintSize(v); }
// A field of `length` bytes with its tag and length.
constexpr size_t LengthFieldSize(int field, size_t length) {
  return TagSize(field) + VarintSize(length) + length;
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
inline char* PutVarintField(char* p, int field, uint64_t v) {
  return PutVarint(PutVarint(p, Tag(field, Type::kVarint)), v);
}
inline char* PutFixed32Field(char* p, int field, float v) {
  p = PutVarint(p, Tag(field, Type::kFixed32));
  std::memcpy(p, &v, sizeof(v));
  return p + sizeof(v);
}
inline char* PutFixed64Field(char* p, int field, double v) {
  p = PutVarint(p, Tag(field, Type::kFixed64));
  std::memcpy(p, &v, sizeof(v));
  return p + sizeof(v);
}
// Tag and length; the bytes follow.
inline char* PutLength(char* p, int field, size_t length) {
  return PutVarint(PutVarint(p, Tag(field, Type::kLength)), length);
}
inline char* PutBytesField(char* p, int field, std::string_view bytes) {
  p = PutLength(p, field, bytes.size());
  if (!bytes.empty()) std::memcpy(p, bytes.data(), bytes.size());
  return p + bytes.size();
}

}  // namespace curlew::proto_utils::wire

#endif  // CURLEW_PROTO_UTILS_RESPONSE_WIRE_H_
