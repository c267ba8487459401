// Points: a field's values in their own order, for finding the documents of a range of values.
#ifndef CURLEW_ENGINE_CODEC_POINTS_POINTS_H_
#define CURLEW_ENGINE_CODEC_POINTS_POINTS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/codec/types.h"

namespace curlew::codec {

// Points that are read together: a leaf's.
inline constexpr uint32_t kPointsPerLeaf = 512;

// Numbers (as columns keep them) ascending, equal ones by document. A value is known by its place
// in that order. Thread-safe, owned by its segment.
class NumberPoints {
 public:
  virtual ~NumberPoints() = default;
  virtual uint64_t value_count() const = 0;
  virtual uint32_t doc_count() const = 0;  // documents with a value
  // No document has more than one value, so that places of values count documents.
  bool single_valued() const { return value_count() == doc_count(); }
  // How many values are below `value`: the place of the first that is not.
  virtual uint64_t Below(int64_t value) const = 0;
  // How many values are at most `value`.
  virtual uint64_t UpTo(int64_t value) const = 0;
  // The documents (all below the segment's count), and their values unless that is null, from
  // `first` on, to the end of a leaf at most, and before `last`: at most kPointsPerLeaf, at least
  // one. `first` < `last` <= value_count().
  virtual uint32_t Read(uint64_t first, uint64_t last, DocId* docs, int64_t* values) const = 0;
};

// What looks through points of several dimensions. `min`, `max` and `point` are packed: dimension
// after dimension, each as so many bytes that compare as unsigned ones, high byte first.
class PointVisitor {
 public:
  enum class Relation : uint8_t { kOutside, kInside, kCrosses };

  virtual ~PointVisitor() = default;
  // How what is looked for stands to a cell: the points of the cell are none, all, or some of it.
  virtual Relation Compare(const uint8_t* min, const uint8_t* max) = 0;
  // The documents of points in a cell that is inside. In no order.
  virtual void VisitInside(std::span<const DocId> docs) = 0;
  // A point of a cell that crosses.
  virtual void Visit(DocId doc, const uint8_t* point) = 0;
};

// Points of one to eight dimensions, one to 16 bytes each, in a block k-d tree. Thread-safe, owned
// by its segment.
class BoxPoints {
 public:
  virtual ~BoxPoints() = default;
  virtual uint32_t dimensions() const = 0;
  virtual uint32_t dimension_bytes() const = 0;
  virtual uint64_t value_count() const = 0;
  virtual uint32_t doc_count() const = 0;
  // False when a part of the file is damaged, which is then left out.
  virtual bool Intersect(PointVisitor& visitor) const = 0;
};

// Gathers the documents of the points in a box, borders included. `low` and `high` are packed.
class BoxVisitor : public PointVisitor {
 public:
  BoxVisitor(const BoxPoints& points, std::string_view low, std::string_view high);

  Relation Compare(const uint8_t* min, const uint8_t* max) override;
  void VisitInside(std::span<const DocId> docs) override {
    docs_.insert(docs_.end(), docs.begin(), docs.end());
  }
  void Visit(DocId doc, const uint8_t* point) override;

  // One entry a point, in no order.
  const std::vector<DocId>& docs() const { return docs_; }

 private:
  const uint32_t dimensions_;
  const uint32_t bytes_;
  const std::string_view low_;
  const std::string_view high_;
  std::vector<DocId> docs_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POINTS_POINTS_H_
