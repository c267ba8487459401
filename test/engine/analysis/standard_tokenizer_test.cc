#include "engine/analysis/standard_tokenizer.h"

#include <catch2/catch.hpp>
#include <set>

#include "test/engine/analysis/token_support.h"

namespace curlew::analysis {
namespace {

using Strings = std::vector<std::string>;

// "start,end,type ..." with offsets in UTF-16 code units.
std::string Describe(TokenStream& stream, const std::string& text) {
  const std::vector<uint32_t> offsets = Utf16Offsets(text);
  std::string out;
  for (const OwnedToken& token : Collect(stream, text)) {
    if (!out.empty()) out += ' ';
    out += std::to_string(offsets[token.start]) + ',' + std::to_string(offsets[token.end]) + ',' +
           token.type;
  }
  return out;
}

}  // namespace

// Random sequences of characters of all classes, some longer than the longest token, with the
// tokens that StandardTokenizer of Lucene 10.3.2 makes of them.
TEST_CASE("standard tokenizer cuts as Lucene does") {
  StandardTokenizer tokenizer;
  int count = 0;
  for (const std::string& line : ReadLines("conformance/lucene-standard-tokens.tsv")) {
    const size_t tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    INFO(line);
    CHECK(Describe(tokenizer, FromHex(line.substr(0, tab))) == line.substr(tab + 1));
    ++count;
  }
  CHECK(count == 1830);
}

// Each token must be a segment of the default word segmentation. Lucene knows no rule WB3c that
// would join a pictograph after a word and a ZWJ.
TEST_CASE("standard tokenizer against the Unicode word break test") {
  StandardTokenizer tokenizer;
  int cases = 0;
  Strings differing;
  for (std::string line : ReadLines("conformance/WordBreakTest.txt")) {
    line = line.substr(0, line.find('#'));
    if (line.empty()) continue;
    ++cases;
    std::string text;
    std::set<size_t> breaks;
    std::istringstream in(line);
    for (std::string word; in >> word;) {
      if (word == "\u00F7") {
        breaks.insert(text.size());
      } else if (word != "\u00D7") {
        text += FromHex(word);
      }
    }
    bool agrees = true;
    for (const OwnedToken& token : Collect(tokenizer, text)) {
      agrees &= breaks.count(token.start) == 1 && breaks.count(token.end) == 1 &&
                std::distance(breaks.find(token.start), breaks.find(token.end)) == 1;
    }
    if (!agrees) differing.push_back(ToHex(text));
  }
  CHECK(cases == 1823);
  CHECK(differing == Strings{"61 200D 1F6D1 ", "61 200D 2701 "});
}

TEST_CASE("standard tokenizer on everyday text") {
  StandardTokenizer tokenizer;
  CHECK(Terms(tokenizer, "") == Strings{});
  CHECK(Terms(tokenizer, " \t-- !") == Strings{});
  CHECK(Terms(tokenizer, "The fox's 2 jumps, over_the lazy-DOG!") ==
        Strings{"The", "fox's", "2", "jumps", "over_the", "lazy", "DOG"});
  CHECK(Terms(tokenizer, "foo:bar a.b 1.5 1,000 x,y 3:4 v1.5 'q' o'") ==
        Strings{"foo:bar", "a.b", "1.5", "1,000", "x", "y", "3", "4", "v1.5", "q", "o"});
  CHECK(Terms(tokenizer, "_ __a_ _1_b c_:d") == Strings{"__a_", "_1_b", "c_", "d"});
  CHECK(Terms(tokenizer, "caf\u00E9 na\u00EFve") == Strings{"caf\u00E9", "na\u00EFve"});
  CHECK(Describe(tokenizer, "a1 12 \u4E2D\u6587 \u3042 \u30AB\u30BF \uD55C\uAD6D \u0E01\u0E32") ==
        "0,2,<ALPHANUM> 3,5,<NUM> 6,7,<IDEOGRAPHIC> 7,8,<IDEOGRAPHIC> 9,10,<HIRAGANA> "
        "11,13,<KATAKANA> 14,16,<HANGUL> 17,19,<SOUTHEAST_ASIAN>");
  CHECK(Describe(tokenizer, "1\uFE0F\u20E3 #\u20E3 # \U0001F1E9\U0001F1EA \u2764\uFE0F") ==
        "0,3,<EMOJI> 4,6,<EMOJI> 9,13,<EMOJI> 14,16,<EMOJI>");
}

TEST_CASE("standard tokenizer splits long tokens by UTF-16 length") {
  StandardTokenizer tokenizer;
  const auto lengths = [&](const std::string& text) {
    std::vector<size_t> sizes;
    for (const std::string& term : Terms(tokenizer, text)) {
      sizes.push_back(Utf16Offsets(term).back());
    }
    return sizes;
  };
  using Sizes = std::vector<size_t>;
  CHECK(lengths(Repeat("a", 255)) == Sizes{255});
  CHECK(lengths(Repeat("a", 256)) == Sizes{255, 1});
  CHECK(lengths(Repeat("a", 600)) == Sizes{255, 255, 90});
  CHECK(lengths(Repeat("\u00E9", 255)) == Sizes{255});
  CHECK(lengths(Repeat("\u00E9", 256)) == Sizes{255, 1});
  // A pair of surrogates is never cut.
  CHECK(lengths(Repeat("\U00010400", 128)) == Sizes{254, 2});
  CHECK(lengths(Repeat("a", 253) + "\U00010400" + "b") == Sizes{255, 1});
  CHECK(lengths(Repeat("a", 254) + "\U00010400" + "b") == Sizes{254, 3});
  // The text seems to end at the limit: a mid-letter there joins nothing.
  CHECK(lengths(Repeat("a", 253) + ":b") == Sizes{255});
  CHECK(lengths(Repeat("a", 254) + ":b") == Sizes{254, 1});
  // Connectors without a letter in reach are no token.
  CHECK(Describe(tokenizer, Repeat("_", 300) + "a") == "46,301,<ALPHANUM>");
  CHECK(Describe(tokenizer, Repeat("_", 300)).empty());
  CHECK(Describe(tokenizer, Repeat("\u200D", 300) + "\u2764") == "46,301,<EMOJI>");
  // Not words, but emoji that connectors keep apart.
  CHECK(Describe(tokenizer, "__\U0001F3FB_") == "2,4,<EMOJI>");

  StandardTokenizer shorter(3);
  CHECK(Terms(shorter, "abcdefg h") == Strings{"abc", "def", "g", "h"});
}

TEST_CASE("standard tokenizer gives views into the text and can be used again") {
  StandardTokenizer tokenizer;
  const std::string text = "one \u00FCber";
  tokenizer.Reset(text);
  Token token;
  REQUIRE(tokenizer.Next(token));
  CHECK(token.term.data() == text.data());
  REQUIRE(tokenizer.Next(token));
  CHECK(token.term.data() == text.data() + 4);
  CHECK(token.end_offset == text.size());
  CHECK_FALSE(tokenizer.Next(token));
  CHECK_FALSE(tokenizer.Next(token));
  CHECK(Terms(tokenizer, "two") == Strings{"two"});
}

}  // namespace curlew::analysis
