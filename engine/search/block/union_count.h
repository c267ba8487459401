// Counts the documents of any of several terms: by bit sets, or from the lengths of two lists and
// how many documents they share.
#ifndef CURLEW_ENGINE_SEARCH_BLOCK_UNION_COUNT_H_
#define CURLEW_ENGINE_SEARCH_BLOCK_UNION_COUNT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/codec/live_docs/live_docs.h"
#include "engine/search/block/term_list.h"
#include "engine/util/cancel.h"

namespace curlew::search {

// One term or more; `live` is null when nothing is deleted. -1: the terms do not lie in blocks.
absl::StatusOr<int64_t> CountUnion(const std::vector<TermClause>& terms,
                                   const codec::LiveDocs* live, const CancelToken& cancel);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_BLOCK_UNION_COUNT_H_
