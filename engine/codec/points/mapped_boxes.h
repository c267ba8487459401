// A block k-d tree, read where the file is mapped.
#ifndef CURLEW_ENGINE_CODEC_POINTS_MAPPED_BOXES_H_
#define CURLEW_ENGINE_CODEC_POINTS_MAPPED_BOXES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/codec/points/points.h"
#include "engine/codec/points/points_format.h"
#include "engine/util/bytes.h"

namespace curlew::codec {

// Valid as long as the file is mapped. Immutable.
class MappedBoxes final : public BoxPoints {
 public:
  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc);

  uint32_t dimensions() const override { return dimensions_; }
  uint32_t dimension_bytes() const override { return bytes_; }
  uint64_t value_count() const override { return value_count_; }
  uint32_t doc_count() const override { return doc_count_; }
  bool Intersect(PointVisitor& visitor) const override;

 private:
  struct Leaf {
    const uint8_t* min = nullptr;
    const uint8_t* max = nullptr;
    uint32_t count = 0;
    const uint8_t* suffixes = nullptr;
  };
  // A walk over the tree.
  struct Walk;

  void Descend(Walk& walk, uint64_t split, uint64_t leaf, uint64_t leaves) const;
  void VisitLeaf(Walk& walk, uint64_t leaf, bool inside) const;
  bool OpenLeaf(uint64_t number, Leaf& leaf, DocId* docs) const;

  DocId max_doc_ = 0;
  uint32_t dimensions_ = 0;
  uint32_t bytes_ = 0;
  uint64_t value_count_ = 0;
  uint32_t doc_count_ = 0;
  std::string_view file_;
  std::span<const uint64_t> positions_;
  std::string_view splits_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POINTS_MAPPED_BOXES_H_
