// The positions of the documents of one block of postings.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_BLOCK_POSITIONS_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_BLOCK_POSITIONS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/codec/postings/posting_blocks.h"

namespace curlew::codec {

// One thread at a time. Documents may be asked for in any order; each is cheapest behind those
// before it.
class BlockPositions {
 public:
  // Of another block from now on, which has to outlive that. Costs nothing until Read.
  void Reset(const PostingBlock& block) {
    block_ = &block;
    loaded_ = false;
  }
  // Of the document at a place of the block: ascending, valid until the next call. Empty, and
  // corrupt(), when they are damaged.
  std::span<const uint32_t> Read(uint32_t place);
  bool corrupt() const { return corrupt_; }

 private:
  bool Decode(uint64_t first, uint32_t count);

  const PostingBlock* block_ = nullptr;
  bool loaded_ = false;
  bool corrupt_ = false;
  uint64_t total_ = 0;                  // positions of the block
  PostingBlock::PositionsChunk chunk_;  // the last one that was read
  uint32_t ends_[kBlockRoom];
  std::vector<uint32_t> positions_;  // as many as the longest document had
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_BLOCK_POSITIONS_H_
