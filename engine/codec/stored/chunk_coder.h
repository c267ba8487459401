// What a codec of chunks has of its own: how one chunk is compressed and inflated.
#ifndef CURLEW_ENGINE_CODEC_STORED_CHUNK_CODER_H_
#define CURLEW_ENGINE_CODEC_STORED_CHUNK_CODER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace curlew::codec {

// One thread at a time; keeps its state from chunk to chunk.
class ChunkCompressor {
 public:
  virtual ~ChunkCompressor() = default;
  // Replaces `out`.
  virtual absl::Status Compress(std::string_view raw, std::string& out) = 0;
};

// Thread-safe; owned by the segment's documents, which own the dictionary too.
class ChunkInflater {
 public:
  virtual ~ChunkInflater() = default;
  // Fills `raw`; false when `compressed` is not exactly `size` bytes, compressed. Bytes come from
  // disk and may say anything.
  virtual bool Inflate(std::string_view compressed, char* raw, size_t size) const = 0;
  // The most that so many compressed bytes can hold: what claims more is damaged, and no memory is
  // taken for it.
  virtual uint64_t MostRawBytes(uint64_t compressed_bytes) const = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_CHUNK_CODER_H_
