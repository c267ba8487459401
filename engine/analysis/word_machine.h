// Finds the token at a place of a text, as the standard tokenizer cuts it: the state machines.
//
// Words follow the Word_Break rules of UAX #29 with the refinements of Lucene's StandardTokenizer
// (as of its Unicode 12.1 grammar): the longest match wins, and of two equally long ones the first
// of emoji, number, Hangul, Katakana, word. Emoji sequences follow UTS #51. Both are automata over
// WordClass; the properties are those of ICU's Unicode version.
#ifndef CURLEW_ENGINE_ANALYSIS_WORD_MACHINE_H_
#define CURLEW_ENGINE_ANALYSIS_WORD_MACHINE_H_

#include <cstdint>
#include <string_view>

#include "engine/analysis/word_class.h"

namespace curlew::analysis {

enum class WordType : uint8_t {
  kNone,
  kAlphanumeric,
  kNumber,
  kSoutheastAsian,
  kIdeographic,
  kHiragana,
  kKatakana,
  kHangul,
  kEmoji,
};

// "<ALPHANUM>" and so on; static storage.
inline std::string_view WordTypeName(WordType type) {
  static constexpr std::string_view kNames[] = {
      "",           "<ALPHANUM>", "<NUM>",  "<SOUTHEAST_ASIAN>", "<IDEOGRAPHIC>", "<HIRAGANA>",
      "<KATAKANA>", "<HANGUL>",   "<EMOJI>"};
  return kNames[static_cast<int>(type)];
}

struct WordMatch {
  const char* end = nullptr;  // one past the last byte; null when no token starts here
  WordType type = WordType::kNone;
};

// The token that starts with the code point at `p`, of at most `max_units` UTF-16 code units: a
// longer one is cut as if the text ended there. Requires p < end.
WordMatch MatchWord(const WordClassTable& classes, const char* p, const char* end, int max_units);

// Where to look next after MatchWord found nothing at `p`: past the code point, or past all of a
// run of joiners or connectors in which nothing can start either (so that a text of nothing else
// takes linear time).
const char* SkipUnmatched(const WordClassTable& classes, const char* p, const char* end,
                          int max_units);

}  // namespace curlew::analysis

#endif  // CURLEW_ENGINE_ANALYSIS_WORD_MACHINE_H_
