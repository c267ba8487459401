#include "engine/index/buffer/term_hash.h"

#include <cstring>

#include "engine/util/text_hash.h"

namespace curlew::index {

// A text with what is derived from it.
struct TermHash::Key {
  explicit Key(std::string_view t) : text(t), prefix(LoadUpTo8(t.data(), t.size())) {
    const uint64_t h = HashText(t, prefix);
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
