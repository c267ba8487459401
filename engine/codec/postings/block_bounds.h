// How much the blocks of a term can add to a score, worked out once for a reader and kept.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_BLOCK_BOUNDS_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_BLOCK_BOUNDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/codec/postings/posting_blocks.h"

namespace curlew::codec {

// What a norm is worth: a document counts freq x factor[norm], and the score grows with that.
using NormFactors = std::array<float, 256>;

// Best of the documents' counts, by block and over all. Immutable.
class BlockBounds {
 public:
  // How many of the best documents are known.
  static constexpr size_t kBest = 10;

  // Null when the list has no fronts (they are short, or kept for no field like this), or damaged
  // ones.
  static std::shared_ptr<const BlockBounds> Of(const PostingBlocks& blocks,
                                               const NormFactors& factors);

  size_t memory() const { return sizeof(*this) + blocks_.capacity() * sizeof(float); }
  float of_block(uint32_t block) const { return blocks_[block]; }
  // The first block from `from` on that has at least `count`; the number of blocks if none has.
  uint32_t Next(uint32_t from, float count) const;
  float most() const { return best_[0]; }
  // `k` documents (1 to kBest) count at least this, deleted ones included; 0 when so many are not
  // known.
  float at_least(size_t k) const { return best_[k - 1]; }

 private:
  std::vector<float> blocks_;
  std::array<float, kBest> best_{};  // descending
};

// The bounds of a field's terms as they are asked for: four bytes for each block of them at most, a
// thirtieth of the postings. Thread-safe.
class BlockBoundsCache {
 public:
  // Of the term whose postings start at `offset`. Other factors than the last time empty the cache:
  // the statistics of the shard have changed.
  std::shared_ptr<const BlockBounds> Get(uint64_t offset, const PostingBlocks& blocks,
                                         const NormFactors& factors);
  size_t memory() const;

 private:
  mutable std::mutex mutex_;
  NormFactors factors_{};
  std::unordered_map<uint64_t, std::shared_ptr<const BlockBounds>> bounds_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_BLOCK_BOUNDS_H_
