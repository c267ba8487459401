// Where a phrase stands in a document.
#ifndef CURLEW_ENGINE_SEARCH_BLOCK_PHRASE_MATCH_H_
#define CURLEW_ENGINE_SEARCH_BLOCK_PHRASE_MATCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/codec/postings/block_positions.h"
#include "engine/codec/postings/posting_blocks.h"

namespace curlew::search {

// The positions of one term's documents, wherever their blocks are. One thread at a time; the
// blocks outlive it.
class TermPositions {
 public:
  explicit TermPositions(const codec::PostingBlocks& blocks) : blocks_(blocks) {}

  // Of the document at a place of a block, as BlockPositions gives them.
  std::span<const uint32_t> Read(uint32_t block, uint32_t place);
  bool corrupt() const { return corrupt_ || positions_.corrupt(); }

 private:
  const codec::PostingBlocks& blocks_;
  bool corrupt_ = false;
  std::optional<uint32_t> block_;  // that is located
  codec::PostingBlock located_;
  codec::BlockPositions positions_;
};

// A term of a phrase, at one place in it.
struct PhrasePlace {
  size_t term = 0;  // its number in Required::terms
  uint32_t offset = 0;
};

// Where a phrase can start in a document, as its terms are looked at one after the other: with a
// rare one first, few positions of the others matter, and often none has to be read.
class PhraseStarts {
 public:
  // By the positions of a term that stands at `offset` of the phrase.
  void Begin(std::span<const uint32_t> positions, uint32_t offset);
  // Keeps those that agree with another term.
  void Keep(std::span<const uint32_t> positions, uint32_t offset);
  uint32_t count() const { return static_cast<uint32_t>(starts_.size()); }

 private:
  std::vector<uint32_t> starts_;  // ascending
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_BLOCK_PHRASE_MATCH_H_
