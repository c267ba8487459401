#include "cli/printable.h"

#include <simdjson.h>

#include <cstddef>

namespace curlew::cli {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Of the character that starts with `lead`; 1 for what starts none.
size_t LengthOf(unsigned char lead) {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::string_view character = text.substr(i, LengthOf(lead));
    if (!simdjson::validate_utf8(character.data(), character.size())) {
      out += kReplacement;
      ++i;
      continue;
    }
    const bool c1 = lead == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
    if (lead < 0x20 || lead == 0x7f || c1) {
      out += ' ';
    } else {
      out += character;
    }
    i += character.size();
  }
  return out;
}

}  // namespace curlew::cli
