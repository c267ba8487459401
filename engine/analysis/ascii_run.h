// The length of a run of ASCII letters and digits, sixteen bytes at a time.
#ifndef CURLEW_ENGINE_ANALYSIS_ASCII_RUN_H_
#define CURLEW_ENGINE_ANALYSIS_ASCII_RUN_H_

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace curlew::analysis {

inline bool IsAsciiLetter(char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }
inline bool IsAsciiDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// One past the letters and digits that `p` starts with; `has_letter` becomes true when a letter is
// among them. Words are short, so the win is less in reading faster than in taking one branch for
// most words where a loop over bytes mispredicts its end. Reads nothing at or after `end`.
inline const char* SkipAsciiAlphanumerics(const char* p, const char* end, bool& has_letter) {
#if defined(__SSE2__)
  // Unsigned c - low < count, by a signed comparison of shifted values.
  const auto in_range = [](__m128i c, char low, char count) {
    const __m128i shifted = _mm_sub_epi8(c, _mm_set1_epi8(static_cast<char>(low - 128)));
    return _mm_cmplt_epi8(shifted, _mm_set1_epi8(static_cast<char>(count - 128)));
  };
  while (end - p >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i letters = in_range(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 26);
    const __m128i digits = in_range(bytes, '0', 10);
    const auto letter_mask = static_cast<uint32_t>(_mm_movemask_epi8(letters));
    const auto others =
        ~static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(letters, digits))) & 0xFFFF;
    if (others != 0) {
      const int length = std::countr_zero(others);
      has_letter |= (letter_mask & ((1U << length) - 1)) != 0;
      return p + length;
    }
    has_letter |= letter_mask != 0;
    p += 16;
  }
#endif
  for (; p < end; ++p) {
    if (IsAsciiLetter(*p)) {
      has_letter = true;
    } else if (!IsAsciiDigit(*p)) {
      break;
    }
  }
  return p;
}

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_ASCII_RUN_H_
