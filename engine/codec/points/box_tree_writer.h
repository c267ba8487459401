// Builds the block k-d tree of a field's points.
#ifndef CURLEW_ENGINE_CODEC_POINTS_BOX_TREE_WRITER_H_
#define CURLEW_ENGINE_CODEC_POINTS_BOX_TREE_WRITER_H_

#include <cstdint>
#include <span>
#include <string>

#include "engine/codec/types.h"
#include "engine/store/checked_file.h"

namespace curlew::codec {

// Writes leaves, directory and tree to `out`, and what a reader has to know to `contents`. At least
// one point.
void WriteBoxTree(store::CheckedWriter& out, uint32_t dimensions, uint32_t bytes,
                  std::span<const uint8_t> packed, std::span<const DocId> docs,
                  std::string& contents);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POINTS_BOX_TREE_WRITER_H_
