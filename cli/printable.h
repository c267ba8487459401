// Text of a stranger's for a terminal: nothing in it may steer the terminal.
#ifndef CURLEW_CLI_PRINTABLE_H_
#define CURLEW_CLI_PRINTABLE_H_

#include <string>
#include <string_view>

namespace curlew::cli {

// `text` as UTF-8, with a space for each control character (C0, DEL, C1) and U+FFFD for what is not
// UTF-8.
std::string Printable(std::string_view text);

}  // namespace curlew::cli

#endif  // CURLEW_CLI_PRINTABLE_H_
