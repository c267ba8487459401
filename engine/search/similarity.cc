#include "engine/search/similarity.h"

#include <array>
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

namespace {

std::shared_ptr<const codec::NormFactors> MakeFactors(float average_length) {
  auto factors = std::make_shared<codec::NormFactors>();
  for (size_t norm = 0; norm < factors->size(); ++norm) {
    const auto length = static_cast<float>(codec::DecodeNorm(static_cast<uint8_t>(norm)));
    (*factors)[norm] = 1.0f / (kBm25K1 * ((1.0f - kBm25B) + kBm25B * length / average_length));
  }
  return factors;
}

// 256 divisions are a tenth of a small query: those of the last few mean lengths are kept.
std::shared_ptr<const codec::NormFactors> FactorsFor(float average_length) {
  struct Kept {
    float average_length = 0;
    std::shared_ptr<const codec::NormFactors> factors;
  };
  thread_local std::array<Kept, 4> kept;
  thread_local size_t next = 0;
  for (const Kept& one : kept) {
    if (one.average_length == average_length && one.factors != nullptr) return one.factors;
  }
  Kept& one = kept[next++ % kept.size()];
  one = {average_length, MakeFactors(average_length)};
  return one.factors;
}

}  // namespace

Bm25::Bm25(float boost, float idf, const FieldTotals& totals) : weight_(boost * idf) {
  const float average_length =
      totals.doc_count == 0 ? 1.0f
                            : static_cast<float>(static_cast<double>(totals.sum_total_term_freq) /
                                                 static_cast<double>(totals.doc_count));
  factors_ = FactorsFor(average_length);
}

}  // namespace curlew::search
