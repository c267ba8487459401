// A field's terms in the RAM buffer: bytes to term, by open addressing.
#ifndef CURLEW_ENGINE_INDEX_BUFFER_TERM_HASH_H_
#define CURLEW_ENGINE_INDEX_BUFFER_TERM_HASH_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/codec/types.h"
#include "engine/index/buffer/arena.h"
#include "engine/index/buffer/byte_stream.h"

namespace curlew::index {

// What the buffer knows of a term. The stream holds, by index options:
//   positions: per document its gap, the position gaps plus one, and 0 before the next document
//   freqs:     gap and frequency by turns; the last document's frequency is in `aux`
//   docs:      gaps from the second document on; the first document is in `aux`
// One cache line, with enough of the text to tell most terms apart without looking it up.
struct alignas(64) BufferedTerm {
  uint64_t prefix = 0;  // the first eight bytes as they lie in memory, zeros behind a shorter text
  const char* text = nullptr;
  uint32_t length = 0;
  uint32_t doc_freq = 0;
  codec::DocId last_doc = 0;
  uint32_t aux = 0;  // with positions: the last position
  ByteStream stream;

  std::string_view bytes() const { return {text, length}; }
};
static_assert(sizeof(BufferedTerm) == 64);

// Not thread-safe for writing; any number of readers while nobody writes. Term text is copied into
// the arena, which must outlive it. Terms are numbered in order of arrival.
class TermHash {
 public:
  explicit TermHash(Arena& arena) : arena_(&arena) {}

  uint32_t FindOrAdd(std::string_view text);
  const BufferedTerm* Find(std::string_view text) const;

  BufferedTerm& term(uint32_t index) { return terms_[index]; }
  const std::vector<BufferedTerm>& terms() const { return terms_; }
  // Bytes held outside of the arena.
  uint64_t memory() const {
    return slots_.capacity() * sizeof(Slot) + terms_.capacity() * sizeof(BufferedTerm);
  }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t number = 0;  // of the term, plus one; 0 = free
  };

  struct Key;

  bool Equal(const Slot& slot, const Key& key) const;
  void Grow();

  Arena* arena_;
  std::vector<Slot> slots_;  // a power of two, at most two thirds full
  std::vector<BufferedTerm> terms_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_BUFFER_TERM_HASH_H_
