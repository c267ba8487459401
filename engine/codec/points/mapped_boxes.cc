#include "engine/codec/points/mapped_boxes.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/codec/columns/bit_packing.h"
#include "engine/codec/sections.h"
#include "engine/util/error.h"

namespace curlew::codec {

using Relation = PointVisitor::Relation;

struct MappedBoxes::Walk {
  PointVisitor& visitor;
  std::string min;  // of the cell
  std::string max;
  bool sound = true;
  std::array<DocId, kPointsPerLeaf> docs;
};

absl::Status MappedBoxes::Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc) {
  const auto bad = [&file] {
    return Corruption(file.name() + ": the points of a field are damaged");
  };
  dimensions_ = in.Byte();
  bytes_ = in.Byte();
  value_count_ = in.Varint();
  const uint64_t docs = in.Varint();
  const uint64_t positions_at = in.Varint();
  const uint64_t splits_at = in.Varint();
  if (in.failed() || dimensions_ == 0 || dimensions_ > kMaxDimensions || bytes_ == 0 ||
      bytes_ > kMaxDimensionBytes || value_count_ == 0 || value_count_ > uint64_t{1} << 40 ||
      docs == 0 || docs > value_count_ || docs > max_doc) {
    return bad();
  }
  max_doc_ = max_doc;
  doc_count_ = static_cast<uint32_t>(docs);
  file_ = file.bytes();
  const uint64_t leaves = (value_count_ + kPointsPerLeaf - 1) / kPointsPerLeaf;
  CURLEW_ASSIGN_OR_RETURN(positions_, MappedArray<uint64_t>(file, positions_at, leaves));
  CURLEW_ASSIGN_OR_RETURN(splits_, MappedBytes(file, splits_at, (leaves - 1) * (1 + bytes_)));
  return absl::OkStatus();
}

bool MappedBoxes::Intersect(PointVisitor& visitor) const {
  const size_t size = size_t{dimensions_} * bytes_;
  Walk walk{visitor, std::string(size, '\0'), std::string(size, '\xff'), true, {}};
  Descend(walk, 0, 0, positions_.size());
  return walk.sound;
}

// `leaves` leaves from `leaf` on, whose splits start at `split`.
void MappedBoxes::Descend(Walk& walk, uint64_t split, uint64_t leaf, uint64_t leaves) const {
  if (leaves == 1) return VisitLeaf(walk, leaf, false);
  const auto as_bytes = [](const std::string& s) {
    return reinterpret_cast<const uint8_t*>(s.data());
  };
  const Relation relation = walk.visitor.Compare(as_bytes(walk.min), as_bytes(walk.max));
  if (relation == Relation::kOutside) return;
  if (relation == Relation::kInside) {
    for (uint64_t i = 0; i < leaves; ++i) VisitLeaf(walk, leaf + i, true);
    return;
  }
  const char* const record = splits_.data() + split * (1 + bytes_);
  const uint32_t dimension = static_cast<uint8_t>(record[0]);
  if (dimension >= dimensions_) {
    walk.sound = false;
    return;
  }
  const uint64_t left = (leaves + 1) / 2;
  const size_t at = size_t{dimension} * bytes_;
  // Equal values may be on both sides of a split.
  const std::string high = walk.max.substr(at, bytes_);
  walk.max.replace(at, bytes_, record + 1, bytes_);
  Descend(walk, split + 1, leaf, left);
  walk.max.replace(at, bytes_, high);
  const std::string low = walk.min.substr(at, bytes_);
  walk.min.replace(at, bytes_, record + 1, bytes_);
  Descend(walk, split + left, leaf + left, leaves - left);
  walk.min.replace(at, bytes_, low);
}

void MappedBoxes::VisitLeaf(Walk& walk, uint64_t number, bool inside) const {
  Leaf leaf;
  if (!OpenLeaf(number, leaf, walk.docs.data())) {
    walk.sound = false;
    return;
  }
  const Relation relation = inside ? Relation::kInside : walk.visitor.Compare(leaf.min, leaf.max);
  if (relation == Relation::kOutside) return;
  if (relation == Relation::kInside) {
    return walk.visitor.VisitInside({walk.docs.data(), leaf.count});
  }
  std::array<uint8_t, kMaxDimensions * kMaxDimensionBytes> point;
  std::array<uint32_t, kMaxDimensions> same{};
  std::memcpy(point.data(), leaf.min, size_t{dimensions_} * bytes_);
  for (uint32_t d = 0; d < dimensions_; ++d) {
    const uint32_t at = d * bytes_;
    while (same[d] < bytes_ && leaf.min[at + same[d]] == leaf.max[at + same[d]]) ++same[d];
  }
  const uint8_t* next = leaf.suffixes;
  for (uint32_t i = 0; i < leaf.count; ++i) {
    for (uint32_t d = 0; d < dimensions_; ++d) {
      std::memcpy(&point[d * bytes_ + same[d]], next, bytes_ - same[d]);
      next += bytes_ - same[d];
    }
    walk.visitor.Visit(walk.docs[i], point.data());
  }
}

bool MappedBoxes::OpenLeaf(uint64_t number, Leaf& leaf, DocId* docs) const {
  const size_t size = size_t{dimensions_} * bytes_;
  const uint64_t at = positions_[number];
  const uint64_t head_size = 2 * size + sizeof(BoxLeafHead);
  if (at > file_.size() || file_.size() - at < head_size) return false;
  const auto* const data = reinterpret_cast<const uint8_t*>(file_.data()) + at;
  leaf.min = data;
  leaf.max = data + size;
  leaf.count = static_cast<uint32_t>(
      std::min<uint64_t>(kPointsPerLeaf, value_count_ - number * kPointsPerLeaf));
  BoxLeafHead head;
  std::memcpy(&head, data + 2 * size, sizeof(head));
  if (head.doc_width > 32) return false;
  uint64_t suffix = 0;
  for (uint32_t d = 0; d < dimensions_; ++d) {
    uint32_t same = 0;
    while (same < bytes_ && leaf.min[d * bytes_ + same] == leaf.max[d * bytes_ + same]) ++same;
    suffix += bytes_ - same;
  }
  const uint64_t doc_bytes = PackedBytes(leaf.count, head.doc_width);
  if (file_.size() - at - head_size < doc_bytes + suffix * leaf.count) return false;
  leaf.suffixes = data + head_size + doc_bytes;
  std::array<uint64_t, kPointsPerLeaf> distances;
  PackedReader(reinterpret_cast<const char*>(data) + head_size, head.doc_width)
      .Read(0, leaf.count, distances.data());
  for (uint32_t i = 0; i < leaf.count; ++i) {
    docs[i] = static_cast<DocId>(
        std::min<uint64_t>(head.least_doc + distances[i], uint64_t{max_doc_} - 1));
  }
  return true;
}

}  // namespace curlew::codec
