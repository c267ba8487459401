// Reduces English terms to their stems.
#ifndef CURLEW_ENGINE_ANALYSIS_PORTER_STEM_FILTER_H_
#define CURLEW_ENGINE_ANALYSIS_PORTER_STEM_FILTER_H_

#include <string>

#include "engine/analysis/token_filter.h"

namespace curlew::analysis {

// Expects lower-case terms.
class PorterStemFilter final : public TokenFilter {
 public:
  explicit PorterStemFilter(std::unique_ptr<TokenStream> input) : TokenFilter(std::move(input)) {}

  bool Next(Token& token) override;

 private:
  std::string scratch_;
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_PORTER_STEM_FILTER_H_
