// The codecs of stored documents, by name; a segment records which one it was written with.
#ifndef CURLEW_ENGINE_CODEC_STORED_STORED_CODEC_H_
#define CURLEW_ENGINE_CODEC_STORED_STORED_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/stored/stored.h"
#include "engine/store/directory.h"

namespace curlew::codec {

// What a segment's documents are to be written with.
struct StoredFormat {
  std::string codec = "none";
  int level = kDefaultLevel;

  static constexpr int kDefaultLevel = 3;  // OpenSearch's; its range is 1 to 6
};

// Documents of a segment that is to be written, spread over all of it: id, routing and source of
// each, one behind the other.
struct StoredSamples {
  std::string bytes;
  std::vector<size_t> sizes;  // of each document; they add up to bytes.size()
};

// What a writer is told before the first document. A codec looks at what it has a use for.
struct StoredPlan {
  int level = StoredFormat::kDefaultLevel;  // of zstd
  uint64_t raw_bytes = 0;                   // of all documents together, about
  std::string dictionary;                   // to be used again, so that chunks can be copied
  StoredSamples samples;                    // to train one on, where none is given
};

// Documents in order, each once. One thread at a time. I/O errors come out of Finish.
class StoredWriter {
 public:
  virtual ~StoredWriter() = default;
  virtual void Add(const StoredDocument& document) = 0;
  // Takes over documents [first, end) of `from`, a whole chunk, as they are compressed there.
  // False, with nothing done, where that is not possible (another codec, level or dictionary) or
  // would leave too many chunks small: then they are to be added. Error: Corruption.
  virtual absl::StatusOr<bool> CopyChunk(const StoredDocuments& from, DocId first, DocId end) {
    static_cast<void>(from), static_cast<void>(first), static_cast<void>(end);
    return false;
  }
  virtual absl::Status Finish() = 0;
};

// Immutable, thread-safe, static lifetime. Files <segment>.stored (and what else a codec needs).
// `verify`: compute the checksum of the whole file first; without it only the structure is checked,
// and a damaged document is an error when it is read.
class StoredCodec {
 public:
  virtual ~StoredCodec() = default;
  virtual std::string_view name() const = 0;
  virtual absl::StatusOr<std::unique_ptr<StoredWriter>> NewWriter(store::Directory& directory,
                                                                  const std::string& segment,
                                                                  const StoredPlan& plan) const = 0;
  virtual absl::StatusOr<std::unique_ptr<StoredDocuments>> Open(store::Directory& directory,
                                                                const std::string& segment,
                                                                DocId max_doc,
                                                                bool verify = true) const = 0;
  // How many bytes of samples a writer of so many bytes of documents has a use for; 0 = none.
  virtual uint64_t SampleBytes(uint64_t raw_bytes) const {
    static_cast<void>(raw_bytes);
    return 0;
  }

  // "none", "lz4", "zstd" or "zstd_no_dict"; null for an unknown name.
  static const StoredCodec* Find(std::string_view name);
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_STORED_CODEC_H_
