// Documents whose column has certain values, found by looking at the column block by block.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_COLUMN_SCAN_H_
#define CURLEW_ENGINE_SEARCH_SCORE_COLUMN_SCAN_H_

#include <cstdint>
#include <memory>

#include "engine/codec/columns/column.h"
#include "engine/search/scorer.h"
#include "engine/util/cancel.h"

namespace curlew::search {

// What is asked of a column: one object a scorer, used by one thread.
class ColumnFilter {
 public:
  // Of the documents of a block, as far as it is known without looking.
  enum class Block : uint8_t { kNone, kSome, kAll };

  virtual ~ColumnFilter() = default;
  virtual Block Look(uint32_t block) const = 0;
  virtual bool Matches(DocId doc) = 0;
  // Bit i becomes whether document `first + i` matches; whole words. Within one block.
  virtual void Mark(DocId first, uint32_t count, uint64_t* bits) = 0;
};

// The matches of a filter, each with `score`. Blocks that are walked are marked at once; one that
// is probed here and there is asked document by document, until that happens too often.
std::unique_ptr<Scorer> NewColumnScan(std::unique_ptr<ColumnFilter> filter, DocId max_doc,
                                      float score, const CancelToken* cancel);

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_COLUMN_SCAN_H_
