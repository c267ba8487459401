// What columns of numbers and of ordinals have in common in a file: presence, starts, values, and
// what is said of each block.
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_PACKED_COLUMN_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_PACKED_COLUMN_H_

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/codec/columns/column.h"
#include "engine/codec/columns/number_sequence.h"
#include "engine/codec/columns/presence.h"

namespace curlew::codec {

// Reads a column's part of the file. Valid as long as the file is mapped; immutable.
class PackedColumn {
 public:
  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc);

  const Presence& presence() const { return presence_; }
  bool single() const { return single_; }
  const NumberSequence& values() const { return values_; }
  std::span<const BlockRecord> blocks() const { return blocks_; }
  ColumnBlock Block(uint32_t block) const;

  // Where a document's values are: `count` from `first` on, all of them there; no count when it has
  // none.
  struct Place {
    uint64_t first = 0;
    uint64_t count = 0;
  };
  Place PlaceOf(DocId doc) const;
  // All values of a document.
  std::span<const int64_t> Values(DocId doc, ColumnScratch& scratch) const;
  void Read(std::span<const DocId> docs, ValuePick pick, int64_t missing, int64_t* out) const;
  // Where the values of all documents in [first, last) are.
  Place PlaceOfAll(DocId first, DocId last) const;
  // As NumericColumn::Mark.
  void Mark(DocId first, uint32_t count, int64_t low, int64_t high, ColumnScratch& scratch,
            uint64_t* bits) const;

 private:
  Place PlaceOfRank(uint32_t rank) const;

  Presence presence_;
  bool single_ = false;
  NumberSequence starts_;  // unless single: by rank, and one more
  NumberSequence values_;
  std::span<const BlockRecord> blocks_;
};

// Gathers a column's values until it is known how to lay them out. Documents ascend.
class ColumnBuffer {
 public:
  void Clear();
  // False when the document is out of order, not below `max_doc`, or there are too many values.
  template <typename T>
  bool Add(DocId doc, std::span<const T> values, DocId max_doc) {
    if (values.empty()) return true;
    if (doc >= max_doc || (!docs_.empty() && doc <= docs_.back())) return false;
    docs_.push_back(doc);
    starts_.push_back(static_cast<int64_t>(values_.size()));
    values_.insert(values_.end(), values.begin(), values.end());
    single_ = single_ && values.size() == 1;
    return values_.size() <= std::numeric_limits<uint32_t>::max();
  }
  bool empty() const { return docs_.empty(); }
  const std::vector<int64_t>& values() const { return values_; }
  // Writes the arrays to `out` and appends what a PackedColumn loads to `contents`.
  void Write(store::CheckedWriter& out, DocId max_doc, std::string& contents);

 private:
  std::vector<DocId> docs_;
  std::vector<int64_t> starts_;
  std::vector<int64_t> values_;
  bool single_ = true;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_PACKED_COLUMN_H_
