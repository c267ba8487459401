#include "engine/codec/columns/column.h"

#include <algorithm>

namespace curlew::codec {

void NumericColumn::Read(std::span<const DocId> docs, ValuePick pick, int64_t missing,
                         int64_t* out) const {
  ColumnScratch scratch;
  for (size_t i = 0; i < docs.size(); ++i) {
    const std::span<const int64_t> values = Values(docs[i], scratch);
    out[i] = values.empty() ? missing : pick == ValuePick::kLeast ? values.front() : values.back();
  }
}

void NumericColumn::Mark(DocId first, uint32_t count, int64_t low, int64_t high,
                         ColumnScratch& scratch, uint64_t* bits) const {
  std::fill_n(bits, (count + 63) / 64, 0);
  for (uint32_t i = 0; i < count; ++i) {
    for (const int64_t value : Values(first + i, scratch)) {
      if (value >= low && value <= high) bits[i / 64] |= uint64_t{1} << (i % 64);
    }
  }
}

void OrdinalColumn::Read(std::span<const DocId> docs, ValuePick pick, uint32_t* out) const {
  ColumnScratch scratch;
  for (size_t i = 0; i < docs.size(); ++i) {
    const std::span<const uint32_t> values = Ordinals(docs[i], scratch);
    out[i] = values.empty()              ? kNoOrdinal
             : pick == ValuePick::kLeast ? values.front()
                                         : values.back();
  }
}

void OrdinalColumn::Count(std::span<const DocId> docs, ColumnScratch& scratch,
                          uint32_t* counts) const {
  for (const DocId doc : docs) {
    for (const uint32_t ordinal : Ordinals(doc, scratch)) ++counts[ordinal];
  }
}

}  // namespace curlew::codec
