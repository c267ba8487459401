#include "engine/search/block/common_docs.h"

#include <cstring>

namespace curlew::search {
namespace {

using Lanes [[gnu::vector_size(16)]] = uint32_t;
constexpr uint32_t kLanes = 4;

Lanes LoadLanes(const codec::DocId* docs) {
  Lanes lanes;
  std::memcpy(&lanes, docs, sizeof(lanes));
  return lanes;
}

bool AnySet(const Lanes& lanes) {
  uint64_t words[2];
  std::memcpy(words, &lanes, sizeof(words));
  return (words[0] | words[1]) != 0;
}

}  // namespace

uint32_t CommonDocs(const codec::DocId* a, uint32_t a_count, const codec::DocId* b,
                    uint32_t b_count, uint8_t* a_places, uint8_t* b_places) {
  static_assert(kCommonDocsSlack >= kLanes);
  uint32_t found = 0;
  for (uint32_t i = 0, j = 0; i < a_count && j < b_count;) {
    const Lanes x = LoadLanes(a + i);
    const Lanes y = LoadLanes(b + j);
    const Lanes equal = (x == y) | (x == __builtin_shufflevector(y, y, 1, 2, 3, 0)) |
                        (x == __builtin_shufflevector(y, y, 2, 3, 0, 1)) |
                        (x == __builtin_shufflevector(y, y, 3, 0, 1, 2));
    if (AnySet(equal)) {
      for (uint32_t k = 0; k < kLanes; ++k) {
        if (equal[k] == 0) continue;
        uint32_t at = 0;
        while (y[at] != x[k]) ++at;
        a_places[found] = static_cast<uint8_t>(i + k);
        b_places[found++] = static_cast<uint8_t>(j + at);
      }
    }
    const codec::DocId a_last = a[i + kLanes - 1];
    const codec::DocId b_last = b[j + kLanes - 1];
    i += a_last <= b_last ? kLanes : 0;
    j += b_last <= a_last ? kLanes : 0;
  }
  return found;
}

}  // namespace curlew::search
