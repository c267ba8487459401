#include "engine/codec/points/mapped_numbers.h"

#include <algorithm>
#include <array>

#include "engine/codec/columns/bit_packing.h"
#include "engine/codec/sections.h"
#include "engine/util/error.h"

namespace curlew::codec {
namespace {

uint32_t ValueWidth(const NumberLeaf& leaf) {
  return static_cast<uint32_t>(leaf.place >> 8 & 0xff);
}
uint32_t DocWidth(const NumberLeaf& leaf) { return static_cast<uint32_t>(leaf.place & 0xff); }
uint64_t PositionOf(const NumberLeaf& leaf) { return leaf.place >> 16; }

}  // namespace

absl::Status MappedNumbers::Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc) {
  const auto bad = [&file] {
    return Corruption(file.name() + ": the points of a field are damaged");
  };
  value_count_ = in.Varint();
  const uint64_t docs = in.Varint();
  const uint64_t leaves_at = in.Varint();
  if (in.failed() || value_count_ == 0 || value_count_ > uint64_t{1} << 40 || docs == 0 ||
      docs > value_count_ || docs > max_doc) {
    return bad();
  }
  max_doc_ = max_doc;
  doc_count_ = static_cast<uint32_t>(docs);
  file_ = file.bytes().data();
  const uint64_t leaves = (value_count_ + kPointsPerLeaf - 1) / kPointsPerLeaf;
  CURLEW_ASSIGN_OR_RETURN(leaves_, MappedArray<NumberLeaf>(file, leaves_at, leaves));
  for (uint64_t i = 0; i < leaves; ++i) {
    const NumberLeaf& leaf = leaves_[i];
    const uint32_t doc_width = DocWidth(leaf);
    const bool run = doc_width == kDocRun;
    if (!IsPackedWidth(ValueWidth(leaf)) || (!run && doc_width > 32)) return bad();
    const uint64_t bytes =
        PackedBytes(CountOf(i), ValueWidth(leaf)) + (run ? 0 : PackedBytes(CountOf(i), doc_width));
    CURLEW_RETURN_IF_ERROR(MappedBytes(file, PositionOf(leaf), bytes).status());
  }
  return absl::OkStatus();
}

uint32_t MappedNumbers::CountOf(uint64_t leaf) const {
  return static_cast<uint32_t>(
      std::min<uint64_t>(kPointsPerLeaf, value_count_ - leaf * kPointsPerLeaf));
}

template <typename Before>
uint64_t MappedNumbers::Search(int64_t value, Before before) const {
  const auto after =
      std::partition_point(leaves_.begin(), leaves_.end(),
                           [&](const NumberLeaf& leaf) { return before(leaf.first, value); });
  if (after == leaves_.begin()) return 0;
  const auto number = static_cast<uint64_t>(after - leaves_.begin()) - 1;
  const NumberLeaf& leaf = leaves_[number];
  const PackedReader rises(file_ + PositionOf(leaf), ValueWidth(leaf));
  uint32_t low = 1;  // the first is known
  uint32_t high = CountOf(number);
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const auto at = static_cast<int64_t>(static_cast<uint64_t>(leaf.first) + rises.Get(middle));
    if (before(at, value)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return number * kPointsPerLeaf + low;
}

uint64_t MappedNumbers::Below(int64_t value) const {
  return Search(value, [](int64_t a, int64_t b) { return a < b; });
}

uint64_t MappedNumbers::UpTo(int64_t value) const {
  return Search(value, [](int64_t a, int64_t b) { return a <= b; });
}

uint32_t MappedNumbers::Read(uint64_t first, uint64_t last, DocId* docs, int64_t* values) const {
  const uint64_t number = first / kPointsPerLeaf;
  const NumberLeaf& leaf = leaves_[number];
  const auto from = static_cast<uint32_t>(first % kPointsPerLeaf);
  const auto count =
      static_cast<uint32_t>(std::min<uint64_t>(CountOf(number) - from, last - first));
  const char* const data = file_ + PositionOf(leaf);
  std::array<uint64_t, kPointsPerLeaf> numbers;
  if (values != nullptr) {
    PackedReader(data, ValueWidth(leaf)).Read(from, count, numbers.data());
    for (uint32_t i = 0; i < count; ++i) {
      values[i] = static_cast<int64_t>(static_cast<uint64_t>(leaf.first) + numbers[i]);
    }
  }
  // Damaged distances may lead beyond the last document.
  const uint64_t greatest = max_doc_ - 1;
  if (DocWidth(leaf) == kDocRun) {
    for (uint32_t i = 0; i < count; ++i) {
      docs[i] =
          static_cast<DocId>(std::min<uint64_t>(uint64_t{leaf.least_doc} + from + i, greatest));
    }
    return count;
  }
  const PackedReader packed(data + PackedBytes(CountOf(number), ValueWidth(leaf)), DocWidth(leaf));
  packed.Read(from, count, numbers.data());
  for (uint32_t i = 0; i < count; ++i) {
    docs[i] = static_cast<DocId>(std::min(leaf.least_doc + numbers[i], greatest));
  }
  return count;
}

}  // namespace curlew::codec
