#include "engine/search/block/term_list.h"

#include <algorithm>
#include <cstring>

namespace curlew::search {

bool TermList::Open(const TermClause& clause, bool scored) {
  if (!clause.terms->Blocks(clause.entry, blocks_)) return false;
  corrupt_ = blocks_.corrupt();
  bits_ = clause.terms->Bits(clause.entry, blocks_);
  if (!scored || clause.bm25 == nullptr) return true;
  bm25_ = clause.bm25;
  norms_ = clause.norms;
  factors_ = bm25_->factors().data();
  // The fronts are of the norms that the segment keeps, which may be more than are asked for.
  if (!norms_.empty()) {
    bounds_ = clause.terms->Bounds(clause.entry, blocks_, bm25_->factors());
  }
  bound_ = bounds_ == nullptr ? bm25_->weight() : bm25_->ScoreOf(bounds_->most());
  return true;
}

float TermList::AtLeast(size_t k) const {
  if (bounds_ == nullptr || k == 0 || k > codec::BlockBounds::kBest) {
    return -std::numeric_limits<float>::infinity();
  }
  const float count = bounds_->at_least(k);
  return count > 0 ? bm25_->ScoreOf(count) : -std::numeric_limits<float>::infinity();
}

bool TermList::Locate(uint32_t block) {
  if (located_block_ == block) return true;
  if (!blocks_.Locate(block, located_)) {
    corrupt_ = true;
    return false;
  }
  located_block_ = block;
  return true;
}

bool TermList::Load(uint32_t block) {
  if (loaded_ == block) return true;
  if (!Locate(block)) return false;
  loaded_ = kNone;
  freqs_of_ = kNone;
  if (!blocks_.Docs(block, located_, docs_)) {
    corrupt_ = true;
    return false;
  }
  loaded_ = block;
  size_ = located_.size();
  std::fill(docs_ + size_, docs_ + codec::kBlockRoom, kNoMoreDocs);
  place_ = 0;
  return true;
}

const uint32_t* TermList::Freqs() {
  if (freqs_of_ != loaded_) {
    Locate(loaded_);
    located_.Freqs(freqs_);
    freqs_of_ = loaded_;
  }
  return freqs_;
}

void TermList::Counts(float* counts) {
  const uint32_t* const freqs = Freqs();
  if (norms_.empty()) {
    const float factor = factors_[kNoNorm];
    for (uint32_t i = 0; i < size_; ++i) counts[i] = static_cast<float>(freqs[i]) * factor;
    return;
  }
  const uint8_t* const norms = norms_.data();
  for (uint32_t i = 0; i < size_; ++i) counts[i] = factors_[norms[docs_[i]]];
  for (uint32_t i = 0; i < size_; ++i) counts[i] *= static_cast<float>(freqs[i]);
}

uint32_t TermList::PlaceOf(DocId doc, uint32_t from) const {
  // Signed, as instructions compare; documents are below 2^31.
  using Lanes [[gnu::vector_size(16)]] = int32_t;
  constexpr uint32_t kLanes = 4;
  constexpr uint32_t kAtOnce = 4 * kLanes;
  static_assert(codec::kBlockRoom >= codec::kPostingsBlock + kAtOnce);
  // Counted, without a branch for each: where it is cannot be foretold. It ends, as the room behind
  // the documents is kNoMoreDocs.
  const Lanes wanted = Lanes{} + static_cast<int32_t>(doc);
  for (;; from += kAtOnce) {
    Lanes before = {};  // less one for each document before `doc`
    for (uint32_t at = from; at < from + kAtOnce; at += kLanes) {
      Lanes docs;
      std::memcpy(&docs, docs_ + at, sizeof(docs));
      before += docs < wanted;
    }
    const auto count = static_cast<uint32_t>(-(before[0] + before[1] + before[2] + before[3]));
    if (count < kAtOnce) return from + count;
  }
}

uint32_t TermList::Seek(DocId doc) {
  const uint32_t from = blocks_.count() > 1 && doc < blocks_.FirstBound(at_block_) ? 0 : at_block_;
  const uint32_t block = blocks_.Find(doc, from);
  if (block < blocks_.count()) at_block_ = block;
  return block;
}

bool TermList::Probe(DocId doc, double least) {
  if (bits_ != nullptr) {
    if (!bits_->Has(doc)) return false;
    const uint32_t rank = bits_->Rank(doc);
    probed_ = doc;
    place_ = rank % codec::kPostingsBlock;
    return Locate(rank / codec::kPostingsBlock);
  }
  const uint32_t block = Seek(doc);
  if (block >= blocks_.count()) return false;
  if (bounds_ != nullptr && BlockBound(block) < least) return false;
  if (!Load(block)) return false;
  place_ = PlaceOf(doc, docs_[place_] <= doc ? place_ : 0);
  probed_ = doc;
  return docs_[place_] == doc && Locate(block);
}

}  // namespace curlew::search
