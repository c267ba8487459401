// One term's postings as the blocks that they lie in, in any order: what evaluation block by block
// is made of. Postings (postings.h) walks the same blocks document by document.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTING_BLOCKS_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTING_BLOCKS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/codec/byte_width.h"
#include "engine/codec/pack/patched.h"
#include "engine/codec/postings/impact.h"
#include "engine/codec/postings/postings_format.h"
#include "engine/codec/types.h"

namespace curlew::codec {

// Room for the documents (or frequencies) of a block.
inline constexpr uint32_t kBlockRoom = kPostingsBlock + kUnpackSlack;

// A block whose parts have been found. Valid as long as the file.
class PostingBlock {
 public:
  uint32_t size() const { return size_; }

  // Frequency of the document at place `i` of the block.
  uint32_t Freq(uint32_t i) const { return single_ ? freq_ : scored_ ? freqs_.At(i) + 1 : 1; }
  // All of them; `freqs` has kBlockRoom.
  void Freqs(uint32_t* freqs) const;
  // How many positions the documents up to each have together, itself included (the sums of the
  // frequencies, in 32 bits); `ends` has kBlockRoom.
  void PositionEnds(uint32_t* ends) const;
  // Positions are gaps, each document's first counted from 0, in chunks of kPositionsChunk.
  struct PositionsChunk {
    const char* next = nullptr;  // where the chunk behind this one starts; null: none was read yet
    uint64_t start = 0;          // number of the first position
    uint32_t size = 0;
    uint32_t gaps[kPositionsChunk + kUnpackSlack];
  };
  // Reads the chunk that has the position with number `position`, of `total` (the sum of all
  // frequencies). False when the block is damaged or keeps no positions. `chunk` is one that was
  // read from this block, or a fresh one; chunks behind it are found fastest.
  bool ReadPositions(uint64_t total, uint64_t position, PositionsChunk& chunk) const;

 private:
  friend class PostingBlocks;

  uint32_t size_ = 0;
  bool single_ = false;
  bool scored_ = false;
  uint32_t freq_ = 1;           // of a single document
  Patched gaps_;                // unless it is a bit set
  const char* bits_ = nullptr;  // words of a bit set
  uint32_t words_ = 0;
  Patched freqs_;
  const char* positions_ = nullptr;  // chunks, or the varints of a single document
  const char* limit_ = nullptr;      // nothing of the block lies from here on
};

// Owns nothing: the file has to outlive it. Immutable, thread-safe. Whatever the file says, nothing
// outside of it is read, and documents that come out ascend within a block and are below max_doc.
class PostingBlocks {
 public:
  PostingBlocks() = default;
  // `file` is all of a postings file. With a damaged entry there are no blocks, and corrupt().
  PostingBlocks(std::string_view file, IndexOptions options, DocId max_doc, const TermEntry& entry);

  bool corrupt() const { return corrupt_; }
  DocId max_doc() const { return max_doc_; }
  uint32_t doc_freq() const { return entry_.doc_freq; }
  uint64_t total_term_freq() const { return entry_.total_term_freq; }
  IndexOptions options() const { return options_; }
  uint32_t count() const { return count_; }

  // Of a list of several blocks; in the only block, an upper bound.
  DocId LastDoc(uint32_t block) const {
    return count_ == 1 ? max_doc_ - 1 : LoadUnaligned<uint32_t>(last_docs_ + 4ull * block);
  }
  // The least document that a block can have.
  DocId FirstBound(uint32_t block) const { return block == 0 ? 0 : LastDoc(block - 1) + 1; }
  // The first block from `from` on that can have `target`; count() when there is none. Gallops.
  uint32_t Find(DocId target, uint32_t from) const;

  // Finds a block's parts; `block` < count(). False when it is damaged.
  bool Locate(uint32_t block, PostingBlock& out) const;
  // Decodes its documents; `docs` has kBlockRoom. False when they are damaged.
  bool Docs(uint32_t block, const PostingBlock& located, DocId* docs) const;

  // Calls fn(block, impacts) for each block in order: the front of its documents. A list of one
  // block, or of a field without frequencies and norms, has none: false then, and when the fronts
  // are damaged.
  template <typename Fn>
  bool ForEachFront(Fn fn) const;

 private:
  bool ReadFront(const char*& p, std::vector<Impact>& front) const;

  std::string_view file_;
  const char* limit_ = nullptr;  // the slack starts here
  IndexOptions options_ = IndexOptions::kNone;
  DocId max_doc_ = 0;
  TermEntry entry_;
  uint32_t count_ = 0;
  bool corrupt_ = false;
  const char* table_ = nullptr;      // of several blocks
  const char* last_docs_ = nullptr;  // u32 each
  const char* distances_ = nullptr;  // from the table back to each block
  uint32_t distance_width_ = 0;
  const char* fronts_ = nullptr;
};

template <typename Fn>
bool PostingBlocks::ForEachFront(Fn fn) const {
  if (fronts_ == nullptr) return false;
  std::vector<Impact> front;
  const char* p = fronts_;
  for (uint32_t block = 0; block < count_; ++block) {
    if (!ReadFront(p, front)) return false;
    fn(block, std::span<const Impact>(front));
  }
  return true;
}

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTING_BLOCKS_H_
