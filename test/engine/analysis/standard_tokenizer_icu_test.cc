// ICU's word iterator as an oracle, over the characters for which it and Lucene follow the same
// rules. Left out: what ICU segments by dictionary (Han, Kana, Hangul, Southeast Asian), emoji, the
// colon (Lucene joins words at it, ICU does not), and quotes after Hebrew letters (Lucene joins
// what follows a single quote).
#include <unicode/brkiter.h>
#include <unicode/unistr.h>

#include <catch2/catch.hpp>
#include <memory>

#include "engine/analysis/standard_tokenizer.h"
#include "test/engine/analysis/token_support.h"
#include "test/support/random.h"

namespace curlew::analysis {
namespace {

// Segments that hold a letter or a digit, in UTF-16 offsets.
std::string IcuTokens(icu::BreakIterator& words, const std::string& text) {
  const icu::UnicodeString utf16 = icu::UnicodeString::fromUTF8(text);
  words.setText(utf16);
  std::string out;
  int32_t start = words.first();
  for (int32_t end = words.next(); end != icu::BreakIterator::DONE;
       start = end, end = words.next()) {
    bool is_token = false;
    for (int32_t i = start; i < end; i = utf16.moveIndex32(i, 1)) {
      is_token |= u_isalnum(utf16.char32At(i)) != 0;
    }
    if (is_token) out += std::to_string(start) + "-" + std::to_string(end) + " ";
  }
  return out;
}

std::string OurTokens(TokenStream& stream, const std::string& text) {
  const std::vector<uint32_t> offsets = Utf16Offsets(text);
  std::string out;
  for (const OwnedToken& token : Collect(stream, text)) {
    out += std::to_string(offsets[token.start]) + "-" + std::to_string(offsets[token.end]) + " ";
  }
  return out;
}

}  // namespace

TEST_CASE("standard tokenizer agrees with ICU's word iterator") {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> words(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
  REQUIRE(U_SUCCESS(error));
  const std::vector<std::string> alphabet = {
      "a",      "B",      "z",      "0",      "9",      "_",      ".",          "'",      ",",
      ";",      "\"",     " ",      "-",      "!",      "\n",     "\u00E9",     "\u0436", "\u03C3",
      "\u0660", "\u0627", "\u05D0", "\u0300", "\u00AD", "\u203F", "\u2019",     "\u00B7", "\u037E",
      "\uFF0E", "\u2060", "\u0915", "\u093F", "/",      "\u3000", "\U00010400", "\u1E9E"};
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  StandardTokenizer tokenizer;
  for (int i = 0; i < 30000; ++i) {
    std::string text;
    bool hebrew = false;
    for (int64_t n = random.Between(1, 14); n > 0; --n) {
      const std::string& piece = random.Pick(alphabet);
      if (hebrew && (piece == "'" || piece == "\"")) continue;
      hebrew |= piece == "\u05D0";
      text += piece;
    }
    const std::string ours = OurTokens(tokenizer, text);
    const std::string icus = IcuTokens(*words, text);
    if (ours != icus) FAIL(ToHex(text) << ": " << ours << "and not " << icus);
  }
}

}  // namespace curlew::analysis
