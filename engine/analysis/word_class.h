// What each code point means to the standard tokenizer: the Word_Break property of UAX #29, refined
// by what decides a token's type (scripts, line breaking class, emoji properties).
#ifndef CURLEW_ENGINE_ANALYSIS_WORD_CLASS_H_
#define CURLEW_ENGINE_ANALYSIS_WORD_CLASS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace curlew::analysis {

enum class WordClass : uint8_t {
  kOther,
  kLetter,             // ALetter
  kHangul,             // ALetter of the Hangul script
  kEmojiLetter,        // ALetter that is an emoji on its own, such as U+2139
  kHebrew,             // Hebrew_Letter
  kAsciiDigit,         // Numeric, and the base of a keycap emoji
  kNumeric,            // every other Numeric, and full-width digits
  kKatakana,           // Katakana
  kExtendNumLet,       // ExtendNumLet, such as the underscore
  kMidLetter,          // MidLetter, such as the colon
  kMidNum,             // MidNum
  kMidNumLet,          // MidNumLet
  kSingleQuote,        // Single_Quote
  kDoubleQuote,        // Double_Quote
  kHan,                // Han script
  kHiragana,           // Hiragana script
  kSoutheastAsian,     // Line_Break Complex_Context: Thai, Lao, Khmer, Myanmar ...
  kEmoji,              // pictographs
  kRegionalIndicator,  // half a flag
  kKeycapBase,         // # and *
  // From here on: Extend, Format and ZWJ, which join the character before them (rule WB4).
  kExtend,
  kSoutheastAsianMark,  // also Complex_Context
  kZwj,
  kTextSelector,   // U+FE0E
  kEmojiSelector,  // U+FE0F
  kKeycap,         // U+20E3
  kTag,            // U+E0020 to U+E007E
  kTagEnd,         // U+E007F
  kEmojiModifier,  // skin tones
};
inline constexpr int kWordClasses = static_cast<int>(WordClass::kEmojiModifier) + 1;

inline constexpr bool JoinsPrevious(WordClass c) { return c >= WordClass::kExtend; }

// A two-stage table over all code points, filled once from ICU (some milliseconds). Immutable,
// thread-safe, never destroyed.
class WordClassTable {
 public:
  static const WordClassTable& Get();

  WordClass Of(char32_t c) const { return pages_[page_of_[c >> kPageBits]][c & kPageMask]; }

 private:
  static constexpr int kPageBits = 8;
  static constexpr char32_t kPageMask = (1 << kPageBits) - 1;
  static constexpr size_t kPages = 0x110000 >> kPageBits;
  using Page = std::array<WordClass, 1 << kPageBits>;

  WordClassTable();

  std::array<uint16_t, kPages> page_of_{};
  std::vector<Page> pages_;
};

// The same, one code point, straight from ICU: slow.
WordClass ClassifyForWords(char32_t c);

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_WORD_CLASS_H_
