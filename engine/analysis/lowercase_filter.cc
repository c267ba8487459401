#include "engine/analysis/lowercase_filter.h"

#include <unicode/uchar.h>

#include <cstring>
#include <functional>

#include "engine/analysis/utf8.h"

namespace curlew::analysis {
namespace {

constexpr uint64_t kEveryByte = 0x0101010101010101;
constexpr uint64_t kHighBits = 0x80 * kEveryByte;

template <typename T>
T Load(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof(value));
  return value;
}

template <typename T>
void Store(char* p, T value) {
  std::memcpy(p, &value, sizeof(value));
}

// The high bit of every byte that is an ASCII capital, for eight ASCII bytes.
uint64_t Capitals(uint64_t bytes) {
  const uint64_t from_a = bytes + (0x80 - 'A') * kEveryByte;
  const uint64_t beyond_z = bytes + (0x80 - 'Z' - 1) * kEveryByte;
  return from_a & ~beyond_z & kHighBits;
}

uint64_t Lower(uint64_t bytes) { return bytes | Capitals(bytes) >> 2; }

std::string_view LowercaseAny(std::string_view term, std::string& scratch) {
  scratch.clear();
  const char* const end = term.data() + term.size();
  for (const char* p = term.data(); p < end;) {
    const CodePoint c = Decode(p);
    AppendUtf8(static_cast<char32_t>(u_tolower(static_cast<UChar32>(c.value))), scratch);
    p += c.bytes;
  }
  return scratch;
}

// One to seven bytes, as one word.
std::string_view LowercaseShort(std::string_view term, std::string& scratch) {
  const char* const p = term.data();
  const size_t size = term.size();
  uint64_t bytes;
  if (size >= 4) {
    bytes = Load<uint32_t>(p) | static_cast<uint64_t>(Load<uint32_t>(p + size - 4)) << 32;
  } else {
    const auto at = [p](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(p[i])); };
    bytes = at(0) | at(size / 2) << 8 | at(size - 1) << 16;
  }
  if ((bytes & kHighBits) != 0) return LowercaseAny(term, scratch);
  if (Capitals(bytes) == 0) return term;
  bytes = Lower(bytes);
  scratch.resize(size);
  if (size >= 4) {
    Store(scratch.data(), static_cast<uint32_t>(bytes));
    Store(scratch.data() + size - 4, static_cast<uint32_t>(bytes >> 32));
  } else {
    scratch[0] = static_cast<char>(bytes);
    scratch[size / 2] = static_cast<char>(bytes >> 8);
    scratch[size - 1] = static_cast<char>(bytes >> 16);
  }
  return scratch;
}

// Whether `text` holds `size` bytes from `p` on, which may point anywhere.
bool HasAt(std::string_view text, const char* p, size_t size) {
  const std::less_equal<const char*> not_after;
  return text.size() >= size && not_after(text.data(), p) &&
         not_after(p, text.data() + text.size() - size);
}

// Lower-cases the first `size` of the sixteen bytes at `p` if they are ASCII; `out` gets sixteen.
bool LowercaseBlock(const char* p, size_t size, char* out) {
  const auto first = Load<uint64_t>(p);
  const auto second = Load<uint64_t>(p + 8);
  const uint64_t in_first = size >= 8 ? ~0ULL : (1ULL << (8 * size)) - 1;
  const uint64_t in_second = size == 16 ? ~0ULL : size <= 8 ? 0 : (1ULL << (8 * (size - 8))) - 1;
  if ((((first & in_first) | (second & in_second)) & kHighBits) != 0) return false;
  // Bytes beyond the term are cut off, as a carry from one that is not ASCII would spill over.
  Store(out, Lower(first & in_first));
  Store(out + 8, Lower(second & in_second));
  return true;
}

}  // namespace

std::string_view ToLowercase(std::string_view term, std::string& scratch) {
  const size_t size = term.size();
  if (size == 0) return term;
  if (size < 8) return LowercaseShort(term, scratch);
  // Eight bytes at a time; the last eight may overlap those before.
  uint64_t high = 0;
  uint64_t capitals = 0;
  const auto for_each_block = [size](const auto& visit) {
    for (size_t i = 0; i + 8 < size; i += 8) visit(i);
    visit(size - 8);
  };
  for_each_block([&](size_t i) {
    const auto bytes = Load<uint64_t>(term.data() + i);
    high |= bytes & kHighBits;
    capitals |= Capitals(bytes);
  });
  if (high != 0) return LowercaseAny(term, scratch);
  if (capitals == 0) return term;
  scratch.resize(size);
  for_each_block(
      [&](size_t i) { Store(scratch.data() + i, Lower(Load<uint64_t>(term.data() + i))); });
  return scratch;
}

void LowercaseFilter::Reset(std::string_view text) {
  text_ = text;
  TokenFilter::Reset(text);
}

bool LowercaseFilter::Next(Token& token) {
  if (!input().Next(token)) return false;
  // Most terms are short pieces of the text with more text after them: those need no branch on
  // their length.
  const size_t size = token.term.size();
  if (size <= short_term_.size() && HasAt(text_, token.term.data(), short_term_.size()) &&
      LowercaseBlock(token.term.data(), size, short_term_.data())) {
    token.term = std::string_view(short_term_.data(), size);
    return true;
  }
  token.term = ToLowercase(token.term, scratch_);
  return true;
}

}  // namespace curlew::analysis
