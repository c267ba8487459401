// Text on its way to terms: a tokenizer or a filter over one, pulled token by token.
#ifndef CURLEW_ENGINE_ANALYSIS_TOKEN_STREAM_H_
#define CURLEW_ENGINE_ANALYSIS_TOKEN_STREAM_H_

#include <cstdint>
#include <memory>
#include <string_view>

namespace curlew::analysis {

// Lucene's limit: tokenizers split longer tokens (in UTF-16 code units).
inline constexpr int kMaxTokenLength = 255;

struct Token {
  std::string_view term;      // UTF-8; valid until the stream's next call
  uint32_t start_offset = 0;  // bytes into the text; the end one past the last byte
  uint32_t end_offset = 0;
  uint32_t position_increment = 1;  // over 1 where tokens were removed, 0 for one at the same place
  uint32_t position_length = 1;
  std::string_view type;  // static storage, e.g. "<ALPHANUM>"
};

// Owned by one user at a time, reused for text after text; not thread-safe. A chain owns the stream
// below it.
class TokenStream {
 public:
  virtual ~TokenStream() = default;
  // Starts over with `text` (UTF-8, well-formed), which must stay alive until the stream is done.
  virtual void Reset(std::string_view text) = 0;
  // The next token into `token`; false at the end.
  virtual bool Next(Token& token) = 0;
  // After the end: positions that follow the last token and hold nothing (removed stop words).
  virtual uint32_t trailing_positions() const { return 0; }
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_TOKEN_STREAM_H_
