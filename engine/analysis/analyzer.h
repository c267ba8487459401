// An analyzer: a recipe for token streams, shared by fields and queries.
#ifndef CURLEW_ENGINE_ANALYSIS_ANALYZER_H_
#define CURLEW_ENGINE_ANALYSIS_ANALYZER_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/token_stream.h"

namespace curlew::analysis {

// Immutable and thread-safe; lives as long as the registry it came from.
class Analyzer {
 public:
  virtual ~Analyzer() = default;
  const std::string& name() const { return name_; }
  // A fresh stream for one thread to keep and reuse.
  virtual std::unique_ptr<TokenStream> NewStream() const = 0;

 protected:
  explicit Analyzer(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

// A term with its position (counted from 0): what a query needs of a text.
struct PositionedTerm {
  std::string term;
  uint32_t position = 0;
};
// At most the first `most` terms.
std::vector<PositionedTerm> AnalyzeToTerms(const Analyzer& analyzer, std::string_view text,
                                           size_t most = std::numeric_limits<size_t>::max());

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_ANALYZER_H_
