// Splits text into runs of letters.
#ifndef CURLEW_ENGINE_ANALYSIS_LETTER_TOKENIZER_H_
#define CURLEW_ENGINE_ANALYSIS_LETTER_TOKENIZER_H_

#include "engine/analysis/char_tokenizer.h"

namespace curlew::analysis {

// Letters are the general categories Lu, Ll, Lt, Lm and Lo.
struct IsLetter {
  static bool Test(char32_t c) {
    if (c < 0x80) return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    return TestBeyondAscii(c);
  }
  static bool TestBeyondAscii(char32_t c);
};

using LetterTokenizer = CharTokenizer<IsLetter>;

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_LETTER_TOKENIZER_H_
