#include <utility>

#include "engine/codec/stored/chunked_documents.h"
#include "engine/codec/stored/chunked_writer.h"
#include "engine/codec/stored/zstd_chunks.h"
#include "engine/codec/stored/zstd_dictionary.h"
#include "engine/util/error.h"

namespace curlew::codec {
namespace {

absl::StatusOr<std::unique_ptr<StoredWriter>> NewZstdWriter(
    std::unique_ptr<store::CheckedWriter> out, ChunkSettings settings) {
  CURLEW_ASSIGN_OR_RETURN(auto compressor, NewZstdCompressor(settings.level, settings.dictionary));
  return std::make_unique<ChunkedWriter>(std::move(out), std::move(settings),
                                         std::move(compressor));
}

absl::StatusOr<std::unique_ptr<StoredDocuments>> LoadZstd(std::string_view codec,
                                                          store::CheckedFile file, DocId max_doc,
                                                          bool with_settings) {
  auto documents = std::make_unique<ChunkedDocuments>(codec);
  CURLEW_RETURN_IF_ERROR(documents->Load(std::move(file), max_doc, with_settings, NewZstdInflater));
  return documents;
}

struct NoDictTraits {
  static constexpr std::string_view kName = "zstd_no_dict";
  static constexpr store::FileFormat kFormat{"stored.zstd_no_dict", 1, 1};

  static absl::StatusOr<std::unique_ptr<StoredWriter>> NewWriter(
      std::unique_ptr<store::CheckedWriter> out, const StoredPlan& plan) {
    ChunkSettings settings;
    settings.codec = kName;
    settings.level = plan.level;
    settings.chunk_bytes = kPlainChunkBytes;
    return NewZstdWriter(std::move(out), std::move(settings));
  }
  static absl::StatusOr<std::unique_ptr<StoredDocuments>> Load(store::CheckedFile file,
                                                               DocId max_doc) {
    return LoadZstd(kName, std::move(file), max_doc, /*with_settings=*/true);
  }
  static uint64_t SampleBytes(uint64_t) { return 0; }
};

struct ZstdTraits {
  static constexpr std::string_view kName = "zstd";
  static constexpr store::FileFormat kFormat{"stored.zstd", 2, 1};

  static absl::StatusOr<std::unique_ptr<StoredWriter>> NewWriter(
      std::unique_ptr<store::CheckedWriter> out, const StoredPlan& plan) {
    ChunkSettings settings;
    settings.codec = kName;
    settings.level = plan.level;
    settings.dictionary = plan.dictionary.empty()
                              ? TrainDictionary(plan.samples, plan.raw_bytes, plan.level)
                              : plan.dictionary;
    settings.chunk_bytes = settings.dictionary.empty() ? kPlainChunkBytes : kDictionaryChunkBytes;
    return NewZstdWriter(std::move(out), std::move(settings));
  }
  static absl::StatusOr<std::unique_ptr<StoredDocuments>> Load(store::CheckedFile file,
                                                               DocId max_doc) {
    const bool with_settings = file.version() >= 2;
    return LoadZstd(kName, std::move(file), max_doc, with_settings);
  }
  static uint64_t SampleBytes(uint64_t raw_bytes) { return DictionarySampleBytes(raw_bytes); }
};

}  // namespace

const StoredCodec& ZstdCodec() {
  static const TabledCodec<ZstdTraits> codec;
  return codec;
}

const StoredCodec& ZstdNoDictCodec() {
  static const TabledCodec<NoDictTraits> codec;
  return codec;
}

}  // namespace curlew::codec
