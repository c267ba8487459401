#include "engine/util/json_error.h"

#include <fmt/format.h>

#include "engine/util/byte_order_mark.h"
#include "engine/util/error.h"

namespace curlew {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Where the object or array that `json` starts with is closed: the position behind it. npos when it
// is not, or when `json` starts with neither. Brackets are counted and strings passed over; whether
// what is between them is right is not looked at.
size_t EndOfFirstValue(std::string_view json) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = json.find_first_not_of(kBlanks); i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (depth == 0) {
      return std::string_view::npos;
    } else if (c == '"') {
      in_string = true;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string DescribeJsonError(simdjson::error_code code, std::string_view json) {
  if (code == simdjson::INCOMPLETE_ARRAY_OR_OBJECT || code == simdjson::TAPE_ERROR) {
    const size_t mark = json.size() - WithoutByteOrderMark(json).size();
    const size_t end = EndOfFirstValue(json.substr(mark));
    const size_t rest =
        end == std::string_view::npos ? end : json.find_first_not_of(kBlanks, mark + end);
    if (rest != std::string_view::npos) {
      return fmt::format("[{}] follows after its end (byte {})", Clip(json.substr(rest), 50), rest);
    }
  }
  return simdjson::error_message(code);
}

}  // namespace curlew
