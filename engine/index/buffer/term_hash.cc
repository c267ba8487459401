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

uint32_t Hash(std::string_view text) {
  static const uint64_t seed = ProcessSeed();
  constexpr uint64_t kOdd1 = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  constexpr uint64_t kOdd2 = 0xd1b54a32d192ed03;
  const char* p = text.data();
  size_t n = text.size();
  uint64_t h = seed ^ (n * kOdd2);
  for (; n > 8; p += 8, n -= 8) h = Mix(h ^ Load64(p), kOdd1);
  uint64_t tail = 0;
  if (n > 0) std::memcpy(&tail, p, n);
  h = Mix(h ^ tail, kOdd1);
  h = Mix(h, kOdd2 ^ seed);
  return static_cast<uint32_t>(h ^ (h >> 32));
}

}  // namespace

uint32_t TermHash::FindOrAdd(std::string_view text) {
  if ((terms_.size() + 1) * 3 > slots_.size() * 2) Grow();
  const uint32_t hash = Hash(text);
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.number == 0) {
      BufferedTerm term;
      const std::string_view copy = arena_->Copy(text);
      term.text = copy.data();
      term.length = static_cast<uint32_t>(copy.size());
      term.hash = hash;
      terms_.push_back(term);
      slot = {hash, static_cast<uint32_t>(terms_.size())};
      return slot.number - 1;
    }
    if (slot.hash == hash && terms_[slot.number - 1].bytes() == text) return slot.number - 1;
  }
}

const BufferedTerm* TermHash::Find(std::string_view text) const {
  if (slots_.empty()) return nullptr;
  const uint32_t hash = Hash(text);
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.number == 0) return nullptr;
    if (slot.hash == hash && terms_[slot.number - 1].bytes() == text) {
      return &terms_[slot.number - 1];
    }
  }
}

void TermHash::Grow() {
  const size_t size = slots_.empty() ? 16 : slots_.size() * 2;
  slots_.assign(size, Slot{});
  slots_.shrink_to_fit();
  for (uint32_t t = 0; t < terms_.size(); ++t) {
    size_t i = terms_[t].hash & (size - 1);
    while (slots_[i].number != 0) i = (i + 1) & (size - 1);
    slots_[i] = {terms_[t].hash, t + 1};
  }
}

}  // namespace curlew::index
