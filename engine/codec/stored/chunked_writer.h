// Writes documents in chunks that are compressed each by itself; behind all codecs that compress.
#ifndef CURLEW_ENGINE_CODEC_STORED_CHUNKED_WRITER_H_
#define CURLEW_ENGINE_CODEC_STORED_CHUNKED_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/codec/stored/chunk_coder.h"
#include "engine/codec/stored/record_table.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/store/checked_file.h"

namespace curlew::codec {

// No document's source takes inflating more than this, unless it is larger itself.
inline constexpr size_t kMostChunkBytes = 16 * 1024;

// What chunks are compressed with. Chunks that agree in all of it can be copied.
struct ChunkSettings {
  std::string_view codec;
  int level = 0;  // 0 where the codec has none
  std::string dictionary;
  size_t chunk_bytes = kMostChunkBytes;  // a chunk is closed before it has more than that
};

class ChunkedWriter final : public StoredWriter {
 public:
  // `compressor` does as `settings` say.
  ChunkedWriter(std::unique_ptr<store::CheckedWriter> out, ChunkSettings settings,
                std::unique_ptr<ChunkCompressor> compressor);

  void Add(const StoredDocument& document) override;
  absl::StatusOr<bool> CopyChunk(const StoredDocuments& from, DocId first, DocId end) override;
  absl::Status Finish() override;

 private:
  void CloseChunk();
  // A chunk that is far from full although the next document, of `next_size`, would go into it.
  bool Small(uint64_t raw_size, uint64_t next_size) const;

  const std::unique_ptr<store::CheckedWriter> out_;
  const ChunkSettings settings_;
  const std::unique_ptr<ChunkCompressor> compressor_;
  absl::Status status_;
  RecordTableWriter table_;
  std::string chunk_;  // raw documents not yet written
  std::string compressed_;
  std::vector<uint64_t> chunk_offsets_;
  std::vector<uint32_t> chunk_first_docs_;  // one longer while a chunk is open
  uint64_t small_chunks_ = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_CHUNKED_WRITER_H_
