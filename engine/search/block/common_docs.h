// Which documents two runs of them share.
#ifndef CURLEW_ENGINE_SEARCH_BLOCK_COMMON_DOCS_H_
#define CURLEW_ENGINE_SEARCH_BLOCK_COMMON_DOCS_H_

#include <cstdint>

#include "engine/codec/types.h"

namespace curlew::search {

// What lies behind a run: read, and taken for no document.
inline constexpr uint32_t kCommonDocsSlack = 4;

// Writes the places in `a` and in `b` of the documents that both have, ascending, and returns how
// many. Both ascend, hold at most 256 documents below 2^31 - 1, and are followed by
// kCommonDocsSlack numbers that are in neither and, as 32 bits, in only one of the slacks; the
// slack of `a` may as well be documents behind all of `b`.
//
// Four of each at a time, each against each (Schlegel, Willhalm and Lehner, "Fast Sorted-Set
// Intersection using SIMD Instructions", 2011): which run goes on is not a branch.
uint32_t CommonDocs(const codec::DocId* a, uint32_t a_count, const codec::DocId* b,
                    uint32_t b_count, uint8_t* a_places, uint8_t* b_places);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_BLOCK_COMMON_DOCS_H_
