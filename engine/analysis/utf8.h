// Reading and writing code points in text that is known to be well-formed UTF-8.
#ifndef CURLEW_ENGINE_ANALYSIS_UTF8_H_
#define CURLEW_ENGINE_ANALYSIS_UTF8_H_

#include <cstdint>
#include <string>

namespace curlew::analysis {

struct CodePoint {
  char32_t value = 0;
  uint8_t bytes = 0;
  // The length in UTF-16, in which Lucene measures tokens.
  uint8_t utf16_units() const { return bytes == 4 ? 2 : 1; }
};

// The code point whose first byte is at `p`. Nothing is checked: ingest refuses ill-formed text.
inline CodePoint Decode(const char* p) {
  const auto* b = reinterpret_cast<const unsigned char*>(p);
  if (b[0] < 0x80) return {b[0], 1};
  if (b[0] < 0xE0) return {static_cast<char32_t>((b[0] & 0x1F) << 6 | (b[1] & 0x3F)), 2};
  if (b[0] < 0xF0) {
    return {static_cast<char32_t>((b[0] & 0x0F) << 12 | (b[1] & 0x3F) << 6 | (b[2] & 0x3F)), 3};
  }
  return {static_cast<char32_t>((b[0] & 0x07) << 18 | (b[1] & 0x3F) << 12 | (b[2] & 0x3F) << 6 |
                                (b[3] & 0x3F)),
          4};
}

inline bool IsContinuationByte(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The first byte of the code point that ends before `p`; `p` must not be the start of the text.
inline const char* PreviousCodePoint(const char* p) {
  do {
    --p;
  } while (IsContinuationByte(*p));
  return p;
}

inline void AppendUtf8(char32_t c, std::string& out) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
    return;
  }
  if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0 | c >> 6));
  } else {
    if (c < 0x10000) {
      out.push_back(static_cast<char>(0xE0 | c >> 12));
    } else {
      out.push_back(static_cast<char>(0xF0 | c >> 18));
      out.push_back(static_cast<char>(0x80 | (c >> 12 & 0x3F)));
    }
    out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
  }
  out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
}

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_UTF8_H_
