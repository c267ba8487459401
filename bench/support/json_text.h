// Texts of corpora and queries in JSON.
#ifndef CURLEW_BENCH_SUPPORT_JSON_TEXT_H_
#define CURLEW_BENCH_SUPPORT_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace curlew::bench {

// What stands between the quotes, for a text without control characters.
inline std::string EscapedJson(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_SUPPORT_JSON_TEXT_H_
