// Drops tokens whose term is in a set, and leaves holes in the positions where they stood.
#ifndef CURLEW_ENGINE_ANALYSIS_STOP_FILTER_H_
#define CURLEW_ENGINE_ANALYSIS_STOP_FILTER_H_

#include <memory>
#include <string>
#include <string_view>

#include "engine/analysis/stop_words.h"
#include "engine/analysis/token_filter.h"

namespace curlew::analysis {

class StopFilter final : public TokenFilter {
 public:
  StopFilter(std::unique_ptr<TokenStream> input, std::shared_ptr<const StopWords> words);

  void Reset(std::string_view text) override;
  bool Next(Token& token) override;
  uint32_t trailing_positions() const override;

 private:
  std::shared_ptr<const StopWords> words_;
  uint32_t skipped_ = 0;  // positions of the tokens dropped since the last one kept
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_STOP_FILTER_H_
