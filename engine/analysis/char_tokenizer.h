// The base of tokenizers whose tokens are the longest runs of code points that pass a test.
#ifndef CURLEW_ENGINE_ANALYSIS_CHAR_TOKENIZER_H_
#define CURLEW_ENGINE_ANALYSIS_CHAR_TOKENIZER_H_

#include "engine/analysis/token_stream.h"
#include "engine/analysis/utf8.h"

namespace curlew::analysis {

// `InToken::Test(char32_t)` says which code points belong to tokens. Terms point into the text, the
// type is "word". A run is cut as soon as it has `max_token_length` UTF-16 code units or, where the
// last code point takes two, one more (so does Lucene's CharTokenizer).
template <typename InToken>
class CharTokenizer : public TokenStream {
 public:
  explicit CharTokenizer(int max_token_length = kMaxTokenLength)
      : max_token_length_(max_token_length) {}

  void Reset(std::string_view text) final {
    text_ = next_ = text.data();
    end_ = text_ + text.size();
  }

  bool Next(Token& token) final {
    const char* start = next_;
    const char* p = next_;
    int units = 0;
    while (p < end_ && units < max_token_length_) {
      const CodePoint c = Decode(p);
      p += c.bytes;
      if (InToken::Test(c.value)) {
        if (units == 0) start = p - c.bytes;
        units += c.utf16_units();
      } else if (units > 0) {
        p -= c.bytes;
        break;
      }
    }
    next_ = p;
    if (units == 0) return false;
    token.term = std::string_view(start, static_cast<size_t>(p - start));
    token.start_offset = static_cast<uint32_t>(start - text_);
    token.end_offset = static_cast<uint32_t>(p - text_);
    token.position_increment = 1;
    token.position_length = 1;
    token.type = "word";
    return true;
  }

 private:
  const int max_token_length_;
  const char* text_ = nullptr;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_CHAR_TOKENIZER_H_
