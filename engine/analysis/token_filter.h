// The base of streams that change, drop or add tokens of the stream below them.
#ifndef CURLEW_ENGINE_ANALYSIS_TOKEN_FILTER_H_
#define CURLEW_ENGINE_ANALYSIS_TOKEN_FILTER_H_

#include <memory>
#include <utility>

#include "engine/analysis/token_stream.h"

namespace curlew::analysis {

// Owns the stream below.
class TokenFilter : public TokenStream {
 public:
  void Reset(std::string_view text) override { input_->Reset(text); }
  uint32_t trailing_positions() const override { return input_->trailing_positions(); }

 protected:
  explicit TokenFilter(std::unique_ptr<TokenStream> input) : input_(std::move(input)) {}
  TokenStream& input() { return *input_; }
  const TokenStream& input() const { return *input_; }

 private:
  std::unique_ptr<TokenStream> input_;
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_TOKEN_FILTER_H_
