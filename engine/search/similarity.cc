#include "engine/search/similarity.h"

#include <cmath>

#include "engine/codec/norms/norms.h"
#include "engine/codec/terms/terms.h"

namespace curlew::search {

FieldTotals TotalsOf(const index::Snapshot& snapshot, std::string_view field) {
  FieldTotals totals;
  for (const index::SnapshotSegment& segment : snapshot.segments) {
    if (const codec::FieldTerms* terms = segment.reader->Terms(field)) {
      totals.doc_count += terms->stats().doc_count;
      totals.sum_total_term_freq += terms->stats().sum_total_term_freq;
    }
  }
  return totals;
}

float Idf(uint64_t doc_freq, uint64_t doc_count) {
  const double df = static_cast<double>(doc_freq);
  const double count = static_cast<double>(doc_count);
  return static_cast<float>(std::log(1 + (count - df + 0.5) / (df + 0.5)));
}

Bm25::Bm25(float boost, float idf, const FieldTotals& totals) : weight_(boost * idf) {
  const float average_length =
      totals.doc_count == 0 ? 1.0f
                            : static_cast<float>(static_cast<double>(totals.sum_total_term_freq) /
                                                 static_cast<double>(totals.doc_count));
  for (size_t norm = 0; norm < inverse_norm_.size(); ++norm) {
    const auto length = static_cast<float>(codec::DecodeNorm(static_cast<uint8_t>(norm)));
    inverse_norm_[norm] = 1.0f / (kBm25K1 * ((1.0f - kBm25B) + kBm25B * length / average_length));
  }
}

}  // namespace curlew::search
