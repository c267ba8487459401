#include "engine/codec/postings/dense_bits.h"

namespace curlew::codec {

std::shared_ptr<const DenseBits> DenseBits::Of(const PostingBlocks& blocks, DocId max_doc) {
  auto bits = std::make_shared<DenseBits>();
  bits->words_.resize((static_cast<size_t>(max_doc) + 63) / 64);
  PostingBlock block;
  DocId docs[kBlockRoom];
  for (uint32_t b = 0; b < blocks.count(); ++b) {
    if (!blocks.Locate(b, block) || !blocks.Docs(b, block, docs)) return nullptr;
    for (uint32_t i = 0; i < block.size(); ++i) {
      bits->words_[docs[i] / 64] |= uint64_t{1} << (docs[i] % 64);
    }
  }
  uint32_t rank = 0;
  for (size_t w = 0; w < bits->words_.size(); ++w) {
    if (w % (kRankedDocs / 64) == 0) bits->ranks_.push_back(rank);
    rank += static_cast<uint32_t>(std::popcount(bits->words_[w]));
  }
  if (rank != blocks.doc_freq()) return nullptr;
  return bits;
}

std::shared_ptr<const DenseBits> DenseBitsCache::Get(uint64_t offset, const PostingBlocks& blocks,
                                                     DocId max_doc) {
  if (blocks.corrupt() || blocks.doc_freq() < max_doc / DenseBits::kFrequent ||
      blocks.count() < 2) {
    return nullptr;
  }
  {
    std::lock_guard lock(mutex_);
    if (const auto it = bits_.find(offset); it != bits_.end()) return it->second;
    if (memory_ + max_doc / 8 > kBytesPerDoc * max_doc) return nullptr;
  }
  std::shared_ptr<const DenseBits> bits = DenseBits::Of(blocks, max_doc);
  if (bits == nullptr) return nullptr;
  std::lock_guard lock(mutex_);
  if (bits_.emplace(offset, bits).second) memory_ += bits->memory();
  return bits;
}

}  // namespace curlew::codec
