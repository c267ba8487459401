// Patterns of field names: `*` stands for any characters, everything else for itself.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_WILDCARD_H_
#define CURLEW_ENGINE_SEARCH_QUERY_WILDCARD_H_

#include <string_view>

namespace curlew::search {

inline bool WildcardMatches(std::string_view pattern, std::string_view text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;  // the last one passed, and the text it was tried with
  size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_WILDCARD_H_
