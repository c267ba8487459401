#include "engine/analysis/keyword_tokenizer.h"

namespace curlew::analysis {

void KeywordTokenizer::Reset(std::string_view text) {
  text_ = text;
  done_ = false;
}

bool KeywordTokenizer::Next(Token& token) {
  if (done_) return false;
  done_ = true;
  token.term = text_;
  token.start_offset = 0;
  token.end_offset = static_cast<uint32_t>(text_.size());
  token.position_increment = 1;
  token.position_length = 1;
  token.type = "word";
  return true;
}

}  // namespace curlew::analysis
