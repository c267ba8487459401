// What the writer and the readers of postings have to agree on (docs/formats/postings.md).
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_FORMAT_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_FORMAT_H_

#include <cstdint>
#include <string>

#include "engine/store/checked_file.h"

namespace curlew::codec {

inline constexpr store::FileFormat kPostingsFormat{"postings", 2, 2};
inline std::string PostingsFileName(const std::string& segment) { return segment + ".postings"; }

// Documents in one block; only a term's last block has fewer.
inline constexpr uint32_t kPostingsBlock = 128;
// Positions in one chunk; only a block's last chunk has fewer.
inline constexpr uint32_t kPositionsChunk = 128;
// In place of the width of patched gaps: the documents are a bit set.
inline constexpr uint8_t kBitSetBlock = 0x40;
// In a table's first byte: the fronts of the blocks follow the arrays.
inline constexpr uint8_t kTableHasFronts = 0x10;
// 64-bit words of the longest one.
inline constexpr uint32_t kMostBitSetWords = 255;

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_FORMAT_H_
