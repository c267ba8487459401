// JSON values as they were written: a parsed number may come out spelled another way (0.10 as 0.1).
#ifndef CURLEW_CLI_RAW_JSON_H_
#define CURLEW_CLI_RAW_JSON_H_

#include <simdjson.h>

#include <string>
#include <string_view>

namespace curlew::cli {

// Gives `text` the room behind its end that the parser reads into. The view is valid until `text`
// changes.
inline simdjson::padded_string_view Padded(std::string& text) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  return simdjson::padded_string_view(text.data(), text.size(), text.capacity());
}

// The bytes of a value of a valid document; throws simdjson_error for what is not valid. The value
// is used up.
inline std::string_view RawText(simdjson::ondemand::value value) {
  std::string_view raw;
  switch (value.type()) {
    case simdjson::ondemand::json_type::object: {
      simdjson::ondemand::object object = value.get_object();
      raw = object.raw_json();
      break;
    }
    case simdjson::ondemand::json_type::array: {
      simdjson::ondemand::array array = value.get_array();
      raw = array.raw_json();
      break;
    }
    default:
      raw = value.raw_json_token();
  }
  // The parser gives what stands before the next token.
  return raw.substr(0, raw.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace curlew::cli

#endif  // CURLEW_CLI_RAW_JSON_H_
