// BM25 as Lucene's BM25Similarity computes it (k1 1.2, b 0.75, no factor k1 + 1), with the same
// steps in the same precision, so that scores come out equal.
#ifndef CURLEW_ENGINE_SEARCH_SIMILARITY_H_
#define CURLEW_ENGINE_SEARCH_SIMILARITY_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/codec/postings/block_bounds.h"
#include "engine/codec/types.h"
#include "engine/index/snapshot.h"

namespace curlew::search {

inline constexpr float kBm25K1 = 1.2f;
inline constexpr float kBm25B = 0.75f;
using codec::kNoNorm;

// A field's statistics over all segments of a snapshot, deleted documents included.
struct FieldTotals {
  uint64_t doc_count = 0;
  uint64_t sum_total_term_freq = 0;
};
FieldTotals TotalsOf(const index::Snapshot& snapshot, std::string_view field);

// log(1 + (doc_count - doc_freq + 0.5) / (doc_freq + 0.5)).
float Idf(uint64_t doc_freq, uint64_t doc_count);

// Scores one term or phrase of one field. Immutable, thread-safe.
class Bm25 {
 public:
  // `idf`: a term's, or the sum over a phrase's terms.
  Bm25(float boost, float idf, const FieldTotals& totals);

  float Score(float freq, uint8_t norm) const { return ScoreOf(freq * factors()[norm]); }
  // Of a document that counts `count`: its frequency times the factor of its norm. Grows with it.
  float ScoreOf(float count) const { return weight_ - weight_ / (1.0f + count); }
  // No document scores more.
  float weight() const { return weight_; }
  const codec::NormFactors& factors() const { return *factors_; }

 private:
  float weight_;
  std::shared_ptr<const codec::NormFactors> factors_;  // of a mean length: many terms have it
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SIMILARITY_H_
