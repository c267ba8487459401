// Opens a segment's dictionary and postings.
#ifndef CURLEW_ENGINE_CODEC_TERMS_INVERTED_READER_H_
#define CURLEW_ENGINE_CODEC_TERMS_INVERTED_READER_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/codec/terms/terms.h"
#include "engine/store/directory.h"

namespace curlew::codec {

// Immutable, thread-safe. `verify`: compute the checksums of the whole files first; without it only
// the structure is checked. Either way damage is refused or read safely (a list ends early and says
// so), never past the end of a file.
class InvertedReader {
 public:
  static absl::StatusOr<std::unique_ptr<InvertedReader>> Open(store::Directory& directory,
                                                              const std::string& segment,
                                                              DocId max_doc, bool verify = true);
  virtual ~InvertedReader() = default;
  // Null when no document has the field.
  virtual const FieldTerms* Field(std::string_view field) const = 0;
  virtual const std::vector<std::string>& fields() const = 0;  // sorted
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TERMS_INVERTED_READER_H_
