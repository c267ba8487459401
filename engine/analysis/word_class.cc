#include "engine/analysis/word_class.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <map>

namespace curlew::analysis {
namespace {

// Pictographs: Extended_Pictographic, and Emoji that are no part of longer ones (those EmojiPart
// names).
bool IsPictograph(UChar32 c) {
  return u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) || u_hasBinaryProperty(c, UCHAR_EMOJI);
}

// Code points that emoji sequences are made of (UTS #51); kOther for the rest.
WordClass EmojiPart(UChar32 c) {
  if (c >= '0' && c <= '9') return WordClass::kAsciiDigit;
  if (c == '#' || c == '*') return WordClass::kKeycapBase;
  if (c == 0xFE0E) return WordClass::kTextSelector;
  if (c == 0xFE0F) return WordClass::kEmojiSelector;
  if (c == 0x20E3) return WordClass::kKeycap;
  if (c >= 0xE0020 && c <= 0xE007E) return WordClass::kTag;
  if (c == 0xE007F) return WordClass::kTagEnd;
  if (c >= 0x1F3FB && c <= 0x1F3FF) return WordClass::kEmojiModifier;
  if (c >= 0x1F1E6 && c <= 0x1F1FF) return WordClass::kRegionalIndicator;
  return WordClass::kOther;
}

// Characters that Unicode made letters, mid-letters or Han after 12.1, the version of Lucene's
// grammar, though it had them before: they keep breaking words. Characters that are new since then
// have the class that ICU gives them; for Lucene they are unassigned.
bool BrokeWordsInUnicode12(UChar32 c) {
  return (c >= 0x02E5 && c <= 0x02EB) || c == 0x055A || c == 0x055F || c == 0x058A ||
         (c >= 0xA708 && c <= 0xA716) || c == 0x16FE2;
}

bool IsFullWidthDigit(UChar32 c) { return c >= 0xFF10 && c <= 0xFF19; }

UScriptCode ScriptOf(UChar32 c) {
  UErrorCode error = U_ZERO_ERROR;
  return uscript_getScript(c, &error);
}

bool IsSoutheastAsian(UChar32 c) {
  return u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
}

// Surrogates, private use and the planes without characters, by the first code point of a page:
// asking ICU about each of them would take most of the time.
bool HoldsNoWords(char32_t first) {
  return (first >= 0xD800 && first < 0xF900) || (first >= 0x34000 && first < 0xE0000) ||
         first >= 0xE1000;
}

}  // namespace

WordClass ClassifyForWords(char32_t code_point) {
  const auto c = static_cast<UChar32>(code_point);
  const WordClass part = EmojiPart(c);
  if (part != WordClass::kOther) return part;
  if (IsFullWidthDigit(c)) return WordClass::kNumeric;
  if (BrokeWordsInUnicode12(c)) return WordClass::kOther;
  switch (u_getIntPropertyValue(c, UCHAR_WORD_BREAK)) {
    case U_WB_ALETTER:
      switch (ScriptOf(c)) {
        case USCRIPT_HANGUL:
          return WordClass::kHangul;
        case USCRIPT_COMMON:
          return IsPictograph(c) ? WordClass::kEmojiLetter : WordClass::kLetter;
        default:
          return WordClass::kLetter;
      }
    case U_WB_HEBREW_LETTER:
      return WordClass::kHebrew;
    case U_WB_NUMERIC:
      return WordClass::kNumeric;
    case U_WB_KATAKANA:
      return WordClass::kKatakana;
    case U_WB_EXTENDNUMLET:
      return WordClass::kExtendNumLet;
    case U_WB_MIDLETTER:
      return WordClass::kMidLetter;
    case U_WB_MIDNUM:
      return WordClass::kMidNum;
    case U_WB_MIDNUMLET:
      return WordClass::kMidNumLet;
    case U_WB_SINGLE_QUOTE:
      return WordClass::kSingleQuote;
    case U_WB_DOUBLE_QUOTE:
      return WordClass::kDoubleQuote;
    case U_WB_ZWJ:
      return WordClass::kZwj;
    case U_WB_EXTEND:
    case U_WB_FORMAT:
      return IsSoutheastAsian(c) ? WordClass::kSoutheastAsianMark : WordClass::kExtend;
    default:
      break;
  }
  switch (ScriptOf(c)) {
    case USCRIPT_HAN:
      return WordClass::kHan;
    case USCRIPT_HIRAGANA:
      return WordClass::kHiragana;
    default:
      break;
  }
  if (IsSoutheastAsian(c)) return WordClass::kSoutheastAsian;
  return IsPictograph(c) ? WordClass::kEmoji : WordClass::kOther;
}

const WordClassTable& WordClassTable::Get() {
  static const auto* const table = new WordClassTable;
  return *table;
}

WordClassTable::WordClassTable() {
  std::map<Page, uint16_t> known;
  Page page;
  page.fill(WordClass::kOther);
  known.emplace(page, 0);
  pages_.push_back(page);
  for (size_t i = 0; i < page_of_.size(); ++i) {
    const auto first = static_cast<char32_t>(i << kPageBits);
    if (HoldsNoWords(first)) continue;
    for (size_t j = 0; j < page.size(); ++j) {
      page[j] = ClassifyForWords(first + static_cast<char32_t>(j));
    }
    const auto [it, added] = known.emplace(page, static_cast<uint16_t>(pages_.size()));
    if (added) pages_.push_back(page);
    page_of_[i] = it->second;
  }
}

}  // namespace curlew::analysis
