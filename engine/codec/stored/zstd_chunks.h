// Chunks compressed with zstd, with a dictionary or without.
#ifndef CURLEW_ENGINE_CODEC_STORED_ZSTD_CHUNKS_H_
#define CURLEW_ENGINE_CODEC_STORED_ZSTD_CHUNKS_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/codec/stored/chunk_coder.h"

namespace curlew::codec {

// An empty dictionary = none; the compressor keeps a copy. Error: no memory.
absl::StatusOr<std::unique_ptr<ChunkCompressor>> NewZstdCompressor(int level,
                                                                   std::string_view dictionary);

// Null when the dictionary cannot be read, or there is no memory.
std::unique_ptr<ChunkInflater> NewZstdInflater(std::string_view dictionary);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_ZSTD_CHUNKS_H_
