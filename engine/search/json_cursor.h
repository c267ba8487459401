// Walks JSON text without decoding it: where values begin and end.
#ifndef CURLEW_ENGINE_SEARCH_JSON_CURSOR_H_
#define CURLEW_ENGINE_SEARCH_JSON_CURSOR_H_

#include <string>
#include <string_view>

#include "engine/util/byte_order_mark.h"

namespace curlew::search {

// Over text that was checked when it was indexed: what is wrong with it is noticed only as far as
// it would lead out of the text. A byte order mark is passed over. After failed() nothing it says
// means anything. The text has to outlive it; one thread at a time.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(WithoutByteOrderMark(text)) {}

  bool failed() const { return failed_; }
  // The next character that is no blank, not taken; 0 at the end.
  char Peek();
  // Takes `c` if it comes next.
  bool Take(char c);
  // Takes a whole value and returns its text.
  std::string_view Value();
  // Takes a string and returns its text with the quotes.
  std::string_view String();
  void Fail() { failed_ = true; }

 private:
  void SkipString();

  const std::string_view text_;
  size_t at_ = 0;
  bool failed_ = false;
};

// The characters of a JSON string given with its quotes; `buffer` is used when it has escapes.
std::string_view UnescapeJson(std::string_view quoted, std::string& buffer);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_JSON_CURSOR_H_
