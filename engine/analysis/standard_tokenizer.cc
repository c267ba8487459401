#include "engine/analysis/standard_tokenizer.h"

#include <array>

namespace curlew::analysis {
namespace {

// What a byte means to the ASCII path.
enum Byte : uint8_t {
  kBreak = 0,     // no part of any token
  kLetter = 1,    //
  kDigit = 2,     //
  kJoin = 4,      // _ : . ' , ; part of a token between the right neighbours
  kNotAscii = 8,  //
  kKeycap = 16,   // # and *, parts of keycap emoji when a mark follows
};

constexpr std::array<uint8_t, 256> BuildBytes() {
  std::array<uint8_t, 256> bytes{};
  for (int c = 'a'; c <= 'z'; ++c) bytes[c] = bytes[c - 'a' + 'A'] = kLetter;
  for (int c = '0'; c <= '9'; ++c) bytes[c] = kDigit;
  for (int c : {'_', ':', '.', '\'', ',', ';'}) bytes[c] = kJoin;
  for (int c : {'#', '*'}) bytes[c] = kKeycap;
  for (int c = 0x80; c < 0x100; ++c) bytes[c] = kNotAscii;
  return bytes;
}
constexpr std::array<uint8_t, 256> kBytes = BuildBytes();

uint8_t ByteAt(const char* p) { return kBytes[static_cast<unsigned char>(*p)]; }

// Whether `c` joins the letters (or digits) on both its sides: MidLetter, MidNum and MidNumLet.
bool JoinsLetters(char c) { return c == ':' || c == '.' || c == '\''; }
bool JoinsDigits(char c) { return c == ',' || c == ';' || c == '.' || c == '\''; }

// The end of the token that starts at `p`, a letter or a digit, and all the kinds of bytes in it;
// kNotAscii among them when more than ASCII decides.
const char* MatchAscii(const char* p, const char* end, uint8_t& kinds) {
  kinds = 0;
  for (;;) {
    uint8_t kind = kBreak;
    while (p < end && ((kind = ByteAt(p)) & (kLetter | kDigit)) != 0) {
      kinds |= kind;
      ++p;
    }
    if (p == end || kind == kBreak || kind == kKeycap) return p;
    if (kind == kNotAscii) break;
    if (*p == '_') {
      kinds |= kJoin;
      do {
        ++p;
      } while (p < end && *p == '_');
      // After an underscore anything alphanumeric goes on.
      continue;
    }
    if (p + 1 == end) return p;
    const uint8_t before = ByteAt(p - 1);
    const uint8_t after = ByteAt(p + 1);
    if (after == kNotAscii) break;
    const bool joins = (before == kLetter && after == kLetter && JoinsLetters(*p)) ||
                       (before == kDigit && after == kDigit && JoinsDigits(*p));
    if (!joins) return p;
    kinds |= kJoin;
    ++p;
  }
  kinds |= kNotAscii;
  return p;
}

}  // namespace

StandardTokenizer::StandardTokenizer(int max_token_length)
    : classes_(WordClassTable::Get()), max_token_length_(max_token_length) {}

void StandardTokenizer::Reset(std::string_view text) {
  text_ = next_ = text.data();
  end_ = text_ + text.size();
}

bool StandardTokenizer::Next(Token& token) {
  const char* p = next_;
  while (p < end_) {
    const uint8_t kind = ByteAt(p);
    if (kind == kBreak) {
      ++p;
      continue;
    }
    if ((kind & (kLetter | kDigit)) == 0) break;
    uint8_t kinds;
    const char* token_end = MatchAscii(p, end_, kinds);
    if ((kinds & kNotAscii) != 0 || token_end - p > max_token_length_) break;
    Emit(p, token_end, (kinds & kLetter) != 0 ? WordType::kAlphanumeric : WordType::kNumber, token);
    return true;
  }
  next_ = p;
  return NextOfAny(token);
}

bool StandardTokenizer::NextOfAny(Token& token) {
  while (next_ < end_) {
    const WordMatch match = MatchWord(classes_, next_, end_, max_token_length_);
    if (match.end != nullptr) {
      Emit(next_, match.end, match.type, token);
      return true;
    }
    next_ = SkipUnmatched(classes_, next_, end_, max_token_length_);
  }
  return false;
}

void StandardTokenizer::Emit(const char* begin, const char* end, WordType type, Token& token) {
  token.term = std::string_view(begin, static_cast<size_t>(end - begin));
  token.start_offset = static_cast<uint32_t>(begin - text_);
  token.end_offset = static_cast<uint32_t>(end - text_);
  token.position_increment = 1;
  token.position_length = 1;
  token.type = WordTypeName(type);
  next_ = end;
}

}  // namespace curlew::analysis
