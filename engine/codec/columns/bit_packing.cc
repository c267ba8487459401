#include "engine/codec/columns/bit_packing.h"

#include <algorithm>
#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace curlew::codec {
namespace {

// Numbers unpacked at a time, so that they stay in the first cache.
constexpr size_t kStep = 512;

template <typename T>
void Widen(const char* data, uint64_t first, size_t count, uint64_t* out) {
  const char* from = data + first * sizeof(T);
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    out[i] = value;
  }
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void MarkWide(const uint64_t* values, size_t count, uint64_t low,
                                                 uint64_t span, uint64_t* bits) {
  const __m512i lows = _mm512_set1_epi64(static_cast<int64_t>(low));
  const __m512i spans = _mm512_set1_epi64(static_cast<int64_t>(span));
  const auto eight = [&](const uint64_t* at) __attribute__((target("avx512f"))) {
    const __m512i v = _mm512_loadu_si512(at);
    return uint64_t{_mm512_cmple_epu64_mask(_mm512_sub_epi64(v, lows), spans)};
  };
  size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    uint64_t word = 0;
    for (size_t j = 0; j < 64; j += 8) word |= eight(values + i + j) << j;
    bits[i / 64] = word;
  }
  if (i < count) MarkInSpanScalar(values + i, count - i, low, span, bits + i / 64);
}

__attribute__((target("avx2"))) void MarkHalfWide(const uint64_t* values, size_t count,
                                                  uint64_t low, uint64_t span, uint64_t* bits) {
  // Compared as signed numbers, which the flipped sign bits make right.
  const __m256i lows = _mm256_set1_epi64x(static_cast<int64_t>(low));
  const __m256i sign = _mm256_set1_epi64x(INT64_MIN);
  const __m256i spans = _mm256_xor_si256(_mm256_set1_epi64x(static_cast<int64_t>(span)), sign);
  const auto four = [&](const uint64_t* at) __attribute__((target("avx2"))) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m256i flipped = _mm256_xor_si256(_mm256_sub_epi64(v, lows), sign);
    const __m256i above = _mm256_cmpgt_epi64(flipped, spans);
    return uint64_t{~static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(above))) & 15u};
  };
  size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    uint64_t word = 0;
    for (size_t j = 0; j < 64; j += 4) word |= four(values + i + j) << j;
    bits[i / 64] = word;
  }
  if (i < count) MarkInSpanScalar(values + i, count - i, low, span, bits + i / 64);
}
#endif

using MarkKernel = void (*)(const uint64_t*, size_t, uint64_t, uint64_t, uint64_t*);

MarkKernel PickKernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return MarkWide;
  if (__builtin_cpu_supports("avx2")) return MarkHalfWide;
#endif
  return MarkInSpanScalar;
}

}  // namespace

void AppendPacked(std::span<const uint64_t> values, uint32_t width, std::string& out) {
  if (values.empty() || width == 0) return;
  if (width == 64) {
    out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    return;
  }
  const size_t start = out.size();
  out.resize(start + PackedBytes(values.size(), width));
  char* const at = out.data() + start;
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t bit = i * width;
    uint64_t word;
    std::memcpy(&word, at + bit / 8, sizeof(word));
    word |= values[i] << (bit % 8);
    std::memcpy(at + bit / 8, &word, sizeof(word));
  }
}

void PackedReader::Read(uint64_t first, size_t count, uint64_t* out) const {
  switch (width_) {
    case 0:
      std::fill_n(out, count, 0);
      return;
    case 8:
      return Widen<uint8_t>(data_, first, count, out);
    case 16:
      return Widen<uint16_t>(data_, first, count, out);
    case 32:
      return Widen<uint32_t>(data_, first, count, out);
    case 64:
      std::memcpy(out, data_ + first * 8, count * 8);
      return;
    default: {
      const uint64_t mask = mask_;
      const uint32_t width = width_;
      uint64_t bit = first * width;
      for (size_t i = 0; i < count; ++i, bit += width) {
        uint64_t word;
        std::memcpy(&word, data_ + bit / 8, sizeof(word));
        out[i] = (word >> (bit % 8)) & mask;
      }
    }
  }
}

void PackedReader::Mark(uint64_t first, size_t count, uint64_t low, uint64_t span,
                        uint64_t* bits) const {
  if (width_ == 64 && reinterpret_cast<uintptr_t>(data_) % 8 == 0) {
    return MarkInSpan(reinterpret_cast<const uint64_t*>(data_) + first, count, low, span, bits);
  }
  std::array<uint64_t, kStep> values;
  for (size_t done = 0; done < count; done += kStep) {
    const size_t step = std::min(kStep, count - done);
    Read(first + done, step, values.data());
    MarkInSpan(values.data(), step, low, span, bits + done / 64);
  }
}

void MarkInSpan(const uint64_t* values, size_t count, uint64_t low, uint64_t span, uint64_t* bits) {
  static const MarkKernel kernel = PickKernel();
  kernel(values, count, low, span, bits);
}

void MarkInSpanScalar(const uint64_t* values, size_t count, uint64_t low, uint64_t span,
                      uint64_t* bits) {
  for (size_t i = 0; i < count; i += 64) {
    const size_t end = std::min<size_t>(64, count - i);
    uint64_t word = 0;
    for (size_t j = 0; j < end; ++j) word |= uint64_t{values[i + j] - low <= span} << j;
    bits[i / 64] = word;
  }
}

}  // namespace curlew::codec
