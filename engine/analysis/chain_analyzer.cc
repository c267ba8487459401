#include "engine/analysis/chain_analyzer.h"

namespace curlew::analysis {

ChainAnalyzer::ChainAnalyzer(std::string name, TokenizerFactory tokenizer,
                             std::vector<FilterFactory> filters)
    : Analyzer(std::move(name)), tokenizer_(std::move(tokenizer)), filters_(std::move(filters)) {}

std::unique_ptr<TokenStream> ChainAnalyzer::NewStream() const {
  std::unique_ptr<TokenStream> stream = tokenizer_();
  for (const FilterFactory& filter : filters_) stream = filter(std::move(stream));
  return stream;
}

}  // namespace curlew::analysis
