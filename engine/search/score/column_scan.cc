#include "engine/search/score/column_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace curlew::search {
namespace {

using codec::kColumnBlockDocs;

constexpr uint32_t kNoBlock = 0xffffffff;
// Marking a block costs about as much as so many documents asked one by one.
constexpr uint32_t kProbesPerMark = 256;
constexpr uint32_t kBlocksPerCheck = 16;

class ColumnScan : public Scorer {
 public:
  ColumnScan(std::unique_ptr<ColumnFilter> filter, DocId max_doc, float score,
             const CancelToken* cancel)
      : filter_(std::move(filter)),
        max_doc_(max_doc),
        score_(score),
        check_(cancel, kBlocksPerCheck) {}

  DocId doc() const override { return doc_; }
  DocId Next() override { return Advance(doc_ + 1); }
  DocId Advance(DocId target) override {
    while (target < max_doc_) {
      const uint32_t block = target / kColumnBlockDocs;
      if (block != block_ && !Load(block)) break;
      const uint32_t at = Find(target % kColumnBlockDocs);
      if (at < kColumnBlockDocs) return doc_ = block * kColumnBlockDocs + at;
      target = (block + 1) * kColumnBlockDocs;
    }
    return doc_ = kNoMoreDocs;
  }
  DocId Probe(DocId target) override {
    if (target >= max_doc_) return doc_ = kNoMoreDocs;
    if (doc_ == target) return doc_;
    const uint32_t block = target / kColumnBlockDocs;
    if (block == block_) {
      const uint32_t at = target % kColumnBlockDocs;
      return (bits_[at / 64] >> (at % 64) & 1) != 0 ? doc_ = target : target + 1;
    }
    if (block != probed_block_) {
      probed_block_ = block;
      probes_ = 0;
      look_ = filter_->Look(block);
    }
    if (look_ == ColumnFilter::Block::kAll) return doc_ = target;
    if (look_ == ColumnFilter::Block::kNone) {
      const DocId next = (block + 1) * kColumnBlockDocs;
      return next < max_doc_ ? next : doc_ = kNoMoreDocs;
    }
    if (++probes_ > kProbesPerMark) {
      if (!Load(block)) return doc_ = kNoMoreDocs;
      return Probe(target);
    }
    return filter_->Matches(target) ? doc_ = target : target + 1;
  }
  float Score() override { return score_; }

  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    uint32_t count = 0;
    while (count < room && doc_ < end) {
      // doc_ may stand in a block that was only probed.
      const uint32_t block = doc_ / kColumnBlockDocs;
      if (block != block_ && !Load(block)) {
        doc_ = kNoMoreDocs;
        break;
      }
      const DocId base = block * kColumnBlockDocs;
      const uint32_t from = doc_ - base;
      const uint32_t to = std::min(end - base, kColumnBlockDocs);
      count = Copy(base, from, to, room, docs, count);
    }
    if (scores != nullptr) std::fill_n(scores, count, score_);
    return count;
  }

 private:
  // Copies the matches of the current block between `from` and `to` while there is room, and moves
  // to the first match that was not copied.
  uint32_t Copy(DocId base, uint32_t from, uint32_t to, uint32_t room, DocId* docs,
                uint32_t count) {
    for (uint32_t word = from / 64; word * 64 < to; ++word) {
      uint64_t left = bits_[word];
      if (word == from / 64) left &= ~uint64_t{0} << (from % 64);
      if (word == to / 64) left &= (uint64_t{1} << (to % 64)) - 1;
      for (; left != 0; left &= left - 1) {
        const DocId doc = base + word * 64 + static_cast<uint32_t>(std::countr_zero(left));
        if (count == room) {
          doc_ = doc;
          return count;
        }
        docs[count++] = doc;
      }
    }
    Advance(base + to);
    return count;
  }

  // The first set bit from `at` on; kColumnBlockDocs when there is none.
  uint32_t Find(uint32_t at) const {
    uint32_t word = at / 64;
    uint64_t left = bits_[word] & (~uint64_t{0} << (at % 64));
    while (left == 0) {
      if (++word == bits_.size()) return kColumnBlockDocs;
      left = bits_[word];
    }
    return word * 64 + static_cast<uint32_t>(std::countr_zero(left));
  }

  // False when the search was cancelled.
  bool Load(uint32_t block) {
    if (check_.Stop()) return false;
    block_ = block;
    const DocId first = block * kColumnBlockDocs;
    const uint32_t count = std::min(kColumnBlockDocs, max_doc_ - first);
    const ColumnFilter::Block look = filter_->Look(block);
    if (count < kColumnBlockDocs || look == ColumnFilter::Block::kNone) bits_.fill(0);
    if (look == ColumnFilter::Block::kNone) return true;
    if (look == ColumnFilter::Block::kAll) {
      std::fill_n(bits_.begin(), count / 64, ~uint64_t{0});
      if (count % 64 != 0) bits_[count / 64] = (uint64_t{1} << (count % 64)) - 1;
    } else {
      filter_->Mark(first, count, bits_.data());
    }
    return true;
  }

  const std::unique_ptr<ColumnFilter> filter_;
  const DocId max_doc_;
  const float score_;
  PeriodicCheck check_;
  DocId doc_ = kBeforeFirst;
  uint32_t block_ = kNoBlock;  // that bits_ are of
  std::array<uint64_t, kColumnBlockDocs / 64> bits_;
  uint32_t probed_block_ = kNoBlock;
  uint32_t probes_ = 0;
  ColumnFilter::Block look_ = ColumnFilter::Block::kSome;
};

}  // namespace

std::unique_ptr<Scorer> NewColumnScan(std::unique_ptr<ColumnFilter> filter, DocId max_doc,
                                      float score, const CancelToken* cancel) {
  return std::make_unique<ColumnScan>(std::move(filter), max_doc, score, cancel);
}

}  // namespace curlew::search
