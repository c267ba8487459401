#include "engine/analysis/lowercase_filter.h"

#include <unicode/uchar.h>

#include <catch2/catch.hpp>

#include "engine/analysis/whitespace_tokenizer.h"
#include "test/engine/analysis/token_support.h"
#include "test/support/random.h"

namespace curlew::analysis {

TEST_CASE("lower case of every code point") {
  std::string scratch;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string term;
    AppendUtf8(c, term);
    std::string expected;
    AppendUtf8(static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))), expected);
    if (ToLowercase(term, scratch) != expected) FAIL(ToHex(term));
    // Beside other characters, on whichever path those lead.
    if (expected == term && c > 0x2FFF) continue;
    if (ToLowercase("aZ" + term + "\u00C4Q", scratch) != "az" + expected + "\u00E4q") {
      FAIL(ToHex(term));
    }
  }
}

TEST_CASE("lower case of words") {
  std::string scratch;
  CHECK(ToLowercase("", scratch).empty());
  CHECK(ToLowercase("\u0130stanbul", scratch) == "istanbul");
  CHECK(ToLowercase("\u03A3\u038A\u03A3\u03A5\u03A6\u039F\u03A3", scratch) ==
        "\u03C3\u03AF\u03C3\u03C5\u03C6\u03BF\u03C3");
  CHECK(ToLowercase("@[`{AZaz09", scratch) == "@[`{azaz09");
  // Every length, as long words are worked on in blocks.
  for (int n = 1; n < 70; ++n) {
    const std::string text = Repeat("xYZ[@", n).substr(0, static_cast<size_t>(n));
    CHECK(ToLowercase(text, scratch) == Repeat("xyz[@", n).substr(0, static_cast<size_t>(n)));
  }
  const std::string plain = "already_lower-1";
  CHECK(ToLowercase(plain, scratch).data() == plain.data());
}

// Terms of every length at every distance from the text's end, which take different paths.
TEST_CASE("lowercase filter does to terms what the function does") {
  const std::vector<std::string> alphabet = {"a", "Z", "Q", "7", "@", "[", "\u00C4", "\u0130", " "};
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  LowercaseFilter filter(std::make_unique<WhitespaceTokenizer>());
  WhitespaceTokenizer plain;
  std::string scratch;
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    const bool ascii = random.OneIn(2);
    for (int64_t n = random.Between(1, 60); n > 0; --n) {
      const std::string& piece = random.Pick(alphabet);
      if (!ascii || piece.size() == 1) text += piece;
    }
    // Its own allocation, so that a sanitizer sees reads beyond the end.
    const std::vector<char> exact(text.begin(), text.end());
    std::vector<std::string> expected;
    for (const std::string& term : Terms(plain, text)) {
      expected.emplace_back(ToLowercase(term, scratch));
    }
    CHECK(Terms(filter, std::string_view(exact.data(), exact.size())) == expected);
  }
}

TEST_CASE("lowercase filter keeps offsets") {
  LowercaseFilter filter(std::make_unique<WhitespaceTokenizer>());
  const auto tokens = Collect(filter, "\u0130X Ab");
  REQUIRE(tokens.size() == 2);
  CHECK(tokens[0].term == "ix");
  CHECK(tokens[0].end == 3);
  CHECK(tokens[1].term == "ab");
  CHECK(tokens[1].start == 4);
  CHECK(tokens[1].position == 1);
}

}  // namespace curlew::analysis
