#include "engine/analysis/word_machine.h"

#include <array>
#include <initializer_list>

#include "engine/analysis/utf8.h"

namespace curlew::analysis {
namespace {

using C = WordClass;

enum State : uint8_t {
  kStop,
  kStart,
  // Words. "Fresh" Hebrew letters may be followed by a quote of their own (WB7a to WB7c); those
  // that a mid-letter joined to the letter before may not.
  kConnectors,        // only ExtendNumLet so far
  kLetters,           // after a letter
  kFreshHebrew,       // after a Hebrew letter
  kHebrewQuote,       // Hebrew letter, single quote
  kHebrewDouble,      // Hebrew letter, double quote
  kHebrewAfterQuote,  // Hebrew letter, double quote, Hebrew letter
  kNumber,            // after a digit
  kKana,              // after Katakana
  kConnected,         // ExtendNumLet after any of them
  kMidLetters,        // a mid-letter after a letter
  kMidNumber,         // a mid-number after a digit
  kAsian,             // Complex_Context
  kHanOne,
  kHiraganaOne,
  // Emoji.
  kJoiners,         // leading ZWJs
  kPictograph,      // a pictograph and its marks
  kPictographZwj,   // the same, a ZWJ last
  kSelected,        // pictograph and emoji selector
  kJoining,         // the ZWJ after them
  kJoiningMore,     // further ZWJs
  kTagging,         // tags after them
  kTagged,          // and the end of tags
  kModifier,        // a skin tone without base, and its marks
  kModifierZwj,     // the same, a ZWJ last
  kKeycapStart,     // digit, # or *
  kKeycapMarked,    // and a keycap among its marks
  kKeycapSelector,  // and an emoji selector
  kKeycapDone,      // and the keycap
  kHalfFlag,
  kFlag,
  kStates,
};

using Row = std::array<uint8_t, kWordClasses>;
using Table = std::array<Row, kStates>;

constexpr void Set(Table& t, State from, std::initializer_list<C> on, State to) {
  for (C c : on) t[from][static_cast<int>(c)] = to;
}

constexpr std::initializer_list<C> kMarks = {C::kExtend,        C::kSoutheastAsianMark,
                                             C::kZwj,           C::kTextSelector,
                                             C::kEmojiSelector, C::kKeycap,
                                             C::kTag,           C::kTagEnd,
                                             C::kEmojiModifier};
// What may follow a pictograph without ending it.
constexpr std::initializer_list<C> kMarksSansSelectors = {
    C::kExtend, C::kSoutheastAsianMark, C::kZwj, C::kKeycap, C::kTag,
    C::kTagEnd, C::kEmojiModifier};

// Letters and digits that may stand directly after each other.
constexpr void ContinueWithAlphanumeric(Table& t, State from) {
  Set(t, from, {C::kLetter, C::kHangul, C::kEmojiLetter}, kLetters);
  Set(t, from, {C::kHebrew}, kFreshHebrew);
  Set(t, from, {C::kAsciiDigit, C::kNumeric}, kNumber);
}

constexpr Table BuildWordTable() {
  Table t{};
  for (State s :
       {kConnectors, kLetters, kFreshHebrew, kHebrewQuote, kHebrewDouble, kHebrewAfterQuote,
        kNumber, kKana, kConnected, kMidLetters, kMidNumber, kAsian, kHanOne, kHiraganaOne}) {
    Set(t, s, kMarks, s);
  }
  for (State s : {kStart, kConnectors, kLetters, kFreshHebrew, kHebrewQuote, kHebrewAfterQuote,
                  kNumber, kConnected}) {
    ContinueWithAlphanumeric(t, s);
  }
  for (State s :
       {kLetters, kFreshHebrew, kHebrewQuote, kHebrewAfterQuote, kNumber, kKana, kConnected}) {
    Set(t, s, {C::kExtendNumLet}, kConnected);
  }
  for (State s : {kStart, kConnectors, kKana, kConnected}) Set(t, s, {C::kKatakana}, kKana);
  for (State s : {kStart, kConnectors}) Set(t, s, {C::kExtendNumLet}, kConnectors);
  for (State s : {kLetters, kFreshHebrew}) {
    Set(t, s, {C::kMidLetter, C::kMidNumLet, C::kSingleQuote}, kMidLetters);
  }
  Set(t, kFreshHebrew, {C::kSingleQuote}, kHebrewQuote);
  Set(t, kFreshHebrew, {C::kDoubleQuote}, kHebrewDouble);
  Set(t, kHebrewDouble, {C::kHebrew}, kHebrewAfterQuote);
  Set(t, kMidLetters, {C::kLetter, C::kHangul, C::kEmojiLetter, C::kHebrew}, kLetters);
  Set(t, kNumber, {C::kMidNum, C::kMidNumLet, C::kSingleQuote}, kMidNumber);
  Set(t, kMidNumber, {C::kAsciiDigit, C::kNumeric}, kNumber);
  for (State s : {kStart, kAsian}) {
    Set(t, s, {C::kSoutheastAsian, C::kSoutheastAsianMark}, kAsian);
  }
  Set(t, kStart, {C::kHan}, kHanOne);
  Set(t, kStart, {C::kHiragana}, kHiraganaOne);
  return t;
}

constexpr Table BuildEmojiTable() {
  Table t{};
  const auto pictographs = {C::kEmoji, C::kEmojiLetter};
  for (State s : {kPictograph, kPictographZwj}) {
    Set(t, s, kMarksSansSelectors, kPictograph);
    Set(t, s, {C::kZwj}, kPictographZwj);
    Set(t, s, {C::kEmojiSelector}, kSelected);
  }
  for (State s : {kModifier, kModifierZwj}) {
    Set(t, s, kMarksSansSelectors, kModifier);
    Set(t, s, {C::kZwj}, kModifierZwj);
  }
  for (State s : {kStart, kJoiners, kPictographZwj, kModifierZwj, kJoining, kJoiningMore}) {
    Set(t, s, pictographs, kPictograph);
  }
  for (State s : {kStart, kJoiners}) Set(t, s, {C::kZwj}, kJoiners);
  for (State s : {kStart, kJoining}) Set(t, s, {C::kEmojiModifier}, kModifier);
  Set(t, kSelected, {C::kZwj}, kJoining);
  for (State s : {kJoining, kJoiningMore}) Set(t, s, {C::kZwj}, kJoiningMore);
  for (State s : {kSelected, kTagging}) Set(t, s, {C::kTag}, kTagging);
  Set(t, kTagging, {C::kTagEnd}, kTagged);

  Set(t, kStart, {C::kAsciiDigit, C::kKeycapBase}, kKeycapStart);
  Set(t, kKeycapStart, kMarksSansSelectors, kKeycapStart);
  Set(t, kKeycapStart, {C::kKeycap}, kKeycapMarked);
  Set(t, kKeycapMarked, kMarksSansSelectors, kKeycapMarked);
  for (State s : {kKeycapStart, kKeycapMarked}) Set(t, s, {C::kEmojiSelector}, kKeycapSelector);
  Set(t, kKeycapSelector, {C::kKeycap}, kKeycapDone);
  Set(t, kKeycapDone, kMarksSansSelectors, kKeycapDone);

  Set(t, kStart, {C::kRegionalIndicator}, kHalfFlag);
  Set(t, kHalfFlag, kMarks, kHalfFlag);
  Set(t, kHalfFlag, {C::kRegionalIndicator}, kFlag);
  Set(t, kFlag, kMarks, kFlag);
  return t;
}

constexpr std::array<bool, kStates> BuildAccepting() {
  std::array<bool, kStates> accepting{};
  for (State s : {kLetters, kFreshHebrew, kHebrewQuote, kHebrewAfterQuote, kNumber, kKana,
                  kConnected, kAsian, kHanOne, kHiraganaOne, kPictograph, kPictographZwj, kSelected,
                  kTagged, kModifier, kModifierZwj, kKeycapMarked, kKeycapDone, kFlag}) {
    accepting[s] = true;
  }
  return accepting;
}

constexpr Table kWordTable = BuildWordTable();
constexpr Table kEmojiTable = BuildEmojiTable();
constexpr std::array<bool, kStates> kAccepting = BuildAccepting();

// What a word was made of, as bits: decides its type.
enum Ingredient : uint8_t {
  kHasLetter = 1,
  kHasHangul = 2,
  kHasDigit = 4,
  kHasKana = 8,
  kHasMid = 16
};

constexpr std::array<uint8_t, kWordClasses> BuildIngredients() {
  std::array<uint8_t, kWordClasses> bits{};
  for (C c : {C::kLetter, C::kEmojiLetter, C::kHebrew}) bits[static_cast<int>(c)] = kHasLetter;
  bits[static_cast<int>(C::kHangul)] = kHasHangul;
  for (C c : {C::kAsciiDigit, C::kNumeric}) bits[static_cast<int>(c)] = kHasDigit;
  bits[static_cast<int>(C::kKatakana)] = kHasKana;
  for (C c : {C::kExtendNumLet, C::kMidLetter, C::kMidNum, C::kMidNumLet, C::kSingleQuote,
              C::kDoubleQuote}) {
    bits[static_cast<int>(c)] = kHasMid;
  }
  return bits;
}
constexpr std::array<uint8_t, kWordClasses> kIngredients = BuildIngredients();

struct Run {
  const char* end = nullptr;
  uint8_t state = kStop;
  uint8_t ingredients = 0;
};

// The longest accepted prefix.
Run RunMachine(const Table& table, const WordClassTable& classes, const char* p, const char* end,
               int max_units) {
  Run best;
  uint8_t state = kStart;
  uint8_t ingredients = 0;
  while (p < end) {
    const CodePoint c = Decode(p);
    max_units -= c.utf16_units();
    if (max_units < 0) break;
    const auto cls = static_cast<int>(classes.Of(c.value));
    state = table[state][cls];
    if (state == kStop) break;
    ingredients |= kIngredients[cls];
    p += c.bytes;
    if (kAccepting[state]) best = {p, state, ingredients};
  }
  return best;
}

WordType TypeOf(const Run& run) {
  switch (run.state) {
    case kAsian:
      return WordType::kSoutheastAsian;
    case kHanOne:
      return WordType::kIdeographic;
    case kHiraganaOne:
      return WordType::kHiragana;
    default:
      break;
  }
  if (run.ingredients == kHasHangul) return WordType::kHangul;
  if (run.ingredients == kHasKana) return WordType::kKatakana;
  const bool only_digits = (run.ingredients & (kHasLetter | kHasHangul | kHasKana)) == 0;
  return only_digits ? WordType::kNumber : WordType::kAlphanumeric;
}

// Whether a token may begin in a run of joiners or connectors that `after` follows.
bool ContinuesRun(WordClass run, WordClass after) {
  if (run == C::kZwj) return kEmojiTable[kJoiners][static_cast<int>(after)] != kStop;
  return kWordTable[kConnectors][static_cast<int>(after)] != kStop;
}

// Marks other than plain ones can start tokens of their own, so they end a run.
bool InRun(WordClass run, WordClass c) {
  return c == run || (run == C::kExtendNumLet && c == C::kExtend);
}

}  // namespace

WordMatch MatchWord(const WordClassTable& classes, const char* p, const char* end, int max_units) {
  const auto cls = static_cast<int>(classes.Of(Decode(p).value));
  WordMatch match;
  if (kWordTable[kStart][cls] != kStop) {
    const Run word = RunMachine(kWordTable, classes, p, end, max_units);
    if (word.end != nullptr) match = {word.end, TypeOf(word)};
  }
  if (kEmojiTable[kStart][cls] != kStop) {
    const Run emoji = RunMachine(kEmojiTable, classes, p, end, max_units);
    if (emoji.end != nullptr && (match.end == nullptr || emoji.end >= match.end)) {
      match = {emoji.end, WordType::kEmoji};
    }
  }
  return match;
}

const char* SkipUnmatched(const WordClassTable& classes, const char* p, const char* end,
                          int max_units) {
  const CodePoint first = Decode(p);
  const WordClass run = classes.Of(first.value);
  const char* run_end = p + first.bytes;
  if (run != C::kExtendNumLet && run != C::kZwj) return run_end;
  while (run_end < end) {
    const CodePoint c = Decode(run_end);
    const WordClass cls = classes.Of(c.value);
    if (!InRun(run, cls)) {
      if (!ContinuesRun(run, cls)) return run_end;
      // The token may start as far before the run's end as its longest length lets it.
      int units = max_units - c.utf16_units();
      const char* start = run_end;
      while (start > p + first.bytes) {
        const char* previous = PreviousCodePoint(start);
        units -= Decode(previous).utf16_units();
        if (units < 0) break;
        start = previous;
      }
      return start;
    }
    run_end += c.bytes;
  }
  return run_end;
}

}  // namespace curlew::analysis
