// Doc values: a field's values by document, for sorting, ranges, counting, and reading back.
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/codec/types.h"

namespace curlew::codec {

// Columns say something of every so many documents (block n: documents from n times this on), so
// that whoever looks for certain values can pass over the others.
inline constexpr DocId kColumnBlockDocs = 4096;

// Where columns unpack to. Belongs to one caller at a time, who keeps it to spare allocations; what
// a column returned of it is valid until it is used again.
struct ColumnScratch {
  std::vector<int64_t> numbers;
  std::vector<uint32_t> ordinals;
  std::vector<DocId> docs;
  std::vector<uint64_t> bits;
};

// Which of a document's values is wanted.
enum class ValuePick : uint8_t { kLeast, kGreatest };

// Of the documents of a block.
struct ColumnBlock {
  int64_t min = 0;  // no value is outside of these bounds
  int64_t max = 0;
  bool every = false;  // each of them has a value
  bool none = false;   // none of them has one
};

// Numbers as 64-bit integers (see NumberToSortable in numbers.h for fractions). A document has
// zero, one or several values, kept sorted, duplicates kept. Thread-safe, owned by its segment.
class NumericColumn {
 public:
  virtual ~NumericColumn() = default;
  // A document's values; empty when it has none. Valid until `scratch` is used again.
  virtual std::span<const int64_t> Values(DocId doc, ColumnScratch& scratch) const = 0;
  virtual bool Has(DocId doc) const = 0;
  virtual uint32_t doc_count() const = 0;  // documents with a value
  virtual bool single_valued() const = 0;  // no document has more than one
  virtual int64_t min() const = 0;         // over all documents; undefined when doc_count() is 0
  virtual int64_t max() const = 0;

  // One value of each document into `out`, `missing` where there is none. `docs` ascends.
  virtual void Read(std::span<const DocId> docs, ValuePick pick, int64_t missing,
                    int64_t* out) const;
  // Bit i of `bits` becomes whether document `first + i` has a value in [low, high]; whole words
  // are written. `first` and `count` (at least 1) stay within one block.
  virtual void Mark(DocId first, uint32_t count, int64_t low, int64_t high, ColumnScratch& scratch,
                    uint64_t* bits) const;
  // As far as it is known without looking.
  virtual ColumnBlock Block(uint32_t) const { return {min(), max(), false, false}; }
};

// Strings as ordinals into the sorted, distinct values of the segment. A document's ordinals are
// sorted and distinct. Thread-safe, owned by its segment.
class OrdinalColumn {
 public:
  static constexpr uint32_t kNoOrdinal = 0xffffffff;

  virtual ~OrdinalColumn() = default;
  // A document's ordinals, each below value_count(). Valid until `scratch` is used again.
  virtual std::span<const uint32_t> Ordinals(DocId doc, ColumnScratch& scratch) const = 0;
  virtual bool Has(DocId doc) const = 0;
  virtual uint32_t value_count() const = 0;
  virtual std::string_view Value(uint32_t ordinal) const = 0;
  // The first ordinal whose value is >= `value`; value_count() when there is none.
  virtual uint32_t LowerBound(std::string_view value) const = 0;
  virtual uint32_t doc_count() const = 0;
  virtual bool single_valued() const = 0;

  // One ordinal of each document into `out`, kNoOrdinal where there is none. `docs` ascends.
  virtual void Read(std::span<const DocId> docs, ValuePick pick, uint32_t* out) const;
  // Adds each document of `docs` (ascending) to the counts of all its ordinals.
  virtual void Count(std::span<const DocId> docs, ColumnScratch& scratch, uint32_t* counts) const;
  // How many documents have the value; -1 when that is not known without looking.
  virtual int64_t DocCountOf(uint32_t) const { return -1; }
  // Bounds of ordinals, as far as known without looking.
  virtual ColumnBlock Block(uint32_t) const {
    return {0, static_cast<int64_t>(value_count()) - 1, false, false};
  }
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_COLUMN_H_
