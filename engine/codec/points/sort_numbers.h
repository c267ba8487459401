// Puts numbers into the order in which points are written.
#ifndef CURLEW_ENGINE_CODEC_POINTS_SORT_NUMBERS_H_
#define CURLEW_ENGINE_CODEC_POINTS_SORT_NUMBERS_H_

#include <cstdint>
#include <vector>

#include "engine/codec/types.h"

namespace curlew::codec {

struct NumberPoint {
  int64_t value;
  DocId doc;
};

// By value; those of equal values stay in their order (by document, if they came so). A radix sort
// over the bytes in which values differ.
void SortNumbers(std::vector<NumberPoint>& points);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POINTS_SORT_NUMBERS_H_
