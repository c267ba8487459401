#include "engine/codec/postings/posting_blocks.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "engine/codec/byte_width.h"
#include "engine/util/bytes.h"

namespace curlew::codec {
namespace {

// The documents of a bit set that starts at document `base`; `room` at most. Returns how many.
uint32_t ExpandBits(const char* words, uint32_t count, DocId base, uint32_t room, DocId* docs) {
  uint32_t n = 0;
  for (uint32_t w = 0; w < count; ++w, base += 64) {
    for (auto bits = LoadUnaligned<uint64_t>(words + 8ull * w); bits != 0; bits &= bits - 1) {
      if (n == room) return room + 1;
      docs[n++] = base + static_cast<DocId>(std::countr_zero(bits));
    }
  }
  return n;
}

}  // namespace

void PostingBlock::Freqs(uint32_t* freqs) const {
  if (single_ || !scored_ || freqs_.all_zero()) {
    std::fill_n(freqs, size_, freq_);
    return;
  }
  freqs_.Unpack(freqs);
  for (uint32_t i = 0; i < size_; ++i) ++freqs[i];
}

void PostingBlock::PositionEnds(uint32_t* ends) const {
  if (single_) {
    ends[0] = freq_;
    return;
  }
  if (!scored_ || freqs_.all_zero()) {
    std::iota(ends, ends + size_, 1);
    return;
  }
  // What is kept is one less, and what sum_gaps adds up is one more: the sum less one.
  freqs_.Unpack(ends);
  Kernels().sum_gaps(ends, size_, 1);
}

bool PostingBlock::ReadPositions(uint64_t total, uint64_t position, PositionsChunk& chunk) const {
  if (positions_ == nullptr || position >= total) return false;
  if (chunk.next == nullptr || position < chunk.start) {
    chunk.next = positions_;
    chunk.start = 0;
    chunk.size = 0;
  }
  uint64_t start = chunk.start + chunk.size;
  if (position < start) return true;  // it is the same chunk
  const char* next = chunk.next;
  if (single_) {
    // Varints, of which the chunks are made up here.
    ByteReader in({next, static_cast<size_t>(limit_ - next)});
    uint32_t size = 0;
    do {
      size = static_cast<uint32_t>(std::min<uint64_t>(kPositionsChunk, total - start));
      for (uint32_t i = 0; i < size; ++i) chunk.gaps[i] = static_cast<uint32_t>(in.Varint());
      start += size;
    } while (start <= position && !in.failed());
    chunk.next = in.position();
    chunk.start = start - size;
    chunk.size = size;
    return !in.failed();
  }
  for (;;) {
    if (limit_ - next < 2) return false;
    const auto size = static_cast<uint32_t>(std::min<uint64_t>(kPositionsChunk, total - start));
    const Patched packed(next, size);
    if (!packed.sound() || packed.bytes() > static_cast<uint64_t>(limit_ - next)) return false;
    next = packed.end();
    if (position < start + size) {
      packed.Unpack(chunk.gaps);
      chunk.next = next;
      chunk.start = start;
      chunk.size = size;
      return true;
    }
    start += size;
  }
}

PostingBlocks::PostingBlocks(std::string_view file, IndexOptions options, DocId max_doc,
                             const TermEntry& entry)
    : file_(file), options_(options), max_doc_(max_doc), entry_(entry) {
  corrupt_ = true;
  if (file.size() < kPackSlack || entry.doc_freq == 0 || entry.doc_freq > max_doc) return;
  const uint64_t end = file.size() - kPackSlack;
  limit_ = file.data() + end;
  if (entry.postings_offset > end) return;
  const char* const start = file.data() + entry.postings_offset;
  const uint32_t blocks = (entry.doc_freq + kPostingsBlock - 1) / kPostingsBlock;
  if (blocks > 1) {
    const auto left = static_cast<uint64_t>(limit_ - start);
    if (left < 1) return;
    const auto head = static_cast<uint8_t>(*start);
    distance_width_ = head & ~kTableHasFronts;
    if (distance_width_ != 4 && distance_width_ != 8) return;
    const uint64_t arrays = 1 + static_cast<uint64_t>(blocks) * (4 + distance_width_);
    if (left < arrays) return;
    table_ = start;
    last_docs_ = start + 1;
    distances_ = last_docs_ + 4ull * blocks;
    if ((head & kTableHasFronts) != 0) fronts_ = start + arrays;
  } else if (entry.doc_freq == 1 && entry.single >= max_doc) {
    return;
  }
  count_ = blocks;
  corrupt_ = false;
}

uint32_t PostingBlocks::Find(DocId target, uint32_t from) const {
  if (count_ <= 1) return from;
  uint32_t low = from;
  uint32_t high = from;
  uint32_t step = 1;
  while (high < count_ && LastDoc(high) < target) {
    low = high + 1;
    high = step < count_ - high ? high + step : count_;
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

bool PostingBlocks::Locate(uint32_t block, PostingBlock& out) const {
  out.scored_ = options_ >= IndexOptions::kFreqs;
  out.single_ = false;
  out.freq_ = 1;
  out.bits_ = nullptr;
  out.positions_ = nullptr;
  out.limit_ = limit_;
  const char* p = file_.data() + entry_.postings_offset;
  if (entry_.doc_freq == 1) {
    out.size_ = 1;
    out.single_ = true;
    out.freq_ = static_cast<uint32_t>(entry_.total_term_freq);
    if (options_ >= IndexOptions::kPositions) out.positions_ = p;
    return true;
  }
  if (count_ > 1) {
    const uint64_t distance = LoadWidth(distances_, distance_width_, block);
    if (distance > static_cast<uint64_t>(table_ - file_.data())) return false;
    p = table_ - distance;
  }
  out.size_ = block + 1 < count_ ? kPostingsBlock : entry_.doc_freq - block * kPostingsBlock;
  if (limit_ - p < 2) return false;
  if (static_cast<uint8_t>(*p) == kBitSetBlock) {
    out.bits_ = p + 2;
    out.words_ = static_cast<uint8_t>(p[1]);
    if (limit_ - out.bits_ < 8 * static_cast<ptrdiff_t>(out.words_)) return false;
    p = out.bits_ + 8ull * out.words_;
  } else {
    out.gaps_ = Patched(p, out.size_);
    if (!out.gaps_.sound() || out.gaps_.bytes() > static_cast<uint64_t>(limit_ - p)) return false;
    p = out.gaps_.end();
  }
  if (out.scored_) {
    if (limit_ - p < 2) return false;
    out.freqs_ = Patched(p, out.size_);
    if (!out.freqs_.sound() || out.freqs_.bytes() > static_cast<uint64_t>(limit_ - p)) return false;
    p = out.freqs_.end();
  }
  if (options_ >= IndexOptions::kPositions) out.positions_ = p;
  return true;
}

bool PostingBlocks::Docs(uint32_t block, const PostingBlock& located, DocId* docs) const {
  const uint32_t size = located.size_;
  if (located.single_) {
    docs[0] = entry_.single;
    return true;
  }
  const DocId base = FirstBound(block);
  if (located.bits_ != nullptr) {
    if (ExpandBits(located.bits_, located.words_, base, size, docs) != size) return false;
  } else {
    located.gaps_.Unpack(docs);
    Kernels().sum_gaps(docs, size, base);
  }
  const DocId last = docs[size - 1];
  if (last >= max_doc_ || (count_ > 1 && last != LastDoc(block))) return false;
  // Sums that ran over 32 bits and came down to the right end are not in order. Small gaps give
  // none.
  constexpr uint32_t kSmallGap = 31 - std::bit_width(kPostingsBlock - 1);
  if (located.bits_ != nullptr || located.gaps_.most_bits() < kSmallGap) return true;
  bool ascending = docs[0] >= base;
  for (uint32_t i = 1; i < size; ++i) ascending &= docs[i - 1] < docs[i];
  return ascending;
}

bool PostingBlocks::ReadFront(const char*& p, std::vector<Impact>& front) const {
  ByteReader in({p, static_cast<size_t>(limit_ - p)});
  front.clear();
  uint64_t freq = 0;
  for (uint32_t left = in.Byte(); left > 0 && !in.failed(); --left) {
    freq += in.Varint() + 1;
    front.push_back({static_cast<uint32_t>(std::min<uint64_t>(freq, 0xffffffff)), in.Byte()});
  }
  p = in.position();
  return !in.failed() && !front.empty();
}

}  // namespace curlew::codec
