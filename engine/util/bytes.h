// Little-endian fixed and variable-length integers: how every file and log record of ours spells
// numbers.
#ifndef CURLEW_ENGINE_UTIL_BYTES_H_
#define CURLEW_ENGINE_UTIL_BYTES_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace curlew {

static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");

inline void PutFixed32(std::string& out, uint32_t v) { out.append(reinterpret_cast<char*>(&v), 4); }
inline void PutFixed64(std::string& out, uint64_t v) { out.append(reinterpret_cast<char*>(&v), 8); }

// LEB128: seven bits a byte, low bits first.
inline void PutVarint(std::string& out, uint64_t v) {
  while (v >= 0x80) {
    out.push_back(static_cast<char>(v | 0x80));
    v >>= 7;
  }
  out.push_back(static_cast<char>(v));
}
inline void PutString(std::string& out, std::string_view s) {
  PutVarint(out, s.size());
  out.append(s);
}
inline uint64_t ZigZag(int64_t v) {
  return (static_cast<uint64_t>(v) << 1) ^ static_cast<uint64_t>(v >> 63);
}
inline int64_t UnZigZag(uint64_t v) {
  return static_cast<int64_t>(v >> 1) ^ -static_cast<int64_t>(v & 1);
}

// Reads what the functions above wrote. A read past the end or a varint over 10 bytes sets failed()
// for good and gives zeros; callers check once at the end of a record. Views point into the input.
class ByteReader {
 public:
  ByteReader() = default;
  explicit ByteReader(std::string_view in) : p_(in.data()), end_(in.data() + in.size()) {}

  bool failed() const { return failed_; }
  bool AtEnd() const { return p_ == end_; }
  size_t remaining() const { return static_cast<size_t>(end_ - p_); }
  const char* position() const { return p_; }

  uint8_t Byte() { return remaining() >= 1 ? static_cast<uint8_t>(*p_++) : Fail<uint8_t>(); }
  uint32_t Fixed32() { return Fixed<uint32_t>(); }
  uint64_t Fixed64() { return Fixed<uint64_t>(); }
  uint64_t Varint() {
    uint64_t v = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (p_ == end_) return Fail<uint64_t>();
      const auto b = static_cast<uint8_t>(*p_++);
      v |= static_cast<uint64_t>(b & 0x7f) << shift;
      if (b < 0x80) return v;
    }
    return Fail<uint64_t>();
  }
  std::string_view Bytes(size_t n) {
    if (n > remaining()) {
      Fail<int>();
      return {};
    }
    std::string_view v(p_, n);
    p_ += n;
    return v;
  }
  std::string_view String() { return Bytes(Varint()); }

 private:
  template <typename T>
  T Fail() {
    failed_ = true;
    p_ = end_;
    return T{};
  }
  template <typename T>
  T Fixed() {
    if (remaining() < sizeof(T)) return Fail<T>();
    T v;
    std::memcpy(&v, p_, sizeof(T));
    p_ += sizeof(T);
    return v;
  }

  const char* p_ = nullptr;
  const char* end_ = nullptr;
  bool failed_ = false;
};

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_BYTES_H_
