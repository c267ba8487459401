#include "engine/analysis/registry.h"

#include <initializer_list>
#include <vector>

#include "engine/analysis/chain_analyzer.h"
#include "engine/analysis/components.h"

namespace curlew::analysis {
namespace {

std::unique_ptr<const Analyzer> Chain(const char* name, const char* tokenizer,
                                      std::initializer_list<const char*> filters) {
  std::vector<FilterFactory> factories;
  for (const char* filter : filters) factories.push_back(*FindFilter(filter));
  return std::make_unique<ChainAnalyzer>(name, *FindTokenizer(tokenizer), std::move(factories));
}

}  // namespace

const AnalyzerRegistry& AnalyzerRegistry::BuiltIn() {
  static const auto* const registry = [] {
    auto* built = new AnalyzerRegistry;
    const auto add = [built](std::unique_ptr<const Analyzer> analyzer) {
      std::string name = analyzer->name();
      built->analyzers_.emplace(std::move(name), std::move(analyzer));
    };
    add(Chain("standard", "standard", {"lowercase"}));
    add(Chain("simple", "letter", {"lowercase"}));
    add(Chain("whitespace", "whitespace", {}));
    add(Chain("keyword", "keyword", {}));
    add(Chain("stop", "letter", {"lowercase", "stop"}));
    add(Chain("english", "standard", {"possessive_english", "lowercase", "stop", "porter_stem"}));
    return built;
  }();
  return *registry;
}

const Analyzer* AnalyzerRegistry::Find(std::string_view name) const {
  const auto it = analyzers_.find(name);
  return it == analyzers_.end() ? nullptr : it->second.get();
}

}  // namespace curlew::analysis
