#include "engine/analysis/stop_filter.h"

namespace curlew::analysis {

StopFilter::StopFilter(std::unique_ptr<TokenStream> input, std::shared_ptr<const StopWords> words)
    : TokenFilter(std::move(input)), words_(std::move(words)) {}

void StopFilter::Reset(std::string_view text) {
  skipped_ = 0;
  TokenFilter::Reset(text);
}

bool StopFilter::Next(Token& token) {
  skipped_ = 0;
  while (input().Next(token)) {
    if (!words_->Contains(token.term)) {
      token.position_increment += skipped_;
      return true;
    }
    skipped_ += token.position_increment;
  }
  return false;
}

uint32_t StopFilter::trailing_positions() const { return skipped_ + input().trailing_positions(); }

}  // namespace curlew::analysis
