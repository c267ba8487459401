#include <catch2/catch.hpp>

#include "engine/analysis/keyword_tokenizer.h"
#include "engine/analysis/letter_tokenizer.h"
#include "engine/analysis/whitespace_tokenizer.h"
#include "test/engine/analysis/token_support.h"

namespace curlew::analysis {
namespace {

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("letter tokenizer") {
  LetterTokenizer tokenizer;
  CHECK(Terms(tokenizer, "It's 2 fox_es, caf\u00E9\u4E2D\u0301x") ==
        Strings{"It", "s", "fox", "es", "caf\u00E9\u4E2D", "x"});
  CHECK(Terms(tokenizer, " 12 ").empty());
  const auto tokens = Collect(tokenizer, "1 ab");
  REQUIRE(tokens.size() == 1);
  CHECK(tokens[0].start == 2);
  CHECK(tokens[0].end == 4);
  CHECK(tokens[0].type == "word");
}

TEST_CASE("whitespace tokenizer") {
  WhitespaceTokenizer tokenizer;
  CHECK(Terms(tokenizer, "a-b\tc\nd\u2003e\u3000f") == Strings{"a-b", "c", "d", "e", "f"});
  CHECK(Terms(tokenizer, "\u001Ca\u001Fb\u2028c\u2029d") == Strings{"a", "b", "c", "d"});
  // No-break spaces and next line belong to words.
  for (const char* kept : {"x\u00A0y", "x\u2007y", "x\u202Fy", "x\u0085y", "x\u200By"}) {
    CHECK(Terms(tokenizer, kept) == Strings{kept});
  }
}

TEST_CASE("runs of characters are cut at the limit") {
  WhitespaceTokenizer whitespace;
  CHECK(Terms(whitespace, Repeat("a", 256)) == Strings{Repeat("a", 255), "a"});
  CHECK(Terms(whitespace, Repeat("a", 255) + " b") == Strings{Repeat("a", 255), "b"});
  // The code point that reaches the limit is kept whole.
  const std::string pairs = Repeat("\U00010400", 128);
  CHECK(Terms(whitespace, pairs + "a") == Strings{pairs, "a"});
  LetterTokenizer letters(2);
  CHECK(Terms(letters, "abcde") == Strings{"ab", "cd", "e"});
}

TEST_CASE("keyword tokenizer gives the text, once") {
  KeywordTokenizer tokenizer;
  CHECK(Terms(tokenizer, "New York") == Strings{"New York"});
  CHECK(Terms(tokenizer, "") == Strings{""});
  const std::string text = Repeat("x", 1000);
  CHECK(Terms(tokenizer, text) == Strings{text});
}

}  // namespace curlew::analysis
