// What the writer and the reader of postings have to agree on (docs/formats/postings.md).
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_FORMAT_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_FORMAT_H_

#include <cstdint>
#include <string>

#include "engine/store/checked_file.h"

namespace curlew::codec {

inline constexpr store::FileFormat kPostingsFormat{"postings", 1, 1};
inline std::string PostingsFileName(const std::string& segment) { return segment + ".postings"; }

// Documents in one block; only a term's last block has fewer.
inline constexpr uint32_t kPostingsBlock = 128;

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_FORMAT_H_
