// Reads documents in chunks that are compressed each by itself; behind all codecs that compress.
#ifndef CURLEW_ENGINE_CODEC_STORED_CHUNKED_DOCUMENTS_H_
#define CURLEW_ENGINE_CODEC_STORED_CHUNKED_DOCUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/stored/chunk_coder.h"
#include "engine/codec/stored/tabled_documents.h"

namespace curlew::codec {

// Thread-safe once loaded.
class ChunkedDocuments final : public TabledDocuments {
 public:
  // `dictionary` stays as long as the inflater does. Null when it cannot be used.
  using NewInflater = std::unique_ptr<ChunkInflater> (*)(std::string_view dictionary);

  explicit ChunkedDocuments(std::string_view codec) : codec_(codec) {}
  // `with_settings`: the table of contents ends with level and dictionary (not so in version 1 of
  // "stored.zstd", which is level 3 without one).
  absl::Status Load(store::CheckedFile file, DocId max_doc, bool with_settings,
                    NewInflater new_inflater);

  std::unique_ptr<StoredCursor> NewCursor() const override;
  std::string_view codec() const override { return codec_; }
  DocId ChunkEnd(DocId doc) const override;
  std::string_view dictionary() const override { return dictionary_; }
  int level() const { return level_; }

  // The documents [first, end) that were compressed together.
  struct Chunk {
    size_t number = 0;
    DocId first = 0;
    DocId end = 0;
    uint64_t raw_start = 0;  // as RecordTable counts
    uint64_t raw_size = 0;
    std::string_view compressed;
  };
  // The chunk with `doc`. Corruption when what the file says of it does not fit.
  absl::StatusOr<Chunk> ChunkOf(DocId doc) const;
  absl::StatusOr<std::string> Inflate(const Chunk& chunk) const;

 private:
  // Documents below the first one of chunk 0 do not exist in a sound file.
  size_t NumberOf(DocId doc) const;
  absl::Status Damaged(size_t chunk) const;

  const std::string_view codec_;
  int level_ = StoredFormat::kDefaultLevel;
  std::string_view dictionary_;
  std::unique_ptr<ChunkInflater> inflater_;
  std::span<const uint64_t> offsets_;     // one more than chunks
  std::span<const uint32_t> first_docs_;  // of each chunk
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_CHUNKED_DOCUMENTS_H_
