#include "engine/codec/norms/norms.h"

#include <algorithm>
#include <bit>

namespace curlew::codec {
namespace {

// Lengths below this stand for themselves. The floats need 232 of the 256 bytes for lengths up to
// 2^31 - 1, which leaves 24.
constexpr uint32_t kFreeValues = 24;
constexpr uint32_t kMaxLength = 0x7fffffff;

}  // namespace

uint8_t EncodeNorm(uint32_t length) {
  length = std::min(length, kMaxLength);
  if (length < kFreeValues) return static_cast<uint8_t>(length);
  const uint32_t rest = length - kFreeValues;
  const int bits = std::bit_width(rest);
  if (bits < 4) return static_cast<uint8_t>(kFreeValues + rest);
  const int shift = bits - 4;
  return static_cast<uint8_t>(kFreeValues + (((shift + 1) << 3) | ((rest >> shift) & 7)));
}

uint32_t DecodeNorm(uint8_t norm) {
  if (norm < kFreeValues) return norm;
  const uint32_t rest = norm - kFreeValues;
  const uint32_t exponent = rest >> 3;
  const uint32_t mantissa = rest & 7;
  return kFreeValues + (exponent == 0 ? mantissa : (mantissa | 8) << (exponent - 1));
}

}  // namespace curlew::codec
