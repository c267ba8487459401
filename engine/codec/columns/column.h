// Doc values: a field's values by document, for sorting, ranges, and reading back.
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/codec/types.h"

namespace curlew::codec {

// Numbers as 64-bit integers (see NumberToSortable in numbers.h for fractions). A document has
// zero, one or several values, kept sorted, duplicates kept. Thread-safe, owned by its segment.
class NumericColumn {
 public:
  virtual ~NumericColumn() = default;
  // Valid as long as the column (files are mapped); empty when the document has none.
  virtual std::span<const int64_t> Values(DocId doc) const = 0;
  virtual uint32_t doc_count() const = 0;  // documents with a value
  virtual bool single_valued() const = 0;  // no document has more than one
  virtual int64_t min() const = 0;         // over all documents; undefined when doc_count() is 0
  virtual int64_t max() const = 0;
};

// Strings as ordinals into the sorted, distinct values of the segment. A document's ordinals are
// sorted and distinct. Thread-safe, owned by its segment.
class OrdinalColumn {
 public:
  virtual ~OrdinalColumn() = default;
  virtual std::span<const uint32_t> Ordinals(DocId doc) const = 0;
  virtual uint32_t value_count() const = 0;
  virtual std::string_view Value(uint32_t ordinal) const = 0;
  // The first ordinal whose value is >= `value`; value_count() when there is none.
  virtual uint32_t LowerBound(std::string_view value) const = 0;
  virtual uint32_t doc_count() const = 0;
  virtual bool single_valued() const = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_H_
