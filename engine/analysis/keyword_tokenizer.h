// The whole text as one token.
#ifndef CURLEW_ENGINE_ANALYSIS_KEYWORD_TOKENIZER_H_
#define CURLEW_ENGINE_ANALYSIS_KEYWORD_TOKENIZER_H_

#include "engine/analysis/token_stream.h"

namespace curlew::analysis {

// An empty text gives an empty token, a long one is not split.
class KeywordTokenizer final : public TokenStream {
 public:
  void Reset(std::string_view text) override;
  bool Next(Token& token) override;

 private:
  std::string_view text_;
  bool done_ = true;
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_KEYWORD_TOKENIZER_H_
