#include "engine/codec/postings/postings_reader.h"

#include <algorithm>

#include "engine/codec/postings/block_positions.h"
#include "engine/codec/postings/posting_blocks.h"

namespace curlew::codec {
namespace {

// Documents are decoded a block at a time, frequencies when the first one is asked for, positions
// for the one document that is asked for.
class BlockPostings final : public Postings {
 public:
  explicit BlockPostings(const PostingBlocks& blocks)
      : blocks_(blocks), corrupt_(blocks.corrupt()) {}

  DocId doc() const override { return doc_; }

  DocId Next() override {
    if (++index_ < size_) return doc_ = docs_[index_];
    return LoadBlock(block_ + 1) ? doc_ = docs_[0] : doc_;
  }

  DocId Advance(DocId target) override {
    if (size_ == 0 || target > docs_[size_ - 1]) {
      if (!LoadBlock(blocks_.Find(target, block_ + 1))) return doc_;
      if (target > docs_[size_ - 1]) return End();
    }
    const DocId* from = docs_ + index_;
    index_ = static_cast<uint32_t>(
        std::lower_bound(from, static_cast<const DocId*>(docs_ + size_), target) - docs_);
    return doc_ = docs_[index_];
  }

  uint32_t freq() override { return located_.Freq(index_); }

  std::span<const uint32_t> positions() override {
    if (blocks_.options() < IndexOptions::kPositions || index_ >= size_) return {};
    if (positions_of_ != index_) {
      positions_of_ = index_;
      positions_ = reader_.Read(index_);
      corrupt_ = corrupt_ || reader_.corrupt();
    }
    return positions_;
  }

  uint32_t doc_freq() const override { return blocks_.doc_freq(); }

  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, uint32_t* freqs) override {
    uint32_t n = 0;
    while (n < room && doc_ < end && doc_ != kNoMoreDocs) {
      const DocId* from = docs_ + index_;
      uint32_t take = std::min(size_ - index_, room - n);
      if (from[take - 1] >= end) {
        take = static_cast<uint32_t>(std::lower_bound(from, from + take, end) - from);
      }
      std::copy_n(from, take, docs + n);
      if (freqs != nullptr) {
        LoadFreqs();
        std::copy_n(freqs_ + index_, take, freqs + n);
      }
      n += take;
      index_ += take;
      if (index_ < size_) {
        doc_ = docs_[index_];
      } else if (LoadBlock(block_ + 1)) {
        doc_ = docs_[0];
      }
    }
    return n;
  }

  bool corrupt() const override { return corrupt_; }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  DocId End() {
    index_ = size_ = 0;
    block_ = blocks_.count() - 1;
    return doc_ = kNoMoreDocs;
  }
  bool Corrupt() {
    corrupt_ = true;
    End();
    return false;
  }

  // Decodes a block and stands before its first document; ends the list when there is no such
  // block.
  bool LoadBlock(uint32_t block) {
    if (block >= blocks_.count()) {
      End();
      return false;
    }
    if (!blocks_.Locate(block, located_) || !blocks_.Docs(block, located_, docs_)) return Corrupt();
    // That the block begins behind the current document holds for sound files; damaged last
    // documents must not turn the list back. (doc_ + 1 is 0 at the start.)
    if (docs_[0] < static_cast<DocId>(doc_ + 1)) return Corrupt();
    block_ = block;
    size_ = located_.size();
    index_ = 0;
    positions_of_ = kNone;
    have_freqs_ = false;
    reader_.Reset(located_);
    return true;
  }

  void LoadFreqs() {
    if (!have_freqs_) located_.Freqs(freqs_);
    have_freqs_ = true;
  }

  const PostingBlocks blocks_;
  bool corrupt_;
  DocId doc_ = kNone;
  uint32_t block_ = kNone;  // + 1 is the first one
  uint32_t index_ = kNone;  // of doc_ in docs_
  uint32_t size_ = 0;
  bool have_freqs_ = false;
  uint32_t positions_of_ = kNone;  // the index whose positions are decoded
  PostingBlock located_;
  BlockPositions reader_;
  std::span<const uint32_t> positions_;

  DocId docs_[kBlockRoom];
  uint32_t freqs_[kBlockRoom];
};

}  // namespace

std::unique_ptr<Postings> ReadPostings(const PostingBlocks& blocks) {
  return std::make_unique<BlockPostings>(blocks);
}

}  // namespace curlew::codec
