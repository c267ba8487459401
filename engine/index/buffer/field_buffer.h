// One field's part of the RAM buffer: its terms, postings, lengths and column values.
#ifndef CURLEW_ENGINE_INDEX_BUFFER_FIELD_BUFFER_H_
#define CURLEW_ENGINE_INDEX_BUFFER_FIELD_BUFFER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/token_stream.h"
#include "engine/codec/types.h"
#include "engine/index/buffer/arena.h"
#include "engine/index/buffer/term_hash.h"
#include "engine/mapping/field.h"

namespace curlew::index {

// Not thread-safe. Documents come in ascending order; a document's values in their order in the
// source. Owned by its RamBuffer, whose arena it uses.
class FieldBuffer {
 public:
  enum class Column : uint8_t { kNone, kNumbers, kOrdinals };

  FieldBuffer(std::string path, codec::IndexOptions options, bool norms, Column column,
              Arena& arena);
  FieldBuffer(const mapping::MappedField& field, Arena& arena);

  // A value that is one term (keyword, boolean, _id).
  void AddTerm(codec::DocId doc, std::string_view term);
  void AddNumber(codec::DocId doc, int64_t number);
  // A value that `stream` (not yet reset) cuts into terms. Positions of an array's further values
  // go on behind the gap, as Lucene counts them.
  void AddText(codec::DocId doc, std::string_view text, uint32_t position_gap,
               analysis::TokenStream& stream);
  // After the last value of the document that is being added. True: it had text here, but no term.
  bool FinishDocument();

  const std::string& path() const { return path_; }
  codec::IndexOptions options() const { return options_; }
  bool norms() const { return norms_; }
  Column column() const { return column_; }
  // Its numbers are looked for by value.
  bool points() const { return points_; }
  const TermHash& terms() const { return terms_; }
  uint32_t doc_count() const { return doc_count_; }  // documents with a term

  // Parallel, by document; the document's byte norm.
  const std::vector<codec::DocId>& norm_docs() const { return norm_docs_; }
  const std::vector<uint8_t>& norm_bytes() const { return norm_bytes_; }
  // Parallel, one entry a value, documents ascending; numbers, or numbers of terms.
  const std::vector<codec::DocId>& value_docs() const { return value_docs_; }
  const std::vector<int64_t>& numbers() const { return numbers_; }
  const std::vector<uint32_t>& value_terms() const { return value_terms_; }

  // Bytes held outside of the arena.
  uint64_t memory() const;

  // Whether the document that is being added has been seen here; set by the owner.
  bool open = false;

 private:
  void StartDocument(codec::DocId doc);
  void AddOccurrence(uint32_t term, codec::DocId doc, uint32_t position);

  const std::string path_;
  const codec::IndexOptions options_;
  const bool norms_;
  const Column column_;
  bool points_ = false;
  Arena* arena_;
  TermHash terms_;
  uint32_t doc_count_ = 0;

  // The document being added.
  codec::DocId doc_ = codec::kNoMoreDocs;
  int64_t position_ = -1;
  uint32_t length_ = 0;  // tokens that moved the position: what the norm counts
  bool has_terms_ = false;
  bool has_text_ = false;

  std::vector<codec::DocId> norm_docs_;
  std::vector<uint8_t> norm_bytes_;
  std::vector<codec::DocId> value_docs_;
  std::vector<int64_t> numbers_;
  std::vector<uint32_t> value_terms_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_BUFFER_FIELD_BUFFER_H_
