// Analyzers by name: the built-in ones, and (per index) those its settings define.
#ifndef CURLEW_ENGINE_ANALYSIS_REGISTRY_H_
#define CURLEW_ENGINE_ANALYSIS_REGISTRY_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "engine/analysis/analyzer.h"

namespace curlew::analysis {

// Immutable once built; thread-safe.
class AnalyzerRegistry {
 public:
  // standard, simple, whitespace, keyword, stop, english.
  static const AnalyzerRegistry& BuiltIn();

  // Null when there is none of that name.
  const Analyzer* Find(std::string_view name) const;

 private:
  AnalyzerRegistry() = default;
  std::map<std::string, std::unique_ptr<const Analyzer>, std::less<>> analyzers_;
};

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_REGISTRY_H_
