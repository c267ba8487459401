#include "engine/analysis/possessive_filter.h"

namespace curlew::analysis {

bool PossessiveFilter::Next(Token& token) {
  if (!input().Next(token)) return false;
  std::string_view stem = token.term;
  if (stem.size() < 2 || (stem.back() != 's' && stem.back() != 'S')) return true;
  stem.remove_suffix(1);
  for (std::string_view apostrophe : {"'", "\u2019", "\uFF07"}) {
    if (stem.ends_with(apostrophe)) {
      stem.remove_suffix(apostrophe.size());
      token.term = stem;
      break;
    }
  }
  return true;
}

}  // namespace curlew::analysis
