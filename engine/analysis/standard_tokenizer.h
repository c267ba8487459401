// Splits text at the word boundaries of UAX #29, as Lucene's StandardTokenizer does.
#ifndef CURLEW_ENGINE_ANALYSIS_STANDARD_TOKENIZER_H_
#define CURLEW_ENGINE_ANALYSIS_STANDARD_TOKENIZER_H_

#include "engine/analysis/token_stream.h"
#include "engine/analysis/word_class.h"
#include "engine/analysis/word_machine.h"

namespace curlew::analysis {

// Terms point into the text. Runs of ASCII take a path of their own; MatchWord, which gives the
// same tokens, does the rest.
class StandardTokenizer final : public TokenStream {
 public:
  // Longer tokens are split after `max_token_length` UTF-16 code units.
  explicit StandardTokenizer(int max_token_length = kMaxTokenLength);

  void Reset(std::string_view text) override;
  bool Next(Token& token) override;

 private:
  void Emit(const char* begin, const char* end, WordType type, Token& token);
  bool NextOfAny(Token& token);

  const WordClassTable& classes_;
  const int max_token_length_;
  const char* text_ = nullptr;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_STANDARD_TOKENIZER_H_
