// What the writer and the reader of points have to agree on (docs/formats/points.md).
#ifndef CURLEW_ENGINE_CODEC_POINTS_POINTS_FORMAT_H_
#define CURLEW_ENGINE_CODEC_POINTS_POINTS_FORMAT_H_

#include <cstdint>
#include <string>

#include "engine/store/checked_file.h"

namespace curlew::codec {

inline constexpr store::FileFormat kPointsFormat{"points", 1, 1};
inline std::string PointsFileName(const std::string& segment) { return segment + ".points"; }

enum class PointsKind : uint8_t { kNumbers = 0, kBoxes = 1 };

inline constexpr uint32_t kMaxDimensions = 8;
inline constexpr uint32_t kMaxDimensionBytes = 16;

// A leaf of numbers. Its bytes: packed distances of the values from the first, packed distances of
// the documents from the least.
struct NumberLeaf {
  int64_t first;
  uint64_t place;  // position << 16 | width of the values << 8 | width of the documents
  uint32_t least_doc;
  uint32_t zero;
};
static_assert(sizeof(NumberLeaf) == 24);
// Instead of a width: the documents follow each other, from the least on.
inline constexpr uint32_t kDocRun = 0xff;

// A leaf of boxes starts with its bounds (min and max, packed), then this, then packed distances of
// the documents from the least, then by point and dimension the bytes in which min and max differ.
struct BoxLeafHead {
  uint32_t least_doc;
  uint32_t doc_width;
};
static_assert(sizeof(BoxLeafHead) == 8);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POINTS_POINTS_FORMAT_H_
