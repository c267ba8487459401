#include <zstd.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/codec/sections.h"
#include "engine/codec/stored/tabled_documents.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

constexpr size_t kChunkBytes = 16 * 1024;
constexpr int kLevel = 3;
// zstd cannot do better than about 128 KiB in 4 bytes; what claims more is damaged.
constexpr uint64_t kMaxRatio = 1 << 16;
constexpr uint64_t kMaxChunk = 0x7fffffff;

struct ContextDeleter {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class Writer final : public StoredWriter {
 public:
  explicit Writer(std::unique_ptr<store::CheckedWriter> out)
      : out_(std::move(out)), context_(ZSTD_createCCtx()) {}

  void Add(const StoredDocument& document) override {
    const size_t size = document.id.size() + document.routing.size() + document.source.size();
    if (!chunk_.empty() && chunk_.size() + size > kChunkBytes) FlushChunk();
    if (chunk_first_docs_.size() == chunk_offsets_.size()) {
      chunk_first_docs_.push_back(table_.doc_count());
    }
    table_.Add(document);
    chunk_.append(document.id).append(document.routing).append(document.source);
    if (chunk_.size() >= kChunkBytes) FlushChunk();
  }

  absl::Status Finish() override {
    if (chunk_first_docs_.size() > chunk_offsets_.size()) FlushChunk();
    chunk_offsets_.push_back(out_->position());
    std::string contents;
    PutVarint(contents, chunk_first_docs_.size());
    PutVarint(contents, AppendArray(*out_, std::span<const uint64_t>(chunk_offsets_)));
    PutVarint(contents, AppendArray(*out_, std::span<const uint32_t>(chunk_first_docs_)));
    table_.Write(*out_, contents);
    AppendContents(*out_, contents);
    CURLEW_RETURN_IF_ERROR(out_->Finish());
    return status_;
  }

 private:
  void FlushChunk() {
    compressed_.resize(ZSTD_compressBound(chunk_.size()));
    const size_t size = context_ == nullptr ? static_cast<size_t>(-1)
                                            : ZSTD_compressCCtx(context_.get(), compressed_.data(),
                                                                compressed_.size(), chunk_.data(),
                                                                chunk_.size(), kLevel);
    chunk_offsets_.push_back(out_->position());
    if (ZSTD_isError(size)) {
      status_.Update(absl::InternalError(fmt::format("zstd: {}", ZSTD_getErrorName(size))));
    } else {
      out_->Append(std::string_view(compressed_).substr(0, size));
    }
    chunk_.clear();
  }

  const std::unique_ptr<store::CheckedWriter> out_;
  const std::unique_ptr<ZSTD_CCtx, ContextDeleter> context_;
  absl::Status status_;
  RecordTableWriter table_;
  std::string chunk_;  // raw documents not yet written
  std::string compressed_;
  std::vector<uint64_t> chunk_offsets_;
  std::vector<uint32_t> chunk_first_docs_;  // one longer while a chunk is open
};

class Documents final : public TabledDocuments {
 public:
  absl::Status Load(store::CheckedFile file, DocId max_doc) {
    file_ = std::move(file);
    CURLEW_ASSIGN_OR_RETURN(ByteReader in, OpenContents(file_));
    const uint64_t chunks = in.Varint();
    const uint64_t offsets_at = in.Varint();
    const uint64_t first_docs_at = in.Varint();
    CURLEW_RETURN_IF_ERROR(table_.Load(file_, in, max_doc));
    if (in.failed() || !in.AtEnd() || chunks > max_doc || (max_doc > 0 && chunks == 0)) {
      return Corruption(file_.name() + ": the table of contents is damaged");
    }
    CURLEW_ASSIGN_OR_RETURN(offsets_, MappedArray<uint64_t>(file_, offsets_at, chunks + 1));
    CURLEW_ASSIGN_OR_RETURN(first_docs_, MappedArray<uint32_t>(file_, first_docs_at, chunks));
    return absl::OkStatus();
  }

  std::unique_ptr<StoredCursor> NewCursor() const override;
  std::string_view codec() const override { return ZstdCodec().name(); }

  // The chunk with `doc`; documents below first_doc(0) do not exist in a sound file.
  size_t ChunkOf(DocId doc) const {
    const auto it = std::upper_bound(first_docs_.begin(), first_docs_.end(), doc);
    return it == first_docs_.begin() ? 0 : static_cast<size_t>(it - first_docs_.begin()) - 1;
  }
  uint64_t RawStart(size_t chunk) const { return table_.Start(first_docs_[chunk]); }
  absl::StatusOr<std::string> Inflate(size_t chunk, ZSTD_DCtx* context) const {
    const uint64_t raw_start = RawStart(chunk);
    const uint64_t raw_end =
        chunk + 1 < first_docs_.size() ? RawStart(chunk + 1) : table_.raw_bytes();
    const uint64_t start = offsets_[chunk];
    const uint64_t end = offsets_[chunk + 1];
    if (raw_start > raw_end || start > end) return Damaged(chunk);
    CURLEW_ASSIGN_OR_RETURN(const std::string_view compressed,
                            MappedBytes(file_, start, end - start));
    const uint64_t size = raw_end - raw_start;
    if (ZSTD_getFrameContentSize(compressed.data(), compressed.size()) != size ||
        size > kMaxChunk || size / kMaxRatio > compressed.size()) {
      return Damaged(chunk);
    }
    std::string raw(size, '\0');
    const size_t got =
        ZSTD_decompressDCtx(context, raw.data(), raw.size(), compressed.data(), compressed.size());
    if (ZSTD_isError(got) || got != size) return Damaged(chunk);
    return raw;
  }

 private:
  absl::Status Damaged(size_t chunk) const {
    return Corruption(fmt::format("{}: chunk {} cannot be inflated", file_.name(), chunk));
  }

  std::span<const uint64_t> offsets_;     // one more than chunks
  std::span<const uint32_t> first_docs_;  // of each chunk
};

// A thread's inflating state (about 160 KB), made when it is first needed.
ZSTD_DCtx* ThreadContext() {
  thread_local const std::unique_ptr<ZSTD_DCtx, ContextDeleter> context(ZSTD_createDCtx());
  return context.get();
}

class Cursor final : public StoredCursor {
 public:
  explicit Cursor(const Documents& documents) : documents_(documents) {}

  absl::Status ReadAll(std::span<const DocId> docs, StoredDocument* out) override {
    Shrink();
    for (const DocId doc : docs) CURLEW_RETURN_IF_ERROR(ReadOne(doc, *out++));
    return absl::OkStatus();
  }
  uint64_t kept_bytes() const override { return kept_bytes_; }

 private:
  struct Kept {
    std::string raw;
    uint64_t last_use = 0;
  };

  // Nobody looks at the chunks any more: drops those that were not used for longest.
  void Shrink() {
    while (kept_bytes_ > kKeptBytes) {
      const auto oldest = std::min_element(
          chunks_.begin(), chunks_.end(),
          [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; });
      if (oldest->first == last_) last_ = kNoChunk;
      kept_bytes_ -= oldest->second.raw.size();
      chunks_.erase(oldest);
    }
  }

  absl::Status ReadOne(DocId doc, StoredDocument& out) {
    const RecordTable& table = documents_.table();
    CURLEW_RETURN_IF_ERROR(table.Check(doc));
    CURLEW_ASSIGN_OR_RETURN(const std::string_view raw, Chunk(documents_.ChunkOf(doc)));
    const RecordTable::Extent extent = table.Of(doc);
    const uint64_t start = extent.start - documents_.RawStart(last_);
    if (start > raw.size() || extent.size() > raw.size() - start) {
      return Corruption(
          fmt::format("{}: document {} is outside of its chunk", documents_.file_name(), doc));
    }
    return table.Split(doc, raw.substr(start, extent.size()), out);
  }

  absl::StatusOr<std::string_view> Chunk(size_t chunk) {
    if (chunk != last_) {
      auto it = chunks_.find(chunk);
      if (it == chunks_.end()) {
        ZSTD_DCtx* context = ThreadContext();
        if (context == nullptr) return absl::ResourceExhaustedError("zstd: no memory");
        CURLEW_ASSIGN_OR_RETURN(std::string raw, documents_.Inflate(chunk, context));
        kept_bytes_ += raw.size();
        it = chunks_.emplace(chunk, Kept{std::move(raw)}).first;
      }
      it->second.last_use = ++uses_;
      last_ = chunk;
      last_raw_ = it->second.raw;
    }
    return last_raw_;
  }

  const Documents& documents_;
  static constexpr size_t kNoChunk = static_cast<size_t>(-1);

  std::unordered_map<size_t, Kept> chunks_;  // nodes do not move, so views stay
  uint64_t kept_bytes_ = 0;
  uint64_t uses_ = 0;
  size_t last_ = kNoChunk;
  std::string_view last_raw_;
};

std::unique_ptr<StoredCursor> Documents::NewCursor() const {
  return std::make_unique<Cursor>(*this);
}

struct Traits {
  static constexpr std::string_view kName = "zstd";
  static constexpr store::FileFormat kFormat{"stored.zstd", 1, 1};
  using Writer = codec::Writer;
  using Documents = codec::Documents;
};

}  // namespace

const StoredCodec& ZstdCodec() {
  static const TabledCodec<Traits> codec;
  return codec;
}

}  // namespace curlew::codec
