#include "engine/codec/stored/chunked_writer.h"

#include <span>
#include <utility>

#include "engine/codec/sections.h"
#include "engine/codec/stored/chunked_documents.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"

namespace curlew::codec {
namespace {

// Chunks that copying leaves small are at most one in so many (Lucene recompresses at 1 %).
constexpr uint64_t kChunksPerSmall = 64;

}  // namespace

ChunkedWriter::ChunkedWriter(std::unique_ptr<store::CheckedWriter> out, ChunkSettings settings,
                             std::unique_ptr<ChunkCompressor> compressor)
    : out_(std::move(out)), settings_(std::move(settings)), compressor_(std::move(compressor)) {}

void ChunkedWriter::Add(const StoredDocument& document) {
  const size_t size = document.id.size() + document.routing.size() + document.source.size();
  if (!chunk_.empty() && chunk_.size() + size > settings_.chunk_bytes) CloseChunk();
  if (chunk_first_docs_.size() == chunk_offsets_.size()) {
    chunk_first_docs_.push_back(table_.doc_count());
  }
  table_.Add(document);
  chunk_.append(document.id).append(document.routing).append(document.source);
  if (chunk_.size() >= settings_.chunk_bytes) CloseChunk();
}

void ChunkedWriter::CloseChunk() {
  chunk_offsets_.push_back(out_->position());
  if (absl::Status status = compressor_->Compress(chunk_, compressed_); status.ok()) {
    out_->Append(compressed_);
  } else {
    status_.Update(status);
  }
  chunk_.clear();
}

bool ChunkedWriter::Small(uint64_t raw_size, uint64_t next_size) const {
  return raw_size < settings_.chunk_bytes / 4 * 3 && raw_size + next_size <= settings_.chunk_bytes;
}

absl::StatusOr<bool> ChunkedWriter::CopyChunk(const StoredDocuments& from, DocId first, DocId end) {
  const auto* source = dynamic_cast<const ChunkedDocuments*>(&from);
  if (source == nullptr || source->codec() != settings_.codec ||
      source->level() != settings_.level || source->dictionary() != settings_.dictionary) {
    return false;
  }
  CURLEW_ASSIGN_OR_RETURN(const ChunkedDocuments::Chunk chunk, source->ChunkOf(first));
  if (chunk.first != first || chunk.end != end) return false;

  const bool open = chunk_first_docs_.size() > chunk_offsets_.size();
  const RecordTable& table = source->table();
  const uint64_t small =
      (open && Small(chunk_.size(), table.Of(first).size()) ? 1u : 0u) +
      (Small(chunk.raw_size, end < table.max_doc() ? table.Of(end).size() : 0) ? 1u : 0u);
  const uint64_t chunks = chunk_offsets_.size() + (open ? 2 : 1);
  if (small > 0 && (small_chunks_ + small) * kChunksPerSmall > chunks) return false;

  if (open) CloseChunk();
  const DocId first_here = table_.doc_count();
  CURLEW_RETURN_IF_ERROR(table.CopyTo(table_, first, end));
  chunk_first_docs_.push_back(first_here);
  chunk_offsets_.push_back(out_->position());
  out_->Append(chunk.compressed);
  small_chunks_ += small;
  return true;
}

absl::Status ChunkedWriter::Finish() {
  if (chunk_first_docs_.size() > chunk_offsets_.size()) CloseChunk();
  chunk_offsets_.push_back(out_->position());
  const uint64_t dictionary_at = out_->position();
  out_->Append(settings_.dictionary);
  std::string contents;
  PutVarint(contents, chunk_first_docs_.size());
  PutVarint(contents, AppendArray(*out_, std::span<const uint64_t>(chunk_offsets_)));
  PutVarint(contents, AppendArray(*out_, std::span<const uint32_t>(chunk_first_docs_)));
  table_.Write(*out_, contents);
  PutVarint(contents, static_cast<uint64_t>(settings_.level));
  PutVarint(contents, dictionary_at);
  PutVarint(contents, settings_.dictionary.size());
  AppendContents(*out_, contents);
  CURLEW_RETURN_IF_ERROR(out_->Finish());
  return status_;
}

}  // namespace curlew::codec
