// The codecs of stored documents, by name; a segment records which one it was written with.
#ifndef CURLEW_ENGINE_CODEC_STORED_STORED_CODEC_H_
#define CURLEW_ENGINE_CODEC_STORED_STORED_CODEC_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/stored/stored.h"
#include "engine/store/directory.h"

namespace curlew::codec {

// Documents in order, each once. One thread at a time. I/O errors come out of Finish.
class StoredWriter {
 public:
  virtual ~StoredWriter() = default;
  virtual void Add(const StoredDocument& document) = 0;
  virtual absl::Status Finish() = 0;
};

// Immutable, thread-safe, static lifetime. Files <segment>.stored (and what else a codec needs).
// `verify`: compute the checksum of the whole file first; without it only the structure is checked,
// and a damaged document is an error when it is read.
class StoredCodec {
 public:
  virtual ~StoredCodec() = default;
  virtual std::string_view name() const = 0;
  virtual absl::StatusOr<std::unique_ptr<StoredWriter>> NewWriter(
      store::Directory& directory, const std::string& segment) const = 0;
  virtual absl::StatusOr<std::unique_ptr<StoredDocuments>> Open(store::Directory& directory,
                                                                const std::string& segment,
                                                                DocId max_doc,
                                                                bool verify = true) const = 0;

  // "none" or "zstd"; null for an unknown name.
  static const StoredCodec* Find(std::string_view name);
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_STORED_CODEC_H_
