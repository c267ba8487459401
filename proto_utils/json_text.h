// JSON strings as text.
#ifndef CURLEW_PROTO_UTILS_JSON_TEXT_H_
#define CURLEW_PROTO_UTILS_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace curlew::proto_utils {

// Appends `text` quoted and escaped (RFC 8259; bytes above 0x7f as they are).
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace curlew::proto_utils

#endif  // CURLEW_PROTO_UTILS_JSON_TEXT_H_
