#include "engine/codec/stored/zstd_chunks.h"

#include <zstd.h>

#include <cstdint>
#include <string>
#include <utility>

#include "fmt/format.h"

namespace curlew::codec {
namespace {

// zstd cannot do better than about 128 KiB in 4 bytes.
constexpr uint64_t kMaxRatio = 1 << 16;

struct Deleter {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CDict* dictionary) const { ZSTD_freeCDict(dictionary); }
  void operator()(ZSTD_DDict* dictionary) const { ZSTD_freeDDict(dictionary); }
};

absl::Status Failed(size_t code) {
  return absl::InternalError(fmt::format("zstd: {}", ZSTD_getErrorName(code)));
}

class Compressor final : public ChunkCompressor {
 public:
  absl::Status Start(int level, std::string_view dictionary) {
    context_.reset(ZSTD_createCCtx());
    if (context_ == nullptr) return absl::ResourceExhaustedError("zstd: no memory");
    // A file has one dictionary: its number need not be in every chunk.
    for (const auto& [parameter, value] :
         {std::pair(ZSTD_c_compressionLevel, level), std::pair(ZSTD_c_dictIDFlag, 0)}) {
      const size_t code = ZSTD_CCtx_setParameter(context_.get(), parameter, value);
      if (ZSTD_isError(code)) return Failed(code);
    }
    if (dictionary.empty()) return absl::OkStatus();
    dictionary_.reset(ZSTD_createCDict(dictionary.data(), dictionary.size(), level));
    if (dictionary_ == nullptr) return absl::ResourceExhaustedError("zstd: no memory");
    const size_t code = ZSTD_CCtx_refCDict(context_.get(), dictionary_.get());
    return ZSTD_isError(code) ? Failed(code) : absl::OkStatus();
  }

  absl::Status Compress(std::string_view raw, std::string& out) override {
    out.resize(ZSTD_compressBound(raw.size()));
    const size_t size =
        ZSTD_compress2(context_.get(), out.data(), out.size(), raw.data(), raw.size());
    if (ZSTD_isError(size)) return Failed(size);
    out.resize(size);
    return absl::OkStatus();
  }

 private:
  std::unique_ptr<ZSTD_CDict, Deleter> dictionary_;
  std::unique_ptr<ZSTD_CCtx, Deleter> context_;
};

// A thread's inflating state (about 160 KB), made when it is first needed.
ZSTD_DCtx* ThreadContext() {
  thread_local const std::unique_ptr<ZSTD_DCtx, Deleter> context(ZSTD_createDCtx());
  return context.get();
}

class Inflater final : public ChunkInflater {
 public:
  explicit Inflater(std::unique_ptr<ZSTD_DDict, Deleter> dictionary)
      : dictionary_(std::move(dictionary)) {}

  bool Inflate(std::string_view compressed, char* raw, size_t size) const override {
    ZSTD_DCtx* context = ThreadContext();
    if (context == nullptr ||
        ZSTD_getFrameContentSize(compressed.data(), compressed.size()) != size) {
      return false;
    }
    // Without a dictionary the same as the plain call, and cheaper than telling them apart.
    const size_t got = ZSTD_decompress_usingDDict(context, raw, size, compressed.data(),
                                                  compressed.size(), dictionary_.get());
    return !ZSTD_isError(got) && got == size;
  }
  uint64_t MostRawBytes(uint64_t compressed_bytes) const override {
    return (compressed_bytes + 1) * kMaxRatio;
  }

 private:
  const std::unique_ptr<ZSTD_DDict, Deleter> dictionary_;  // null = none
};

}  // namespace

absl::StatusOr<std::unique_ptr<ChunkCompressor>> NewZstdCompressor(int level,
                                                                   std::string_view dictionary) {
  auto compressor = std::make_unique<Compressor>();
  if (absl::Status status = compressor->Start(level, dictionary); !status.ok()) return status;
  return compressor;
}

std::unique_ptr<ChunkInflater> NewZstdInflater(std::string_view dictionary) {
  std::unique_ptr<ZSTD_DDict, Deleter> loaded;
  if (!dictionary.empty()) {
    loaded.reset(ZSTD_createDDict(dictionary.data(), dictionary.size()));
    if (loaded == nullptr) return nullptr;
  }
  return std::make_unique<Inflater>(std::move(loaded));
}

}  // namespace curlew::codec
