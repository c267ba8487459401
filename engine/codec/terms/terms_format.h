// What the writer and the reader of the dictionary have to agree on (docs/formats/terms.md).
#ifndef CURLEW_ENGINE_CODEC_TERMS_TERMS_FORMAT_H_
#define CURLEW_ENGINE_CODEC_TERMS_TERMS_FORMAT_H_

#include <cstdint>
#include <string>

#include "engine/codec/types.h"
#include "engine/store/checked_file.h"

namespace curlew::codec {

inline constexpr store::FileFormat kTermsFormat{"terms", 2, 2};
inline std::string TermsFileName(const std::string& segment) { return segment + ".terms"; }

// Terms in one block; only a field's last block has fewer.
inline constexpr uint32_t kTermBlock = 32;

// Whether the postings file has anything for a term: a single document stands in the dictionary.
inline bool HasPostings(IndexOptions options, uint32_t doc_freq) {
  return doc_freq > 1 || options >= IndexOptions::kPositions;
}

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TERMS_TERMS_FORMAT_H_
