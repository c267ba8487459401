// Writes a segment's dictionary and postings together, term by term.
#ifndef CURLEW_ENGINE_CODEC_TERMS_INVERTED_WRITER_H_
#define CURLEW_ENGINE_CODEC_TERMS_INVERTED_WRITER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/types.h"
#include "engine/store/directory.h"

namespace curlew::codec {

// Files <segment>.terms and <segment>.postings. One thread at a time. Fields in byte order of their
// names, terms in byte order, documents ascending. I/O errors are kept and come out of Finish.
class InvertedWriter {
 public:
  static absl::StatusOr<std::unique_ptr<InvertedWriter>> Create(store::Directory& directory,
                                                                const std::string& segment);
  virtual ~InvertedWriter() = default;

  // `norms`: a byte for each document, or empty when the field keeps none; they have to outlive the
  // field.
  virtual void StartField(std::string_view field, IndexOptions options,
                          std::span<const uint8_t> norms) = 0;
  // After StartField, for a field of which terms that are not there are looked up often: keeps a
  // filter for about `terms` of them, 12 bits each.
  virtual void KeepFilter(uint64_t terms) = 0;
  virtual void StartTerm(std::string_view term) = 0;
  // `positions` has `freq` entries when options say kPositions, and is ignored otherwise.
  virtual void AddPosting(DocId doc, uint32_t freq, std::span<const uint32_t> positions) = 0;
  virtual void FinishTerm() = 0;  // a term without postings is left out
  // `doc_count`: documents of the field with at least one term.
  virtual void FinishField(uint32_t doc_count) = 0;
  virtual absl::Status Finish() = 0;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TERMS_INVERTED_WRITER_H_
