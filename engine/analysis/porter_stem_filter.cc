#include "engine/analysis/porter_stem_filter.h"

#include "engine/analysis/porter_stemmer.h"

namespace curlew::analysis {

bool PorterStemFilter::Next(Token& token) {
  if (!input().Next(token)) return false;
  scratch_.assign(token.term);
  PorterStem(scratch_);
  token.term = scratch_;
  return true;
}

}  // namespace curlew::analysis
