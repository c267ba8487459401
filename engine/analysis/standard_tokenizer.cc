#include "engine/analysis/standard_tokenizer.h"

#include <array>

#include "engine/analysis/ascii_run.h"

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

// The end of the token that starts at `p`, a letter or a digit; null when more than ASCII decides.
const char* MatchAscii(const char* p, const char* end, bool& has_letter) {
  for (;;) {
    p = SkipAsciiAlphanumerics(p, end, has_letter);
    if (p == end) return p;
    const uint8_t kind = ByteAt(p);
    if (kind == kBreak || kind == kKeycap) return p;
    if (kind == kNotAscii) return nullptr;
    if (*p == '_') {
      // After an underscore anything alphanumeric goes on.
      do {
        ++p;
      } while (p < end && *p == '_');
      continue;
    }
    if (p + 1 == end) return p;
    const uint8_t before = ByteAt(p - 1);
    const uint8_t after = ByteAt(p + 1);
    if (after == kNotAscii) return nullptr;
    const bool joins = (before == kLetter && after == kLetter && JoinsLetters(*p)) ||
                       (before == kDigit && after == kDigit && JoinsDigits(*p));
    if (!joins) return p;
    ++p;
  }
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
    bool has_letter = false;
    const char* token_end = MatchAscii(p, end_, has_letter);
    if (token_end == nullptr || token_end - p > max_token_length_) break;
    Emit(p, token_end, has_letter ? WordType::kAlphanumeric : WordType::kNumber, token);
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
