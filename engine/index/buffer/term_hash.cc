#include "engine/index/buffer/term_hash.h"

#include <cstring>
#include <random>

namespace curlew::index {

namespace {

// Terms come from outside: a seed of the process's own keeps anybody from choosing colliding ones.
uint64_t ProcessSeed() {
  static const uint64_t seed = (uint64_t{std::random_device{}()} << 32) | std::random_device{}();
  return seed;
}

uint64_t Mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t Load64(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

uint32_t Load32(const char* p) {
  uint32_t v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

// Up to eight bytes as a number, zeros behind them; loads of fixed sizes that overlap.
uint64_t LoadUpTo8(const char* p, size_t n) {
  if (n >= 8) return Load64(p);
  if (n >= 4) {
    return Load32(p) | static_cast<uint64_t>(Load32(p + n - 4)) << ((n - 4) * 8);
  }
  if (n == 0) return 0;
  const auto byte = [p](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(p[i])); };
  return byte(0) | byte(n / 2) << (n / 2 * 8) | byte(n - 1) << ((n - 1) * 8);
}

}  // namespace

// A text with what is derived from it.
struct TermHash::Key {
  explicit Key(std::string_view t) : text(t), prefix(LoadUpTo8(t.data(), t.size())) {
    static const uint64_t seed = ProcessSeed();
    constexpr uint64_t kOdd1 = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
    constexpr uint64_t kOdd2 = 0xd1b54a32d192ed03;
    uint64_t h = Mix(prefix ^ seed, kOdd1 ^ t.size());
    if (t.size() > 8) {
      const char* p = t.data() + 8;
      size_t n = t.size() - 8;
      for (; n > 8; p += 8, n -= 8) h = Mix(h ^ Load64(p), kOdd1);
      h = Mix(h ^ LoadUpTo8(p, n), kOdd2);
    }
    h = Mix(h ^ seed, kOdd2);
    hash = static_cast<uint32_t>(h ^ h >> 32);
  }

  std::string_view text;
  uint64_t prefix;
  uint32_t hash;
};

bool TermHash::Equal(const Slot& slot, const Key& key) const {
  if (slot.hash != key.hash) return false;
  const BufferedTerm& term = terms_[slot.number - 1];
  return term.prefix == key.prefix && term.length == key.text.size() &&
         (term.length <= 8 ||
          std::memcmp(term.text + 8, key.text.data() + 8, term.length - 8) == 0);
}

uint32_t TermHash::FindOrAdd(std::string_view text) {
  if ((terms_.size() + 1) * 3 > slots_.size() * 2) Grow();
  const Key key(text);
  const size_t mask = slots_.size() - 1;
  for (size_t i = key.hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.number == 0) {
      BufferedTerm& term = terms_.emplace_back();
      const std::string_view copy = arena_->Copy(text);
      term.prefix = key.prefix;
      term.text = copy.data();
      term.length = static_cast<uint32_t>(copy.size());
      slot = {key.hash, static_cast<uint32_t>(terms_.size())};
      return slot.number - 1;
    }
    if (Equal(slot, key)) return slot.number - 1;
  }
}

const BufferedTerm* TermHash::Find(std::string_view text) const {
  if (slots_.empty()) return nullptr;
  const Key key(text);
  const size_t mask = slots_.size() - 1;
  for (size_t i = key.hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.number == 0) return nullptr;
    if (Equal(slot, key)) return &terms_[slot.number - 1];
  }
}

void TermHash::Grow() {
  std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == 0) continue;
    size_t i = slot.hash & mask;
    while (slots_[i].number != 0) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace curlew::index
