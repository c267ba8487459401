#include "engine/codec/pack/bit_pack.h"

#if defined(__x86_64__)
// GCC 12 takes the undefined inputs of its own AVX-512 intrinsics for a mistake.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#endif

#include <array>
#include <vector>

namespace curlew::codec {
namespace {

// Wider numbers do not fit in four bytes wherever they start.
constexpr uint32_t kMostShuffled = 25;

void UnpackPlain(const char* in, uint32_t width, uint32_t count, uint32_t* out) {
  for (uint32_t i = 0; i < count; ++i) out[i] = PackedAt(in, width, i);
}

void SumGapsPlain(uint32_t* values, uint32_t count, uint32_t base) {
  for (uint32_t i = 0; i < count; ++i) {
    base += values[i];
    values[i] = base++;
  }
}

constexpr PackKernels kPlain{"plain", &UnpackPlain, &SumGapsPlain};

#if defined(__x86_64__)

// Where four numbers that follow each other lie: the first starts at bit `start` of a byte.
struct Lane {
  alignas(16) std::array<uint8_t, 16> bytes;
  alignas(16) std::array<uint32_t, 4> shifts;
  // Without a shift by a variable, a multiplication brings all to the same place.
  alignas(16) std::array<uint32_t, 4> factors;
};

constexpr Lane LaneFor(uint32_t width, uint32_t start) {
  Lane lane{};
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t bit = start + i * width;
    for (uint32_t b = 0; b < 4; ++b) {
      lane.bytes[4 * i + b] = static_cast<uint8_t>(bit / 8 + b);
    }
    lane.shifts[i] = bit % 8;
    lane.factors[i] = 1u << (7 - bit % 8);
  }
  return lane;
}

// Eight numbers are `width` bytes: the second four start in the middle of a byte if that is odd.
struct LanePair {
  Lane first;
  Lane second;
};

constexpr std::array<LanePair, kMostShuffled + 1> MakeLanes() {
  std::array<LanePair, kMostShuffled + 1> lanes{};
  for (uint32_t width = 0; width <= kMostShuffled; ++width) {
    lanes[width] = {LaneFor(width, 0), LaneFor(width, width * 4 % 8)};
  }
  return lanes;
}
constexpr std::array<LanePair, kMostShuffled + 1> kLanes = MakeLanes();

__m128i Load128(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }

__attribute__((target("sse4.1"))) __m128i FourSse41(const char* in, const Lane& lane,
                                                    __m128i mask) {
  const __m128i spread = _mm_shuffle_epi8(Load128(in), Load128(lane.bytes.data()));
  // The lowest bit of each to bit 7; a number of up to 25 bits stays inside of the lane.
  const __m128i aligned = _mm_mullo_epi32(spread, Load128(lane.factors.data()));
  return _mm_and_si128(_mm_srli_epi32(aligned, 7), mask);
}

__attribute__((target("sse4.1"))) void UnpackSse41(const char* in, uint32_t width, uint32_t count,
                                                   uint32_t* out) {
  if (width > kMostShuffled) return UnpackPlain(in, width, count, out);
  const LanePair& lanes = kLanes[width];
  const __m128i mask = _mm_set1_epi32(static_cast<int>((uint64_t{1} << width) - 1));
  const uint32_t half = width * 4 / 8;
  for (uint32_t i = 0; i < count; i += 8, in += width) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), FourSse41(in, lanes.first, mask));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i + 4),
                     FourSse41(in + half, lanes.second, mask));
  }
}

__attribute__((target("sse4.1"))) void SumGapsSse41(uint32_t* values, uint32_t count,
                                                    uint32_t base) {
  __m128i carry = _mm_set1_epi32(static_cast<int>(base - 1));
  const __m128i ones = _mm_set1_epi32(1);
  for (uint32_t i = 0; i < count; i += 4) {
    auto* at = reinterpret_cast<__m128i*>(values + i);
    __m128i sum = _mm_add_epi32(_mm_loadu_si128(at), ones);
    sum = _mm_add_epi32(sum, _mm_slli_si128(sum, 4));
    sum = _mm_add_epi32(sum, _mm_slli_si128(sum, 8));
    sum = _mm_add_epi32(sum, carry);
    _mm_storeu_si128(at, sum);
    carry = _mm_shuffle_epi32(sum, 0xff);
  }
}

__attribute__((target("avx2"))) void UnpackAvx2(const char* in, uint32_t width, uint32_t count,
                                                uint32_t* out) {
  if (width > kMostShuffled) return UnpackPlain(in, width, count, out);
  const LanePair& lanes = kLanes[width];
  const __m256i bytes =
      _mm256_set_m128i(Load128(lanes.second.bytes.data()), Load128(lanes.first.bytes.data()));
  const __m256i shifts =
      _mm256_set_m128i(Load128(lanes.second.shifts.data()), Load128(lanes.first.shifts.data()));
  const __m256i mask = _mm256_set1_epi32(static_cast<int>((uint64_t{1} << width) - 1));
  const uint32_t half = width * 4 / 8;
  for (uint32_t i = 0; i < count; i += 8, in += width) {
    const __m256i raw = _mm256_set_m128i(Load128(in + half), Load128(in));
    const __m256i spread = _mm256_srlv_epi32(_mm256_shuffle_epi8(raw, bytes), shifts);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_and_si256(spread, mask));
  }
}

// Sixteen numbers are 2 x width bytes.
struct WideLane {
  alignas(64) std::array<uint8_t, 64> bytes;
  alignas(64) std::array<uint32_t, 16> shifts;
};
constexpr std::array<WideLane, kMostShuffled + 1> MakeWideLanes() {
  std::array<WideLane, kMostShuffled + 1> lanes{};
  for (uint32_t width = 0; width <= kMostShuffled; ++width) {
    for (uint32_t i = 0; i < 16; ++i) {
      for (uint32_t b = 0; b < 4; ++b) {
        lanes[width].bytes[4 * i + b] = static_cast<uint8_t>(i * width / 8 + b);
      }
      lanes[width].shifts[i] = i * width % 8;
    }
  }
  return lanes;
}
constexpr std::array<WideLane, kMostShuffled + 1> kWideLanes = MakeWideLanes();

#define CURLEW_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

CURLEW_AVX512 void UnpackAvx512(const char* in, uint32_t width, uint32_t count, uint32_t* out) {
  if (width > kMostShuffled) return UnpackPlain(in, width, count, out);
  const __m512i bytes = _mm512_load_si512(kWideLanes[width].bytes.data());
  const __m512i shifts = _mm512_load_si512(kWideLanes[width].shifts.data());
  const __m512i mask = _mm512_set1_epi32(static_cast<int>((uint64_t{1} << width) - 1));
  for (uint32_t i = 0; i < count; i += 16, in += 2 * width) {
    const __m512i spread = _mm512_permutexvar_epi8(bytes, _mm512_loadu_si512(in));
    _mm512_storeu_si512(out + i, _mm512_and_si512(_mm512_srlv_epi32(spread, shifts), mask));
  }
}

constexpr PackKernels kSse41{"SSE4.1", &UnpackSse41, &SumGapsSse41};
constexpr PackKernels kAvx2{"AVX2", &UnpackAvx2, &SumGapsSse41};
constexpr PackKernels kAvx512{"AVX-512 VBMI", &UnpackAvx512, &SumGapsSse41};

#endif  // defined(__x86_64__)

const std::vector<const PackKernels*>& Available() {
  static const std::vector<const PackKernels*> available = [] {
    std::vector<const PackKernels*> found = {&kPlain};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.1")) found.push_back(&kSse41);
    if (__builtin_cpu_supports("avx2")) found.push_back(&kAvx2);
    if (__builtin_cpu_supports("avx512vbmi")) found.push_back(&kAvx512);
#endif
    return found;
  }();
  return available;
}

}  // namespace

void AppendBitPacked(std::string& out, std::span<const uint32_t> values, uint32_t width) {
  uint64_t pending = 0;
  uint32_t bits = 0;
  const uint64_t mask = (uint64_t{1} << width) - 1;
  for (const uint32_t value : values) {
    pending |= (value & mask) << bits;
    for (bits += width; bits >= 8; bits -= 8, pending >>= 8) {
      out.push_back(static_cast<char>(pending));
    }
  }
  if (bits > 0) out.push_back(static_cast<char>(pending));
}

const PackKernels& Kernels() {
  static const PackKernels& best = *Available().back();
  return best;
}

std::span<const PackKernels* const> AllKernels() { return Available(); }

}  // namespace curlew::codec
