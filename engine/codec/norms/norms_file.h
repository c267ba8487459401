// Reads and writes a segment's norms.
#ifndef CURLEW_ENGINE_CODEC_NORMS_NORMS_FILE_H_
#define CURLEW_ENGINE_CODEC_NORMS_NORMS_FILE_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/norms/norms.h"
#include "engine/store/directory.h"

namespace curlew::codec {

// File <segment>.norms. `norms` has one byte a document. I/O errors come out of Finish.
class NormsWriter {
 public:
  static absl::StatusOr<std::unique_ptr<NormsWriter>> Create(store::Directory& directory,
                                                             const std::string& segment,
                                                             DocId max_doc);
  virtual ~NormsWriter() = default;
  virtual void AddField(std::string_view field, std::span<const uint8_t> norms) = 0;
  virtual absl::Status Finish() = 0;
};

// Immutable, thread-safe. `verify`: compute the checksum of the whole file first; without it only
// the structure is checked. Either way a damaged file is refused or read safely, never past its
// end.
class NormsReader {
 public:
  static absl::StatusOr<std::unique_ptr<NormsReader>> Open(store::Directory& directory,
                                                           const std::string& segment,
                                                           DocId max_doc, bool verify = true);
  virtual ~NormsReader() = default;
  virtual const Norms* Field(std::string_view field) const = 0;  // null = none
  virtual std::vector<std::string> fields() const = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_NORMS_NORMS_FILE_H_
