// Writes the postings of one term after the other.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_WRITER_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_WRITER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/codec/postings/impact.h"
#include "engine/codec/types.h"
#include "engine/store/checked_file.h"

namespace curlew::codec {

// The writer belongs to the caller and must outlive this. One thread at a time. Blocks go to the
// file as they fill, so a term of any length needs little memory. The format is described in
// docs/formats/postings.md.
class PostingsWriter {
 public:
  explicit PostingsWriter(store::CheckedWriter& out) : out_(out) {}

  // `norms` has a byte for each document, or is empty when the field keeps none; it has to outlive
  // the field's terms.
  void StartField(IndexOptions options, std::span<const uint8_t> norms);
  void StartTerm();
  // Documents ascending; `positions` not descending and `freq` of them, if options keep positions.
  void Add(DocId doc, uint32_t freq, std::span<const uint32_t> positions);
  // The entry to keep in the dictionary; doc_freq is 0 when nothing was added.
  TermEntry FinishTerm();
  // Once, behind the last term; the caller finishes the file.
  void Finish();

  // A caller's mistake (documents out of order); I/O errors stay with the CheckedWriter.
  const absl::Status& status() const { return status_; }

 private:
  bool scored() const { return options_ >= IndexOptions::kFreqs || !norms_.empty(); }
  void AddPositions(uint32_t freq, std::span<const uint32_t> positions);
  void FlushBlock();
  void AppendDocs();
  void AppendTable();

  store::CheckedWriter& out_;
  absl::Status status_;

  IndexOptions options_ = IndexOptions::kNone;
  std::span<const uint8_t> norms_;
  TermEntry entry_;
  int64_t last_doc_ = -1;
  int64_t block_base_ = 0;           // one behind the last document of the block before
  std::vector<uint32_t> gaps_;       // less one
  std::vector<uint32_t> freqs_;      // less one
  std::vector<uint32_t> positions_;  // gaps within a document
  ImpactFront front_;
  // Of the term's blocks so far.
  std::vector<uint32_t> last_docs_;
  std::vector<uint64_t> offsets_;
  std::string fronts_;
  std::string buffer_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_WRITER_H_
