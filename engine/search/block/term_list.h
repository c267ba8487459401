// A scoring term of one segment for evaluation block by block: what its blocks can score, its
// documents a block at a time, and whether and how much a given document scores.
#ifndef CURLEW_ENGINE_SEARCH_BLOCK_TERM_LIST_H_
#define CURLEW_ENGINE_SEARCH_BLOCK_TERM_LIST_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "engine/codec/postings/block_bounds.h"
#include "engine/codec/postings/dense_bits.h"
#include "engine/codec/postings/posting_blocks.h"
#include "engine/codec/terms/terms.h"
#include "engine/search/scorer.h"
#include "engine/search/similarity.h"

namespace curlew::search {

// A term as its supplier describes it. Terms and similarity outlive what is made of it.
struct TermClause {
  const codec::FieldTerms* terms = nullptr;
  codec::TermEntry entry;
  const Bm25* bm25 = nullptr;      // null: does not score by BM25
  std::span<const uint8_t> norms;  // empty: the field keeps none
};

// One thread at a time. Bounds are of scores in float, as BM25 gives them; what is said of scores
// holds for terms that score.
class TermList {
 public:
  // False when the terms do not lie in blocks. Unless `scored`, nothing may be asked of scores.
  bool Open(const TermClause& clause, bool scored = true);

  uint32_t doc_freq() const { return blocks_.doc_freq(); }
  const codec::PostingBlocks& blocks() const { return blocks_; }
  bool corrupt() const { return corrupt_; }
  // Of a frequent term, else null.
  const codec::DenseBits* bits() const { return bits_.get(); }

  // No document of the term, or of one of its blocks, scores more.
  float bound() const { return bound_; }
  float BlockBound(uint32_t block) const {
    return bounds_ == nullptr ? bound_ : bm25_->ScoreOf(bounds_->of_block(block));
  }
  // Whether a document of the block may count `count`.
  bool CanCount(uint32_t block, float count) const {
    return bounds_ == nullptr || bounds_->of_block(block) >= count;
  }
  // The first block from `from` on that can; blocks().count() if none can.
  uint32_t NextThatCan(uint32_t from, float count) const {
    return bounds_ == nullptr ? from : bounds_->Next(from, count);
  }
  // At least `k` documents of the term score this, deleted ones included; -infinity: not known.
  float AtLeast(size_t k) const;

  // Decodes a block, after which docs(), size() and counts are of it. False (and corrupt()) when it
  // is damaged.
  bool Load(uint32_t block);
  uint32_t loaded() const { return loaded_; }
  uint32_t size() const { return size_; }
  const DocId* docs() const { return docs_; }
  // Of the first document of the loaded block at or behind `doc`, looked for from a place on that
  // is not behind it; size() or more, where docs() says kNoMoreDocs, if there is none.
  uint32_t PlaceOf(DocId doc, uint32_t from = 0) const;
  // The block that has `doc`, if any has; blocks().count() when none can. Cheapest for ascending
  // documents.
  uint32_t Seek(DocId doc);
  // Frequency of the document at a place of the loaded block.
  uint32_t FreqAt(uint32_t place) {
    return freqs_of_ == loaded_ ? freqs_[place] : located_.Freq(place);
  }
  // Frequencies of the loaded block.
  const uint32_t* Freqs();
  float CountOf(DocId doc, uint32_t freq) const {
    return static_cast<float>(freq) * factors_[norms_.empty() ? kNoNorm : norms_[doc]];
  }
  float ScoreOf(float count) const { return bm25_->ScoreOf(count); }
  float weight() const { return bm25_->weight(); }
  // Counts of the loaded block's documents, into `counts`.
  void Counts(float* counts);

  // Whether `doc` is there; the rest is then of it. Documents may come in any order; ascending ones
  // are cheapest. `least`: what the term has to score for the answer to matter, else it may be no.
  bool Probe(DocId doc, double least = -std::numeric_limits<double>::infinity());
  uint32_t freq() const { return located_.Freq(place_); }
  float Score() const { return bm25_->ScoreOf(CountOf(probed_, freq())); }
  uint32_t block() const { return located_block_; }
  uint32_t place() const { return place_; }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  bool Locate(uint32_t block);

  codec::PostingBlocks blocks_;
  std::shared_ptr<const codec::BlockBounds> bounds_;
  std::shared_ptr<const codec::DenseBits> bits_;
  const Bm25* bm25_ = nullptr;
  const float* factors_ = nullptr;
  std::span<const uint8_t> norms_;
  float bound_ = 0;
  bool corrupt_ = false;

  uint32_t located_block_ = kNone;
  codec::PostingBlock located_;
  uint32_t loaded_ = kNone;
  uint32_t freqs_of_ = kNone;
  uint32_t size_ = 0;
  // Where Probe stands.
  uint32_t at_block_ = 0;
  DocId probed_ = 0;
  uint32_t place_ = 0;

  DocId docs_[codec::kBlockRoom];
  uint32_t freqs_[codec::kBlockRoom];
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_BLOCK_TERM_LIST_H_
