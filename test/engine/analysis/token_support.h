// What the tests of analysis share: collecting tokens, and reading the files of expected ones.
#ifndef CURLEW_TEST_ENGINE_ANALYSIS_TOKEN_SUPPORT_H_
#define CURLEW_TEST_ENGINE_ANALYSIS_TOKEN_SUPPORT_H_

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/token_stream.h"
#include "engine/analysis/utf8.h"

namespace curlew::analysis {

// A token with nothing pointing elsewhere.
struct OwnedToken {
  std::string term;
  uint32_t start = 0;
  uint32_t end = 0;
  std::string type;
  uint32_t position = 0;
};

inline std::vector<OwnedToken> Collect(TokenStream& stream, std::string_view text) {
  std::vector<OwnedToken> tokens;
  stream.Reset(text);
  uint32_t next_position = 0;
  for (Token token; stream.Next(token);) {
    next_position += token.position_increment;
    tokens.push_back({std::string(token.term), token.start_offset, token.end_offset,
                      std::string(token.type), next_position - 1});
  }
  return tokens;
}

inline std::vector<std::string> Terms(TokenStream& stream, std::string_view text) {
  std::vector<std::string> terms;
  for (const OwnedToken& token : Collect(stream, text)) terms.push_back(token.term);
  return terms;
}

// For every byte offset of `text`, the same place in UTF-16 code units.
inline std::vector<uint32_t> Utf16Offsets(std::string_view text) {
  std::vector<uint32_t> offsets(text.size() + 1);
  uint32_t units = 0;
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = Decode(text.data() + i);
    offsets[i] = units;
    units += c.utf16_units();
    i += c.bytes;
  }
  offsets[text.size()] = units;
  return offsets;
}

// "61 1F600" to text.
inline std::string FromHex(const std::string& hex) {
  std::string text;
  std::istringstream in(hex);
  for (std::string word; in >> word;) {
    AppendUtf8(static_cast<char32_t>(std::strtoul(word.c_str(), nullptr, 16)), text);
  }
  return text;
}

inline std::string ToHex(std::string_view text) {
  std::ostringstream out;
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = Decode(text.data() + i);
    out << std::hex << std::uppercase << static_cast<uint32_t>(c.value) << ' ';
    i += c.bytes;
  }
  return out.str();
}

inline std::string Repeat(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

// The lines of a file below test/data; throws when there is none of that name.
inline std::vector<std::string> ReadLines(const std::string& path) {
  std::ifstream in(std::string(CURLEW_SOURCE_DIR) + "/test/data/" + path);
  if (!in) throw std::runtime_error("cannot open test/data/" + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace curlew::analysis

#endif  // CURLEW_TEST_ENGINE_ANALYSIS_TOKEN_SUPPORT_H_
