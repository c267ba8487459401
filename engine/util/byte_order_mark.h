// The byte order mark that some editors put before UTF-8.
#ifndef CURLEW_ENGINE_UTIL_BYTE_ORDER_MARK_H_
#define CURLEW_ENGINE_UTIL_BYTE_ORDER_MARK_H_

#include <string_view>

namespace curlew {

// Documents are taken with one, and stored as they came: everything that reads a source passes over
// it first.
inline std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_BYTE_ORDER_MARK_H_
