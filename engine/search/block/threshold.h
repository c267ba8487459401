// What a document has to score to be among the best, and how much a part of its score has to give.
#ifndef CURLEW_ENGINE_SEARCH_BLOCK_THRESHOLD_H_
#define CURLEW_ENGINE_SEARCH_BLOCK_THRESHOLD_H_

#include <limits>

#include "engine/search/block/term_list.h"

namespace curlew::search {

// Bounds are summed and compared in double, scores rounded to float: bounds are taken as that much
// larger, stored scores as that much smaller, relative to what they are.
inline constexpr double kRoundingSlack = 1e-6;

inline double Inflated(float bound) { return static_cast<double>(bound) * (1 + kRoundingSlack); }

// The least count (see NormFactors) with which a document can get `need` out of a term; infinite
// when none can. Errs on the low side.
inline float LeastCount(const TermList& list, double need) {
  const double weight = list.weight();
  need -= (need + weight) * kRoundingSlack;
  if (!(need > 0)) return 0;
  if (need >= weight) return std::numeric_limits<float>::infinity();
  return static_cast<float>(need / (weight - need) * (1 - kRoundingSlack));
}

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_BLOCK_THRESHOLD_H_
