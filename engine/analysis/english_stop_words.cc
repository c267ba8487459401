#include "engine/analysis/stop_words.h"

namespace curlew::analysis {

std::shared_ptr<const StopWords> EnglishStopWords() {
  static const auto* const words =
      new std::shared_ptr<const StopWords>(std::make_shared<StopWords>(std::vector<std::string>{
          "a",   "an",    "and",  "are",   "as",    "at",   "be",   "but", "by",  "for",  "if",
          "in",  "into",  "is",   "it",    "no",    "not",  "of",   "on",  "or",  "such", "that",
          "the", "their", "then", "there", "these", "they", "this", "to",  "was", "will", "with"}));
  return *words;
}

}  // namespace curlew::analysis
