// Stored documents: id, routing and source by document.
#ifndef CURLEW_ENGINE_CODEC_STORED_STORED_H_
#define CURLEW_ENGINE_CODEC_STORED_STORED_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/codec/types.h"

namespace curlew::codec {

// Views into the stored block (the mapped file, or the block that was inflated for the cursor).
struct StoredDocument {
  std::string_view id;
  std::string_view routing;  // empty = none
  std::string_view source;
};

// Reads documents one after the other and keeps the blocks it had to inflate, so that documents of
// one block cost one inflation: keep one cursor for all documents of a request. One thread at a
// time. Views stay valid as long as the cursor. With a compressing codec it therefore holds every
// block it has touched (16 KiB each, more for larger documents): a walk over a whole segment takes
// a fresh cursor every thousand documents or so.
class StoredCursor {
 public:
  virtual ~StoredCursor() = default;
  virtual absl::StatusOr<StoredDocument> Read(DocId doc) = 0;
};

// Thread-safe, owned by its segment.
class StoredDocuments {
 public:
  virtual ~StoredDocuments() = default;
  virtual std::unique_ptr<StoredCursor> NewCursor() const = 0;
  // Bytes of id, routing and source together: known without touching the document.
  virtual uint32_t RecordSize(DocId doc) const = 0;
  virtual std::string_view codec() const = 0;  // "none", "zstd"
  virtual uint64_t raw_bytes() const = 0;      // of all documents, inflated
  virtual uint64_t stored_bytes() const = 0;   // on disk
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_STORED_H_
