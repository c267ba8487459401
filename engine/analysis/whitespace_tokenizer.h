// Splits text at white space.
#ifndef CURLEW_ENGINE_ANALYSIS_WHITESPACE_TOKENIZER_H_
#define CURLEW_ENGINE_ANALYSIS_WHITESPACE_TOKENIZER_H_

#include "engine/analysis/char_tokenizer.h"

namespace curlew::analysis {

// White space is that of Java's Character.isWhitespace: the separators Zs, Zl and Zp but for the
// no-break ones (U+00A0, U+2007, U+202F), and the controls U+0009 to U+000D and U+001C to U+001F.
struct IsNotWhitespace {
  static bool Test(char32_t c) {
    if (c < 0x80) return c > ' ' || (c < ' ' && !(c >= 0x09 && c <= 0x0D) && c < 0x1C);
    return TestBeyondAscii(c);
  }
  static bool TestBeyondAscii(char32_t c);
};

using WhitespaceTokenizer = CharTokenizer<IsNotWhitespace>;

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_WHITESPACE_TOKENIZER_H_
