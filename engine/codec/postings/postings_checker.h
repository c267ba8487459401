// Walks the postings of one term.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_CHECKER_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_CHECKER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/codec/postings/posting_blocks.h"
#include "engine/codec/postings/postings.h"
#include "engine/codec/types.h"

namespace curlew::codec {

// Walks `postings` (fresh) and compares it with the dictionary's `entry`; marks its documents in
// `seen`, which has max_doc elements. Empty when sound, else what is wrong.
std::string CheckPostings(Postings& postings, IndexOptions options, const TermEntry& entry,
                          std::vector<bool>& seen);

// Compares the blocks of a term with its postings (fresh), document by document, and what they say
// of the best in each block with what is there. `norms`: of the field, a byte a document; empty =
// it keeps none. Empty when sound, else what is wrong.
std::string CheckBlocks(const PostingBlocks& blocks, Postings& postings,
                        std::span<const uint8_t> norms);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_CHECKER_H_
