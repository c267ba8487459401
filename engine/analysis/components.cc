#include "engine/analysis/components.h"

#include <map>
#include <string>

#include "engine/analysis/keyword_tokenizer.h"
#include "engine/analysis/letter_tokenizer.h"
#include "engine/analysis/lowercase_filter.h"
#include "engine/analysis/porter_stem_filter.h"
#include "engine/analysis/possessive_filter.h"
#include "engine/analysis/standard_tokenizer.h"
#include "engine/analysis/stop_filter.h"
#include "engine/analysis/whitespace_tokenizer.h"

namespace curlew::analysis {
namespace {

template <typename Factory>
using ByName = std::map<std::string, Factory, std::less<>>;

template <typename T>
TokenizerFactory Tokenizer() {
  return [] { return std::make_unique<T>(); };
}

template <typename T>
FilterFactory Filter() {
  return [](std::unique_ptr<TokenStream> input) { return std::make_unique<T>(std::move(input)); };
}

std::unique_ptr<TokenStream> MakeStopFilter(std::unique_ptr<TokenStream> input) {
  return std::make_unique<StopFilter>(std::move(input), EnglishStopWords());
}

std::unique_ptr<TokenStream> MakeLowercaseTokenizer() {
  return std::make_unique<LowercaseFilter>(std::make_unique<LetterTokenizer>());
}

template <typename Factory>
const Factory* Find(const ByName<Factory>& all, std::string_view name) {
  const auto it = all.find(name);
  return it == all.end() ? nullptr : &it->second;
}

}  // namespace

const TokenizerFactory* FindTokenizer(std::string_view name) {
  static const auto* const all = new ByName<TokenizerFactory>{
      {"standard", Tokenizer<StandardTokenizer>()},
      {"letter", Tokenizer<LetterTokenizer>()},
      {"lowercase", MakeLowercaseTokenizer},
      {"whitespace", Tokenizer<WhitespaceTokenizer>()},
      {"keyword", Tokenizer<KeywordTokenizer>()},
  };
  return Find(*all, name);
}

const FilterFactory* FindFilter(std::string_view name) {
  static const auto* const all = new ByName<FilterFactory>{
      {"lowercase", Filter<LowercaseFilter>()},
      {"stop", MakeStopFilter},
      {"possessive_english", Filter<PossessiveFilter>()},
      {"porter_stem", Filter<PorterStemFilter>()},
  };
  return Find(*all, name);
}

}  // namespace curlew::analysis
