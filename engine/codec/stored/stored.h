// Stored documents: id, routing and source by document.
#ifndef CURLEW_ENGINE_CODEC_STORED_STORED_H_
#define CURLEW_ENGINE_CODEC_STORED_STORED_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/types.h"

namespace curlew::codec {

// Views into the stored block (the mapped file, or the block that was inflated for the cursor).
struct StoredDocument {
  std::string_view id;
  std::string_view routing;  // empty = none
  std::string_view source;
};

// Reads documents batch by batch and keeps the blocks that it inflated last, so that documents of
// one block that are read near to each other cost one inflation: keep one cursor for all documents
// of a request. One thread at a time. Views stay valid until the next ReadAll or Read.
class StoredCursor {
 public:
  virtual ~StoredCursor() = default;
  // Reads `docs`, in any order, into `out`, which has as many places; after an error they mean
  // nothing.
  virtual absl::Status ReadAll(std::span<const DocId> docs, StoredDocument* out) = 0;
  absl::StatusOr<StoredDocument> Read(DocId doc);
  // Bytes of the blocks that it keeps: between two calls at most kKeptBytes more than the last
  // call's documents needed. None where documents are read straight from the file.
  virtual uint64_t kept_bytes() const { return 0; }

  static constexpr uint64_t kKeptBytes = 512 * 1024;  // 32 blocks of a usual size
};

// Thread-safe, owned by its segment.
class StoredDocuments {
 public:
  virtual ~StoredDocuments() = default;
  virtual std::unique_ptr<StoredCursor> NewCursor() const = 0;
  // Bytes of ids, routings and sources together: known without touching the documents.
  virtual uint64_t RecordBytes(std::span<const DocId> docs) const = 0;
  virtual std::string_view codec() const = 0;  // its name: StoredCodec::Find
  virtual uint64_t raw_bytes() const = 0;      // of all documents, inflated
  virtual uint64_t stored_bytes() const = 0;   // on disk
  // The first document behind the chunk of `doc`: a chunk is what StoredWriter::CopyChunk takes
  // over as a whole. `doc` + 1 where documents are not compressed together.
  virtual DocId ChunkEnd(DocId doc) const { return doc + 1; }
  // What all chunks were compressed with; empty = none. A view that stays as long as the segment.
  virtual std::string_view dictionary() const { return {}; }
};

inline absl::StatusOr<StoredDocument> StoredCursor::Read(DocId doc) {
  StoredDocument document;
  if (absl::Status status = ReadAll({&doc, 1}, &document); !status.ok()) return status;
  return document;
}

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_STORED_H_
