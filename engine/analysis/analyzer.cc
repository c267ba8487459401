#include "engine/analysis/analyzer.h"

namespace curlew::analysis {

std::vector<PositionedTerm> AnalyzeToTerms(const Analyzer& analyzer, std::string_view text,
                                           size_t most) {
  const std::unique_ptr<TokenStream> stream = analyzer.NewStream();
  stream->Reset(text);
  std::vector<PositionedTerm> terms;
  uint32_t next_position = 0;
  for (Token token; terms.size() < most && stream->Next(token);) {
    next_position += token.position_increment;
    terms.push_back({std::string(token.term), next_position - 1});
  }
  return terms;
}

}  // namespace curlew::analysis
