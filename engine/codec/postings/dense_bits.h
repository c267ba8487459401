// The documents of a frequent term as a bit set with ranks, made from its postings when it is first
// asked for: one bit a document of the segment, and whether a document is there, and at which place
// of the postings, is two reads.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_DENSE_BITS_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_DENSE_BITS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/codec/postings/posting_blocks.h"

namespace curlew::codec {

// Immutable.
class DenseBits {
 public:
  // A term with fewer documents than one in so many of the segment's is not frequent.
  static constexpr uint32_t kFrequent = 32;

  // Null when the postings are damaged.
  static std::shared_ptr<const DenseBits> Of(const PostingBlocks& blocks, DocId max_doc);

  bool Has(DocId doc) const { return (words_[doc / 64] >> (doc % 64) & 1) != 0; }
  // How many documents of the term are before `doc`.
  uint32_t Rank(DocId doc) const {
    uint32_t rank = ranks_[doc / kRankedDocs];
    const uint32_t word = doc / 64;
    for (uint32_t w = word & ~(kRankedDocs / 64 - 1); w < word; ++w) {
      rank += static_cast<uint32_t>(std::popcount(words_[w]));
    }
    const uint64_t below = (uint64_t{1} << (doc % 64)) - 1;
    return rank + static_cast<uint32_t>(std::popcount(words_[word] & below));
  }
  std::span<const uint64_t> words() const { return words_; }
  size_t memory() const { return sizeof(*this) + words_.size() * 8 + ranks_.size() * 4; }

 private:
  static constexpr uint32_t kRankedDocs = 512;

  std::vector<uint64_t> words_;
  std::vector<uint32_t> ranks_;  // of every 512th document
};

// The bit sets of a field's frequent terms, as they are asked for, up to a limit. Thread-safe.
class DenseBitsCache {
 public:
  // Null when the term is not frequent, its postings are damaged, or there is no more room.
  std::shared_ptr<const DenseBits> Get(uint64_t offset, const PostingBlocks& blocks, DocId max_doc);
  size_t memory() const {
    std::lock_guard lock(mutex_);
    return memory_;
  }

 private:
  // Bytes for each document of the segment: some 400 terms.
  static constexpr size_t kBytesPerDoc = 56;

  mutable std::mutex mutex_;
  std::unordered_map<uint64_t, std::shared_ptr<const DenseBits>> bits_;
  size_t memory_ = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_DENSE_BITS_H_
