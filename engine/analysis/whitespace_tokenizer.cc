#include "engine/analysis/whitespace_tokenizer.h"

#include <unicode/uchar.h>

namespace curlew::analysis {

// ICU's u_isWhitespace is defined to agree with Java's.
bool IsNotWhitespace::TestBeyondAscii(char32_t c) {
  return u_isWhitespace(static_cast<UChar32>(c)) == 0;
}

}  // namespace curlew::analysis
