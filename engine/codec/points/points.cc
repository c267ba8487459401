#include "engine/codec/points/points.h"

#include <cstring>

namespace curlew::codec {

BoxVisitor::BoxVisitor(const BoxPoints& points, std::string_view low, std::string_view high)
    : dimensions_(points.dimensions()), bytes_(points.dimension_bytes()), low_(low), high_(high) {}

PointVisitor::Relation BoxVisitor::Compare(const uint8_t* min, const uint8_t* max) {
  bool inside = true;
  for (uint32_t d = 0; d < dimensions_; ++d) {
    const size_t at = size_t{d} * bytes_;
    if (std::memcmp(max + at, low_.data() + at, bytes_) < 0 ||
        std::memcmp(min + at, high_.data() + at, bytes_) > 0) {
      return Relation::kOutside;
    }
    inside = inside && std::memcmp(min + at, low_.data() + at, bytes_) >= 0 &&
             std::memcmp(max + at, high_.data() + at, bytes_) <= 0;
  }
  return inside ? Relation::kInside : Relation::kCrosses;
}

void BoxVisitor::Visit(DocId doc, const uint8_t* point) {
  if (Compare(point, point) != Relation::kOutside) docs_.push_back(doc);
}

}  // namespace curlew::codec
