#include <lz4.h>

#include <utility>
#include <vector>

#include "engine/codec/stored/chunk_coder.h"
#include "engine/codec/stored/chunked_documents.h"
#include "engine/codec/stored/chunked_writer.h"

namespace curlew::codec {
namespace {

class Compressor final : public ChunkCompressor {
 public:
  absl::Status Compress(std::string_view raw, std::string& out) override {
    if (raw.size() > LZ4_MAX_INPUT_SIZE) {
      return absl::ResourceExhaustedError("lz4: a document is larger than 2 GB");
    }
    const int size = static_cast<int>(raw.size());
    out.resize(static_cast<size_t>(LZ4_compressBound(size)));
    const int got = LZ4_compress_fast_extState(state_.data(), raw.data(), out.data(), size,
                                               static_cast<int>(out.size()), /*acceleration=*/1);
    if (got <= 0) return absl::InternalError("lz4: a chunk cannot be compressed");
    out.resize(static_cast<size_t>(got));
    return absl::OkStatus();
  }

 private:
  std::vector<uint64_t> state_ = std::vector<uint64_t>(LZ4_sizeofState() / sizeof(uint64_t) + 1);
};

class Inflater final : public ChunkInflater {
 public:
  bool Inflate(std::string_view compressed, char* raw, size_t size) const override {
    if (compressed.size() > LZ4_MAX_INPUT_SIZE || size > LZ4_MAX_INPUT_SIZE) return false;
    const int got = LZ4_decompress_safe(compressed.data(), raw, static_cast<int>(compressed.size()),
                                        static_cast<int>(size));
    return got >= 0 && static_cast<size_t>(got) == size;
  }
  // A byte stands for at most 255.
  uint64_t MostRawBytes(uint64_t compressed_bytes) const override { return compressed_bytes * 255; }
};

std::unique_ptr<ChunkInflater> NewInflater(std::string_view dictionary) {
  return dictionary.empty() ? std::make_unique<Inflater>() : nullptr;
}

struct Traits {
  static constexpr std::string_view kName = "lz4";
  static constexpr store::FileFormat kFormat{"stored.lz4", 1, 1};

  static absl::StatusOr<std::unique_ptr<StoredWriter>> NewWriter(
      std::unique_ptr<store::CheckedWriter> out, const StoredPlan&) {
    ChunkSettings settings;
    settings.codec = kName;
    return std::make_unique<ChunkedWriter>(std::move(out), std::move(settings),
                                           std::make_unique<Compressor>());
  }
  static absl::StatusOr<std::unique_ptr<StoredDocuments>> Load(store::CheckedFile file,
                                                               DocId max_doc) {
    auto documents = std::make_unique<ChunkedDocuments>(kName);
    CURLEW_RETURN_IF_ERROR(
        documents->Load(std::move(file), max_doc, /*with_settings=*/true, NewInflater));
    return documents;
  }
  static uint64_t SampleBytes(uint64_t) { return 0; }
};

}  // namespace

const StoredCodec& Lz4Codec() {
  static const TabledCodec<Traits> codec;
  return codec;
}

}  // namespace curlew::codec
