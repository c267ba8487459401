// Reads the dictionary of one field from the mapped file.
#ifndef CURLEW_ENGINE_CODEC_TERMS_TERMS_READER_H_
#define CURLEW_ENGINE_CODEC_TERMS_TERMS_READER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/codec/terms/term_filter.h"
#include "engine/codec/terms/terms.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"

namespace curlew::codec {

// What a field's part of the table of contents says, with its arrays mapped.
struct FieldDictionary {
  std::string name;
  IndexOptions options = IndexOptions::kNone;
  FieldStats stats;
  uint64_t term_count = 0;
  std::string_view file;  // all of it: block offsets count from its start
  std::span<const uint64_t> block_offsets;
  std::span<const uint64_t> prefixes;         // of the first terms: TermPrefix
  std::span<const uint64_t> first_term_ends;  // into first_terms
  std::string_view first_terms;
  TermFilter filter;
  std::string_view postings;  // the whole postings file
  DocId max_doc = 0;

  uint64_t block_count() const { return block_offsets.size(); }
  uint32_t TermsIn(uint64_t block) const;
  // Empty when the index is damaged there.
  std::string_view FirstTerm(uint64_t block) const;
  // The last block whose first term is <= `term`, or block_count() when there is none.
  uint64_t BlockFor(std::string_view term) const;
  // The bytes from the start of a block to the end of the file.
  std::string_view BlockBytes(uint64_t block) const;
  // Reads the counts and the offset of one term. The offset is relative to what `entry` has. False
  // when they cannot be right.
  bool ReadEntry(ByteReader& in, TermEntry& entry) const;
};

// Reads the next field of the table of contents. Error: Corruption.
absl::StatusOr<FieldDictionary> ReadFieldDictionary(const store::CheckedFile& file, ByteReader& in,
                                                    std::string_view postings, DocId max_doc);

std::unique_ptr<FieldTerms> NewFieldTerms(FieldDictionary dictionary);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TERMS_TERMS_READER_H_
