// What the writer and the reader of the dictionary have to agree on (docs/formats/terms.md).
#ifndef CURLEW_ENGINE_CODEC_TERMS_TERMS_FORMAT_H_
#define CURLEW_ENGINE_CODEC_TERMS_TERMS_FORMAT_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "engine/codec/types.h"
#include "engine/store/checked_file.h"

namespace curlew::codec {

inline constexpr store::FileFormat kTermsFormat{"terms", 3, 3};
inline std::string TermsFileName(const std::string& segment) { return segment + ".terms"; }

// Terms in one block; only a field's last block has fewer.
inline constexpr uint32_t kTermBlock = 16;

// The first bytes of a term as a number, zeros behind a short one: the terms of different numbers
// are in their order.
inline uint64_t TermPrefix(std::string_view term) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, term.data(), std::min(term.size(), sizeof(bytes)));
  return __builtin_bswap64(bytes);
}

static_assert(std::endian::native == std::endian::little, "TermPrefix turns the bytes round");

// Whether the postings file has anything for a term: a single document stands in the dictionary.
inline bool HasPostings(IndexOptions options, uint32_t doc_freq) {
  return doc_freq > 1 || options >= IndexOptions::kPositions;
}

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TERMS_TERMS_FORMAT_H_
