// Writes the postings of one term after the other.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_WRITER_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_WRITER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/codec/types.h"
#include "engine/store/checked_file.h"

namespace curlew::codec {

// The writer belongs to the caller and must outlive this. One thread at a time. Blocks go to the
// file as they fill, so a term of any length needs little memory. The format is described in
// docs/formats/postings.md.
class PostingsWriter {
 public:
  explicit PostingsWriter(store::CheckedWriter& out) : out_(out) {}

  void StartTerm(IndexOptions options);
  // Documents ascending; `positions` not descending and `freq` of them, if options keep positions.
  void Add(DocId doc, uint32_t freq, std::span<const uint32_t> positions);
  // The entry to keep in the dictionary; doc_freq is 0 when nothing was added.
  TermEntry FinishTerm();

  // A caller's mistake (documents out of order); I/O errors stay with the CheckedWriter.
  const absl::Status& status() const { return status_; }

 private:
  void FlushBlock();

  store::CheckedWriter& out_;
  absl::Status status_;

  IndexOptions options_ = IndexOptions::kNone;
  TermEntry entry_;
  int64_t last_doc_ = -1;
  std::vector<uint32_t> gaps_;       // less one
  std::vector<uint32_t> freqs_;      // less one
  std::vector<uint32_t> positions_;  // gaps within a document
  std::vector<uint32_t> block_last_docs_;
  std::vector<uint64_t> block_offsets_;
  std::string buffer_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_WRITER_H_
