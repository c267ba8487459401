#include "engine/codec/postings/postings_reader.h"

#include <algorithm>
#include <vector>

#include "engine/codec/byte_width.h"
#include "engine/codec/postings/postings_format.h"

namespace curlew::codec {
namespace {

// Documents are decoded a block at a time; frequencies are read where they lie, positions decoded
// for the one document that is asked for.
class BlockPostings final : public Postings {
 public:
  BlockPostings(std::string_view file, IndexOptions options, DocId max_doc, const TermEntry& entry)
      : file_(file), options_(options), max_doc_(max_doc), doc_freq_(entry.doc_freq) {
    const uint64_t blocks =
        (static_cast<uint64_t>(doc_freq_) + kPostingsBlock - 1) / kPostingsBlock;
    const uint64_t skip_bytes = blocks > 1 ? blocks * kSkipEntry : 0;
    if (doc_freq_ > max_doc || entry.postings_offset > file.size() ||
        skip_bytes > file.size() - entry.postings_offset) {
      corrupt_ = true;
      return;
    }
    start_ = file.data() + entry.postings_offset;
    blocks_ = static_cast<uint32_t>(blocks);
  }

  DocId doc() const override { return doc_; }

  DocId Next() override {
    if (++index_ < size_) return doc_ = docs_[index_];
    return LoadBlock(block_ + 1) ? doc_ = docs_[0] : doc_;
  }

  DocId Advance(DocId target) override {
    if (size_ == 0 || target > docs_[size_ - 1]) {
      const uint32_t block = BlockWith(target);
      if (!LoadBlock(block)) return doc_;
      if (target > docs_[size_ - 1]) return End();
    }
    const DocId* from = docs_ + index_;
    index_ = static_cast<uint32_t>(
        std::lower_bound(from, static_cast<const DocId*>(docs_ + size_), target) - docs_);
    return doc_ = docs_[index_];
  }

  uint32_t freq() override { return FreqAt(index_); }

  std::span<const uint32_t> positions() override {
    if (options_ < IndexOptions::kPositions || index_ >= size_) return {};
    if (positions_of_ == index_) return positions_;
    positions_of_ = index_;
    for (; counted_ < index_; ++counted_) counted_positions_ += FreqAt(counted_);
    DecodePositions(counted_positions_, FreqAt(index_));
    return positions_;
  }

  uint32_t doc_freq() const override { return doc_freq_; }

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
        WidenTo32(freqs_ + static_cast<size_t>(index_) * freq_width_, freq_width_, take, 1,
                  freqs + n);
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
  static constexpr uint32_t kSkipEntry = sizeof(uint32_t) + sizeof(uint64_t);
  static constexpr uint32_t kNone = 0xffffffff;

  // Only for lists of several blocks.
  DocId LastDoc(uint32_t block) const { return LoadUnaligned<uint32_t>(start_ + 4ull * block); }
  uint64_t Offset(uint32_t block) const {
    return LoadUnaligned<uint64_t>(start_ + 4ull * blocks_ + 8ull * block);
  }
  uint32_t FreqAt(uint32_t i) const {
    return static_cast<uint32_t>(LoadWidth(freqs_, freq_width_, i)) + 1;
  }

  // The first block behind the current one that can have `target`; blocks_ when there is none.
  uint32_t BlockWith(DocId target) const {
    uint32_t low = block_ + 1;
    if (blocks_ <= 1 || low >= blocks_) return low;
    uint32_t step = 1;
    uint32_t high = low;
    while (high < blocks_ && LastDoc(high) < target) {
      low = high + 1;
      high = step < blocks_ - high ? high + step : blocks_;
      step *= 2;
    }
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (LastDoc(middle) < target) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  DocId End() {
    index_ = size_ = 0;
    block_ = blocks_ - 1;
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
    if (block >= blocks_) {
      End();
      return false;
    }
    const bool only = blocks_ == 1;
    const uint64_t offset = only ? static_cast<uint64_t>(start_ - file_.data()) : Offset(block);
    if (offset >= file_.size()) return Corrupt();
    const char* p = file_.data() + offset;
    size_t left = file_.size() - offset - 1;
    const auto head = static_cast<uint8_t>(*p++);
    const uint32_t n = block + 1 < blocks_ ? kPostingsBlock : doc_freq_ - block * kPostingsBlock;
    const uint32_t gap_width = kWidths[head & 3];
    freq_width_ = options_ >= IndexOptions::kFreqs ? kWidths[(head >> 2) & 3] : 0;
    position_width_ = kWidths[(head >> 4) & 3];
    if (left < static_cast<size_t>(n) * (gap_width + freq_width_)) return Corrupt();

    WidenTo32(p, gap_width, n, 0, docs_);
    uint64_t next = block == 0 ? 0 : static_cast<uint64_t>(LastDoc(block - 1)) + 1;
    for (uint32_t i = 0; i < n; ++i) {
      next += docs_[i];
      docs_[i] = static_cast<DocId>(next++);
    }
    // next - 1 is the last document. That the block begins behind the current document holds for
    // sound files; a damaged skip table must not turn the list back. (doc_ + 1 is 0 at the start.)
    if (next > max_doc_ || docs_[0] < static_cast<DocId>(doc_ + 1) ||
        (!only && next - 1 != LastDoc(block))) {
      return Corrupt();
    }
    freqs_ = p + static_cast<size_t>(n) * gap_width;
    position_data_ = freqs_ + static_cast<size_t>(n) * freq_width_;
    position_bytes_ = left - static_cast<size_t>(n) * (gap_width + freq_width_);
    block_ = block;
    size_ = n;
    index_ = 0;
    positions_of_ = kNone;
    counted_ = 0;
    counted_positions_ = 0;
    return true;
  }

  void DecodePositions(uint64_t first, uint32_t n) {
    positions_.clear();
    // Writers give positions one byte at least, so that the file's length bounds their number.
    if (position_width_ == 0 || (first + n) * position_width_ > position_bytes_) {
      corrupt_ = true;
      return;
    }
    positions_.resize(n);
    WidenTo32(position_data_ + first * position_width_, position_width_, n, 0, positions_.data());
    uint64_t position = 0;
    for (uint32_t& p : positions_) {
      position += p;
      p = static_cast<uint32_t>(position);
    }
    if (position > 0xffffffff) {
      corrupt_ = true;
      positions_.clear();
    }
  }

  static constexpr uint32_t kWidths[4] = {0, 1, 2, 4};

  const std::string_view file_;
  const IndexOptions options_;
  const DocId max_doc_;
  const uint32_t doc_freq_;
  const char* start_ = nullptr;  // the skip table, or the only block
  uint32_t blocks_ = 0;
  bool corrupt_ = false;

  DocId doc_ = kNone;
  uint32_t block_ = kNone;  // + 1 is the first one
  uint32_t index_ = kNone;  // of doc_ in docs_
  uint32_t size_ = 0;
  const char* freqs_ = nullptr;
  const char* position_data_ = nullptr;
  size_t position_bytes_ = 0;
  uint32_t freq_width_ = 0;
  uint32_t position_width_ = 0;

  uint32_t positions_of_ = kNone;  // the index whose positions are decoded
  uint32_t counted_ = 0;           // the documents before it have counted_positions_ positions
  uint64_t counted_positions_ = 0;
  std::vector<uint32_t> positions_;

  DocId docs_[kPostingsBlock];
};

}  // namespace

std::unique_ptr<Postings> ReadPostings(std::string_view file, IndexOptions options, DocId max_doc,
                                       const TermEntry& entry) {
  return std::make_unique<BlockPostings>(file, options, max_doc, entry);
}

}  // namespace curlew::codec
