// An analyzer put together from a tokenizer and token filters.
#ifndef CURLEW_ENGINE_ANALYSIS_CHAIN_ANALYZER_H_
#define CURLEW_ENGINE_ANALYSIS_CHAIN_ANALYZER_H_

#include <string>
#include <vector>

#include "engine/analysis/analyzer.h"
#include "engine/analysis/components.h"

namespace curlew::analysis {

class ChainAnalyzer final : public Analyzer {
 public:
  // `filters` apply in their order.
  ChainAnalyzer(std::string name, TokenizerFactory tokenizer, std::vector<FilterFactory> filters);

  std::unique_ptr<TokenStream> NewStream() const override;

 private:
  TokenizerFactory tokenizer_;
  std::vector<FilterFactory> filters_;
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_CHAIN_ANALYZER_H_
