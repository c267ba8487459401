// Arrays of small integers in one byte width each: what the plain encodings are made of. Any
// element can be read at random, and whole arrays are widened by loops that the compiler
// vectorises.
#ifndef CURLEW_ENGINE_CODEC_BYTE_WIDTH_H_
#define CURLEW_ENGINE_CODEC_BYTE_WIDTH_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace curlew::codec {

// The smallest width for values up to `max`: 0 (all elements are zero), 1, 2, 4 or 8 bytes.
inline uint32_t WidthFor(uint64_t max) {
  if (max == 0) return 0;
  if (max <= 0xff) return 1;
  if (max <= 0xffff) return 2;
  return max <= 0xffffffff ? 4 : 8;
}
inline bool ValidWidth(uint64_t width) {
  return width == 0 || width == 1 || width == 2 || width == 4 || width == 8;
}

template <typename T>
T LoadUnaligned(const char* at) {
  T v;
  std::memcpy(&v, at, sizeof(T));
  return v;
}

// Element `i` of an array of `width`.
inline uint64_t LoadWidth(const char* array, uint32_t width, uint64_t i) {
  switch (width) {
    case 1:
      return static_cast<uint8_t>(array[i]);
    case 2:
      return LoadUnaligned<uint16_t>(array + 2 * i);
    case 4:
      return LoadUnaligned<uint32_t>(array + 4 * i);
    case 8:
      return LoadUnaligned<uint64_t>(array + 8 * i);
    default:
      return 0;
  }
}

// The first `n` elements plus `add`, in 32 bits.
inline void WidenTo32(const char* array, uint32_t width, uint32_t n, uint32_t add, uint32_t* out) {
  switch (width) {
    case 1:
      for (uint32_t i = 0; i < n; ++i) out[i] = static_cast<uint8_t>(array[i]) + add;
      break;
    case 2:
      for (uint32_t i = 0; i < n; ++i) out[i] = LoadUnaligned<uint16_t>(array + 2 * i) + add;
      break;
    case 4:
      for (uint32_t i = 0; i < n; ++i) out[i] = LoadUnaligned<uint32_t>(array + 4 * i) + add;
      break;
    default:
      for (uint32_t i = 0; i < n; ++i) out[i] = add;
  }
}

// Appends `values` in `width` bytes each; all must fit.
template <typename T>
void AppendWidth(std::string& out, std::span<const T> values, uint32_t width) {
  const size_t start = out.size();
  out.resize(start + values.size() * width);
  char* p = out.data() + start;
  for (const T value : values) {
    const uint64_t wide = value;
    std::memcpy(p, &wide, width);
    p += width;
  }
}

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_BYTE_WIDTH_H_
