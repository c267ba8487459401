// Fractions as integers of the same order, Lucene's way: sign-magnitude bits turned into two's
// complement, so that comparing the integers compares the numbers (-0.0 below 0.0, NaN last).
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_NUMBERS_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_NUMBERS_H_

#include <bit>
#include <cstdint>

namespace curlew::codec {

inline int64_t DoubleToSortable(double v) {
  const auto bits = std::bit_cast<int64_t>(v);
  return bits ^ ((bits >> 63) & 0x7fffffffffffffff);
}
inline double SortableToDouble(int64_t v) {
  return std::bit_cast<double>(v ^ ((v >> 63) & 0x7fffffffffffffff));
}
inline int32_t FloatToSortable(float v) {
  const auto bits = std::bit_cast<int32_t>(v);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}
inline float SortableToFloat(int32_t v) {
  return std::bit_cast<float>(v ^ ((v >> 31) & 0x7fffffff));
}

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_NUMBERS_H_
