#include "engine/analysis/word_class.h"

#include <catch2/catch.hpp>

namespace curlew::analysis {

TEST_CASE("the table of word classes holds what ICU says of every code point") {
  const WordClassTable& table = WordClassTable::Get();
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (table.Of(c) == ClassifyForWords(c)) continue;
    FAIL("U+" << std::hex << static_cast<uint32_t>(c));
  }
}

TEST_CASE("word classes of well-known characters") {
  const WordClassTable& table = WordClassTable::Get();
  CHECK(table.Of('a') == WordClass::kLetter);
  CHECK(table.Of('7') == WordClass::kAsciiDigit);
  CHECK(table.Of('_') == WordClass::kExtendNumLet);
  CHECK(table.Of(':') == WordClass::kMidLetter);
  CHECK(table.Of(' ') == WordClass::kOther);
  CHECK(table.Of(0x0301) == WordClass::kExtend);
  CHECK(table.Of(0x05D0) == WordClass::kHebrew);
  CHECK(table.Of(0x0E01) == WordClass::kSoutheastAsian);
  CHECK(table.Of(0x0E31) == WordClass::kSoutheastAsianMark);
  CHECK(table.Of(0x2139) == WordClass::kEmojiLetter);
  CHECK(table.Of(0x3042) == WordClass::kHiragana);
  CHECK(table.Of(0x30AB) == WordClass::kKatakana);
  CHECK(table.Of(0x4E00) == WordClass::kHan);
  CHECK(table.Of(0xAC00) == WordClass::kHangul);
  CHECK(table.Of(0xFF11) == WordClass::kNumeric);
  CHECK(table.Of(0x1F468) == WordClass::kEmoji);
  CHECK(table.Of(0x1F1E9) == WordClass::kRegionalIndicator);
  CHECK(table.Of(0x1F3FB) == WordClass::kEmojiModifier);
  // Letters since Unicode 13 or later, breaks in the version that Lucene follows.
  CHECK(table.Of(0x02E5) == WordClass::kOther);
  CHECK(table.Of(0x058A) == WordClass::kOther);
}

}  // namespace curlew::analysis
