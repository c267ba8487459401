#include "engine/codec/stored/chunked_documents.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/codec/sections.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

constexpr uint64_t kMaxChunk = 0x7fffffff;

}  // namespace

absl::Status ChunkedDocuments::Load(store::CheckedFile file, DocId max_doc, bool with_settings,
                                    NewInflater new_inflater) {
  file_ = std::move(file);
  CURLEW_ASSIGN_OR_RETURN(ByteReader in, OpenContents(file_));
  const uint64_t chunks = in.Varint();
  const uint64_t offsets_at = in.Varint();
  const uint64_t first_docs_at = in.Varint();
  CURLEW_RETURN_IF_ERROR(table_.Load(file_, in, max_doc));
  if (with_settings) {
    const uint64_t level = in.Varint();
    const uint64_t dictionary_at = in.Varint();
    const uint64_t dictionary_size = in.Varint();
    if (in.failed() || level > static_cast<uint64_t>(std::numeric_limits<int>::max())) {
      return Corruption(file_.name() + ": the table of contents is damaged");
    }
    level_ = static_cast<int>(level);
    CURLEW_ASSIGN_OR_RETURN(dictionary_, MappedBytes(file_, dictionary_at, dictionary_size));
  }
  if (in.failed() || !in.AtEnd() || chunks > max_doc || (max_doc > 0 && chunks == 0)) {
    return Corruption(file_.name() + ": the table of contents is damaged");
  }
  CURLEW_ASSIGN_OR_RETURN(offsets_, MappedArray<uint64_t>(file_, offsets_at, chunks + 1));
  CURLEW_ASSIGN_OR_RETURN(first_docs_, MappedArray<uint32_t>(file_, first_docs_at, chunks));
  inflater_ = new_inflater(dictionary_);
  if (inflater_ == nullptr) return Corruption(file_.name() + ": the dictionary cannot be used");
  return absl::OkStatus();
}

size_t ChunkedDocuments::NumberOf(DocId doc) const {
  const auto it = std::upper_bound(first_docs_.begin(), first_docs_.end(), doc);
  return it == first_docs_.begin() ? 0 : static_cast<size_t>(it - first_docs_.begin()) - 1;
}

DocId ChunkedDocuments::ChunkEnd(DocId doc) const {
  const size_t next = NumberOf(doc) + 1;
  const DocId end = next < first_docs_.size() ? first_docs_[next] : table_.max_doc();
  return std::clamp<DocId>(end, doc + 1, std::max(table_.max_doc(), doc + 1));
}

absl::StatusOr<ChunkedDocuments::Chunk> ChunkedDocuments::ChunkOf(DocId doc) const {
  CURLEW_RETURN_IF_ERROR(table_.Check(doc));
  Chunk chunk;
  chunk.number = NumberOf(doc);
  const size_t next = chunk.number + 1;
  chunk.first = first_docs_[chunk.number];
  chunk.end = next < first_docs_.size() ? first_docs_[next] : table_.max_doc();
  chunk.raw_start = table_.Start(chunk.first);
  const uint64_t raw_end = table_.Start(chunk.end);
  const uint64_t start = offsets_[chunk.number];
  const uint64_t end = offsets_[next];
  if (chunk.first > doc || chunk.end <= doc || chunk.end > table_.max_doc() ||
      chunk.raw_start > raw_end || start > end) {
    return Damaged(chunk.number);
  }
  chunk.raw_size = raw_end - chunk.raw_start;
  CURLEW_ASSIGN_OR_RETURN(chunk.compressed, MappedBytes(file_, start, end - start));
  return chunk;
}

absl::StatusOr<std::string> ChunkedDocuments::Inflate(const Chunk& chunk) const {
  if (chunk.raw_size > kMaxChunk ||
      chunk.raw_size > inflater_->MostRawBytes(chunk.compressed.size())) {
    return Damaged(chunk.number);
  }
  std::string raw(chunk.raw_size, '\0');
  if (!inflater_->Inflate(chunk.compressed, raw.data(), raw.size())) return Damaged(chunk.number);
  return raw;
}

absl::Status ChunkedDocuments::Damaged(size_t chunk) const {
  return Corruption(fmt::format("{}: chunk {} cannot be inflated", file_.name(), chunk));
}

namespace {

class Cursor final : public StoredCursor {
 public:
  explicit Cursor(const ChunkedDocuments& documents) : documents_(documents) {}

  absl::Status ReadAll(std::span<const DocId> docs, StoredDocument* out) override {
    Shrink();
    for (const DocId doc : docs) CURLEW_RETURN_IF_ERROR(ReadOne(doc, *out++));
    return absl::OkStatus();
  }
  uint64_t kept_bytes() const override { return kept_bytes_; }

 private:
  struct Kept {
    DocId first;
    DocId end;
    uint64_t raw_start;
    std::string raw;
    uint64_t last_use = 0;
  };

  // Nobody looks at the chunks any more: drops those that were not used for longest.
  void Shrink() {
    while (kept_bytes_ > kKeptBytes) {
      const auto oldest = std::min_element(
          chunks_.begin(), chunks_.end(),
          [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; });
      if (&oldest->second == last_) last_ = nullptr;
      kept_bytes_ -= oldest->second.raw.size();
      chunks_.erase(oldest);
    }
  }

  absl::Status ReadOne(DocId doc, StoredDocument& out) {
    if (last_ == nullptr || doc < last_->first || doc >= last_->end) {
      CURLEW_RETURN_IF_ERROR(Find(doc));
    }
    const RecordTable& table = documents_.table();
    const RecordTable::Extent extent = table.Of(doc);
    const std::string_view raw = last_->raw;
    const uint64_t start = extent.start - last_->raw_start;
    if (start > raw.size() || extent.size() > raw.size() - start) {
      return Corruption(
          fmt::format("{}: document {} is outside of its chunk", documents_.file_name(), doc));
    }
    return table.Split(doc, raw.substr(start, extent.size()), out);
  }

  absl::Status Find(DocId doc) {
    CURLEW_ASSIGN_OR_RETURN(const ChunkedDocuments::Chunk chunk, documents_.ChunkOf(doc));
    auto it = chunks_.find(chunk.number);
    if (it == chunks_.end()) {
      CURLEW_ASSIGN_OR_RETURN(std::string raw, documents_.Inflate(chunk));
      kept_bytes_ += raw.size();
      Kept kept{chunk.first, chunk.end, chunk.raw_start, std::move(raw)};
      it = chunks_.emplace(chunk.number, std::move(kept)).first;
    }
    last_ = &it->second;
    last_->last_use = ++uses_;
    return absl::OkStatus();
  }

  const ChunkedDocuments& documents_;
  std::unordered_map<size_t, Kept> chunks_;  // nodes do not move, so views and `last_` stay
  uint64_t kept_bytes_ = 0;
  uint64_t uses_ = 0;
  Kept* last_ = nullptr;
};

}  // namespace

std::unique_ptr<StoredCursor> ChunkedDocuments::NewCursor() const {
  return std::make_unique<Cursor>(*this);
}

}  // namespace curlew::codec
