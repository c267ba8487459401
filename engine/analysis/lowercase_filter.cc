#include "engine/analysis/lowercase_filter.h"

#include <unicode/uchar.h>

#include <array>

#include "engine/analysis/utf8.h"

namespace curlew::analysis {
namespace {

enum Kind : uint8_t { kPlain = 0, kUpper = 1, kNotAscii = 2 };

constexpr std::array<uint8_t, 256> BuildKinds() {
  std::array<uint8_t, 256> kinds{};
  for (int c = 'A'; c <= 'Z'; ++c) kinds[c] = kUpper;
  for (int c = 0x80; c < 0x100; ++c) kinds[c] = kNotAscii;
  return kinds;
}
constexpr std::array<uint8_t, 256> kKinds = BuildKinds();

uint8_t KindsOf(std::string_view term) {
  uint8_t kinds = 0;
  for (char c : term) kinds |= kKinds[static_cast<unsigned char>(c)];
  return kinds;
}

}  // namespace

std::string_view ToLowercase(std::string_view term, std::string& scratch) {
  const uint8_t kinds = KindsOf(term);
  if (kinds == kPlain) return term;
  if (kinds == kUpper) {
    scratch.resize(term.size());
    for (size_t i = 0; i < term.size(); ++i) {
      const char c = term[i];
      scratch[i] = static_cast<char>(c | (c >= 'A' && c <= 'Z' ? 0x20 : 0));
    }
    return scratch;
  }
  scratch.clear();
  const char* const end = term.data() + term.size();
  for (const char* p = term.data(); p < end;) {
    const CodePoint c = Decode(p);
    AppendUtf8(static_cast<char32_t>(u_tolower(static_cast<UChar32>(c.value))), scratch);
    p += c.bytes;
  }
  return scratch;
}

bool LowercaseFilter::Next(Token& token) {
  if (!input().Next(token)) return false;
  token.term = ToLowercase(token.term, scratch_);
  return true;
}

}  // namespace curlew::analysis
