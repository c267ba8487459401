// Counts how often a phrase stands in a document.
#ifndef CURLEW_ENGINE_SEARCH_BLOCK_PHRASE_MATCH_H_
#define CURLEW_ENGINE_SEARCH_BLOCK_PHRASE_MATCH_H_

#include <cstdint>
#include <optional>
#include <span>

#include "engine/codec/postings/block_positions.h"
#include "engine/codec/postings/posting_blocks.h"
#include "engine/util/cancel.h"

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
  size_t term = 0;  // whose positions
  uint32_t offset = 0;
};

// Where the phrase starts: how many positions p there are such that each place's term stands at p +
// its offset. `places`: those of the rarest term first. Counts to `most` at most. Stops early when
// `check` says so; what it gives then does not matter.
uint32_t CountPhrase(std::span<const PhrasePlace> places,
                     std::span<const std::span<const uint32_t>> positions, uint32_t most,
                     PeriodicCheck& check);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_BLOCK_PHRASE_MATCH_H_
