// A set of stop words.
#ifndef CURLEW_ENGINE_ANALYSIS_STOP_WORDS_H_
#define CURLEW_ENGINE_ANALYSIS_STOP_WORDS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/util/text_hash.h"

namespace curlew::analysis {

// Immutable, thread-safe, shared by filters.
class StopWords {
 public:
  explicit StopWords(const std::vector<std::string>& words) : words_(words.begin(), words.end()) {
    for (const std::string& word : words) {
      longest_ = std::max(longest_, word.size());
      first_bytes_[word.empty() ? 0 : static_cast<unsigned char>(word[0])] = true;
    }
  }

  bool Contains(std::string_view term) const {
    // Most terms need no look-up.
    const size_t first = term.empty() ? 0 : static_cast<unsigned char>(term[0]);
    return term.size() <= longest_ && first_bytes_[first] && words_.find(term) != words_.end();
  }
  size_t size() const { return words_.size(); }

 private:
  TextSet<std::string> words_;
  size_t longest_ = 0;
  std::array<bool, 256> first_bytes_{};
};

// Lucene's English list: 33 words.
std::shared_ptr<const StopWords> EnglishStopWords();

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_STOP_WORDS_H_
