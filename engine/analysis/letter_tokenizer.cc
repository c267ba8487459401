#include "engine/analysis/letter_tokenizer.h"

#include <unicode/uchar.h>

namespace curlew::analysis {

bool IsLetter::TestBeyondAscii(char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0; }

}  // namespace curlew::analysis
