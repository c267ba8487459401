// Removes the English possessive 's from the end of terms.
#ifndef CURLEW_ENGINE_ANALYSIS_POSSESSIVE_FILTER_H_
#define CURLEW_ENGINE_ANALYSIS_POSSESSIVE_FILTER_H_

#include "engine/analysis/token_filter.h"

namespace curlew::analysis {

// The apostrophe may be U+0027, U+2019 or U+FF07, the letter s or S. Offsets stay.
class PossessiveFilter final : public TokenFilter {
 public:
  explicit PossessiveFilter(std::unique_ptr<TokenStream> input) : TokenFilter(std::move(input)) {}

  bool Next(Token& token) override;
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_POSSESSIVE_FILTER_H_
