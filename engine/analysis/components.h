// Tokenizers and token filters by name, as recipes that analyzers are put together from.
#ifndef CURLEW_ENGINE_ANALYSIS_COMPONENTS_H_
#define CURLEW_ENGINE_ANALYSIS_COMPONENTS_H_

#include <functional>
#include <memory>
#include <string_view>

#include "engine/analysis/token_stream.h"

namespace curlew::analysis {

// Both must be callable from several threads at once.
using TokenizerFactory = std::function<std::unique_ptr<TokenStream>()>;
using FilterFactory = std::function<std::unique_ptr<TokenStream>(std::unique_ptr<TokenStream>)>;

// Null when there is none of that name; else static storage. These need no parameters.
// Tokenizers: standard, letter, lowercase, whitespace, keyword.
const TokenizerFactory* FindTokenizer(std::string_view name);
// Filters: lowercase, stop (English), possessive_english, porter_stem.
const FilterFactory* FindFilter(std::string_view name);

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_COMPONENTS_H_
