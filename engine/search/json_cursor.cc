#include "engine/search/json_cursor.h"

#include <charconv>
#include <cstdint>
#include <cstring>

namespace curlew::search {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

void AppendUtf8(uint32_t code, std::string& out) {
  const auto put = [&out](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

// The four hexadecimal digits at the front of `text`; 0 when they are none.
uint32_t HexDigits(std::string_view text) {
  uint32_t code = 0;
  if (text.size() >= 4) std::from_chars(text.data(), text.data() + 4, code, 16);
  return code;
}

}  // namespace

char JsonCursor::Peek() {
  while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonCursor::Take(char c) {
  if (Peek() != c) return false;
  ++at_;
  return true;
}

void JsonCursor::SkipString() {
  ++at_;  // the opening quote
  while (at_ < text_.size()) {
    const void* quote = std::memchr(text_.data() + at_, '"', text_.size() - at_);
    if (quote == nullptr) break;
    const auto end = static_cast<size_t>(static_cast<const char*>(quote) - text_.data());
    size_t slashes = 0;
    while (end - slashes > at_ && text_[end - slashes - 1] == '\\') ++slashes;
    at_ = end + 1;
    if (slashes % 2 == 0) return;
  }
  at_ = text_.size();
  failed_ = true;
}

std::string_view JsonCursor::String() {
  if (Peek() != '"') {
    failed_ = true;
    return {};
  }
  const size_t start = at_;
  SkipString();
  return text_.substr(start, at_ - start);
}

std::string_view JsonCursor::Value() {
  const char first = Peek();
  if (first == '"') return String();
  const size_t start = at_;
  if (first == '{' || first == '[') {
    size_t depth = 0;
    do {
      const char c = text_[at_];
      if (c == '"') {
        SkipString();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at_;
    } while (depth > 0 && at_ < text_.size());
    if (depth > 0) failed_ = true;
  } else {
    while (at_ < text_.size() && !IsBlank(text_[at_]) && text_[at_] != ',' && text_[at_] != '}' &&
           text_[at_] != ']') {
      ++at_;
    }
    if (at_ == start) failed_ = true;
  }
  return text_.substr(start, at_ - start);
}

std::string_view UnescapeJson(std::string_view quoted, std::string& buffer) {
  if (quoted.size() < 2) return {};
  std::string_view text = quoted.substr(1, quoted.size() - 2);
  if (text.find('\\') == std::string_view::npos) return text;
  buffer.clear();
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c != '\\' || text.empty()) {
      buffer.push_back(c);
      continue;
    }
    const char escaped = text.front();
    text.remove_prefix(1);
    switch (escaped) {
      case 'b':
        buffer.push_back('\b');
        break;
      case 'f':
        buffer.push_back('\f');
        break;
      case 'n':
        buffer.push_back('\n');
        break;
      case 'r':
        buffer.push_back('\r');
        break;
      case 't':
        buffer.push_back('\t');
        break;
      case 'u': {
        uint32_t code = HexDigits(text);
        text.remove_prefix(text.size() < 4 ? text.size() : 4);
        const bool high = code >= 0xd800 && code < 0xdc00;
        if (high && text.size() >= 6 && text[0] == '\\' && text[1] == 'u') {
          code = 0x10000 + ((code - 0xd800) << 10) + ((HexDigits(text.substr(2)) - 0xdc00) & 0x3ff);
          text.remove_prefix(6);
        }
        AppendUtf8(code, buffer);
        break;
      }
      default:
        buffer.push_back(escaped);
    }
  }
  return buffer;
}

}  // namespace curlew::search
