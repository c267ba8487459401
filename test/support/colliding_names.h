// Names that an attacker would choose against std::hash: all different, one hash.
#ifndef CURLEW_TEST_SUPPORT_COLLIDING_NAMES_H_
#define CURLEW_TEST_SUPPORT_COLLIDING_NAMES_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "test/support/random.h"

namespace curlew::test {

// `count` printable names of 16 bytes with the same std::hash in libstdc++ (MurmurHash64A with a
// fixed seed): the second half is computed from the first, by the steps of the hash backwards, and
// kept when it is printable.
inline std::vector<std::string> CollidingNames(Random& random, size_t count) {
  constexpr uint64_t kMul = 0xc6a4a7935bd1e995;
  uint64_t inverse = kMul;  // of kMul modulo 2^64, by Newton's iteration
  for (int i = 0; i < 6; ++i) inverse *= 2 - kMul * inverse;
  const auto mix = [](uint64_t v) { return v ^ (v >> 47); };  // its own inverse
  const auto printable = [](const char* p) {
    for (int i = 0; i < 8; ++i) {
      if (p[i] < '0' || p[i] > 'z' || p[i] == '\\') return false;
    }
    return true;
  };
  std::vector<std::string> names;
  while (names.size() < count) {
    char name[16];
    for (int i = 0; i < 8; ++i) name[i] = static_cast<char>(random.Between('a', 'z'));
    uint64_t first;
    std::memcpy(&first, name, 8);
    const uint64_t state = ((0xc70f6907 ^ (16 * kMul)) ^ mix(first * kMul) * kMul) * kMul;
    const uint64_t second = mix(state * inverse) * inverse;
    std::memcpy(name + 8, &second, 8);
    if (printable(name + 8)) names.emplace_back(name, 16);
  }
  return names;
}

}  // namespace curlew::test

#endif  // CURLEW_TEST_SUPPORT_COLLIDING_NAMES_H_
