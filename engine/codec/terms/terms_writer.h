// Writes the dictionary: front-coded blocks of terms, and an index of the blocks' first terms.
#ifndef CURLEW_ENGINE_CODEC_TERMS_TERMS_WRITER_H_
#define CURLEW_ENGINE_CODEC_TERMS_TERMS_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/codec/terms/term_filter.h"
#include "engine/codec/types.h"
#include "engine/store/checked_file.h"

namespace curlew::codec {

// One thread at a time; the writer belongs to the caller and must outlive this. Keeps one term in
// 16 in memory until the field ends. The format is described in docs/formats/terms.md.
class TermsWriter {
 public:
  explicit TermsWriter(store::CheckedWriter& out) : out_(out) {}

  // Fields and terms in byte order. Postings offsets must not descend within a field.
  void StartField(std::string_view field, IndexOptions options);
  // Of the field that has been started, for about that many terms.
  void KeepFilter(uint64_t terms) { filter_.Start(terms); }
  void Add(std::string_view term, const TermEntry& entry);
  // A field without terms is left out.
  void FinishField(uint32_t doc_count);
  // Writes the table of contents; the caller finishes the file.
  void Finish();

  // A caller's mistake (order).
  const absl::Status& status() const { return status_; }

 private:
  void FlushBlock();

  store::CheckedWriter& out_;
  absl::Status status_;
  std::string contents_;
  uint64_t field_count_ = 0;

  std::string field_;
  IndexOptions options_ = IndexOptions::kNone;
  FieldStats stats_;
  uint64_t term_count_ = 0;
  std::string last_term_;
  uint64_t last_offset_ = 0;
  uint32_t in_block_ = 0;
  std::string block_;
  std::vector<uint64_t> block_offsets_;
  std::vector<uint64_t> first_term_ends_;
  std::vector<uint64_t> prefixes_;  // of the first terms
  std::string first_terms_;
  TermFilterBuilder filter_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TERMS_TERMS_WRITER_H_
