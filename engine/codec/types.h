// Words that all formats and their users share.
#ifndef CURLEW_ENGINE_CODEC_TYPES_H_
#define CURLEW_ENGINE_CODEC_TYPES_H_

#include <cstdint>

namespace curlew::codec {

// A document within its segment, counted from 0 in index order.
using DocId = uint32_t;
inline constexpr DocId kNoMoreDocs = 0x7fffffff;

// What is kept of a term's occurrences; each level includes the ones before it.
enum class IndexOptions : uint8_t { kNone = 0, kDocs = 1, kFreqs = 2, kPositions = 3 };

// Sums over a field's terms in one segment, deleted documents included (as Lucene counts).
struct FieldStats {
  uint32_t doc_count = 0;  // documents with at least one term
  uint64_t sum_doc_freq = 0;
  uint64_t sum_total_term_freq = 0;  // equals sum_doc_freq when frequencies are not kept
};

// Where the postings of a term start that a damaged dictionary may have or not: behind the end of
// any file.
inline constexpr uint64_t kDamagedPostings = ~uint64_t{0};

// A dictionary entry: counts, and where the postings start.
struct TermEntry {
  uint32_t doc_freq = 0;
  uint64_t total_term_freq = 0;
  uint64_t postings_offset = 0;
  // The document of a term that has no other (doc_freq is 1): of postings, only its positions are
  // in the file then. kNoMoreDocs otherwise.
  DocId single = kNoMoreDocs;

  // The counts say nothing, and the postings are corrupt.
  bool damaged() const { return postings_offset == kDamagedPostings; }
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TYPES_H_
