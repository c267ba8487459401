// Walks the postings of one term.
#ifndef CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_CHECKER_H_
#define CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_CHECKER_H_

#include <string>
#include <vector>

#include "engine/codec/postings/postings.h"
#include "engine/codec/types.h"

namespace curlew::codec {

// Walks `postings` (fresh) and compares it with the dictionary's `entry`; marks its documents in
// `seen`, which has max_doc elements. Empty when sound, else what is wrong.
std::string CheckPostings(Postings& postings, IndexOptions options, const TermEntry& entry,
                          std::vector<bool>& seen);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POSTINGS_POSTINGS_CHECKER_H_
