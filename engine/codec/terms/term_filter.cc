#include "engine/codec/terms/term_filter.h"

// The hash is part of the format: XXH3 is fixed since its version 0.8.0.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace curlew::codec {
namespace {

constexpr uint64_t kBitsPerTerm = 12;
constexpr int kBitsSet = 4;  // per term; near the best for 12 bits in words of 64

uint64_t Hash(std::string_view term) { return XXH3_64bits(term.data(), term.size()); }

// The upper bits choose the word, the lower 24 the bits in it.
uint64_t WordOf(uint64_t hash, uint64_t words) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(hash) * words) >> 64);
}
uint64_t BitsOf(uint64_t hash) {
  uint64_t bits = 0;
  for (int i = 0; i < kBitsSet; ++i) bits |= uint64_t{1} << (hash >> (6 * i) & 63);
  return bits;
}

}  // namespace

bool TermFilter::MayHave(std::string_view term) const {
  if (words_.empty()) return true;
  const uint64_t hash = Hash(term);
  const uint64_t bits = BitsOf(hash);
  return (words_[WordOf(hash, words_.size())] & bits) == bits;
}

void TermFilterBuilder::Start(uint64_t terms) {
  words_.assign((terms * kBitsPerTerm + 63) / 64, 0);
}

void TermFilterBuilder::Add(std::string_view term) {
  if (words_.empty()) return;
  const uint64_t hash = Hash(term);
  words_[WordOf(hash, words_.size())] |= BitsOf(hash);
}

}  // namespace curlew::codec
