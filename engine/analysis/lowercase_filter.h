// Lower-cases terms.
#ifndef CURLEW_ENGINE_ANALYSIS_LOWERCASE_FILTER_H_
#define CURLEW_ENGINE_ANALYSIS_LOWERCASE_FILTER_H_

#include <array>
#include <string>

#include "engine/analysis/token_filter.h"

namespace curlew::analysis {

// Code point by code point with Unicode's simple mapping, like Java's Character.toLowerCase: I with
// dot above becomes i, and sigma at a word's end is no special case.
class LowercaseFilter final : public TokenFilter {
 public:
  explicit LowercaseFilter(std::unique_ptr<TokenStream> input) : TokenFilter(std::move(input)) {}

  void Reset(std::string_view text) override;
  bool Next(Token& token) override;

 private:
  std::string_view text_;
  std::string scratch_;
  std::array<char, 16> short_term_{};
};

// `term` in lower case: either `term` itself or what was written to `scratch`.
std::string_view ToLowercase(std::string_view term, std::string& scratch);

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_LOWERCASE_FILTER_H_
