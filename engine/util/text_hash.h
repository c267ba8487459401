// The hash for tables whose keys come from outside: names, ids and terms that a client chose.
#ifndef CURLEW_ENGINE_UTIL_TEXT_HASH_H_
#define CURLEW_ENGINE_UTIL_TEXT_HASH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace curlew {

// Drawn when the process starts, so that nobody can choose texts that collide (std::hash has a seed
// that everybody knows). Hashes therefore mean nothing outside of the process.
uint64_t TextHashSeed();

namespace text_hash_internal {

inline uint64_t Load64(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

inline uint64_t Load32(const char* p) {
  uint32_t v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

// Both halves of the 128-bit product folded: every bit of `a` reaches every bit of the result.
inline uint64_t Mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace text_hash_internal

// Up to eight bytes as a number, zeros behind them; loads of fixed sizes that overlap.
inline uint64_t LoadUpTo8(const char* p, size_t n) {
  if (n >= 8) return text_hash_internal::Load64(p);
  if (n >= 4) {
    return text_hash_internal::Load32(p) | text_hash_internal::Load32(p + n - 4) << ((n - 4) * 8);
  }
  if (n == 0) return 0;
  const auto byte = [p](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(p[i])); };
  return byte(0) | byte(n / 2) << (n / 2 * 8) | byte(n - 1) << ((n - 1) * 8);
}

// `prefix` is LoadUpTo8 of the whole text: for those who keep it anyway.
inline uint64_t HashText(std::string_view text, uint64_t prefix) {
  using text_hash_internal::Mix;
  constexpr uint64_t kOdd1 = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  constexpr uint64_t kOdd2 = 0xd1b54a32d192ed03;
  static const uint64_t seed = TextHashSeed();
  uint64_t h = Mix(prefix ^ seed, kOdd1 ^ text.size());
  if (text.size() > 8) {
    const char* p = text.data() + 8;
    size_t n = text.size() - 8;
    for (; n > 8; p += 8, n -= 8) h = Mix(h ^ text_hash_internal::Load64(p), kOdd1);
    h = Mix(h ^ LoadUpTo8(p, n), kOdd2);
  }
  return Mix(h ^ seed, kOdd2);
}

inline uint64_t HashText(std::string_view text) {
  return HashText(text, LoadUpTo8(text.data(), text.size()));
}

// For containers; finds by views.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return HashText(text); }
};

// `Text`: std::string, or std::string_view where the texts live elsewhere.
template <typename Text, typename Value>
using TextMap = std::unordered_map<Text, Value, TextHash, std::equal_to<>>;
template <typename Text>
using TextSet = std::unordered_set<Text, TextHash, std::equal_to<>>;

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_TEXT_HASH_H_
