// Checks a generation of a segment's live docs.
#ifndef CURLEW_ENGINE_CODEC_LIVE_DOCS_LIVE_DOCS_CHECKER_H_
#define CURLEW_ENGINE_CODEC_LIVE_DOCS_LIVE_DOCS_CHECKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/codec/types.h"
#include "engine/store/directory.h"
#include "engine/store/file_problems.h"

namespace curlew::codec {

// What is wrong, problem by problem; empty = sound. The commit point names the generation.
std::vector<store::FileProblem> CheckLiveDocs(store::Directory& directory,
                                              const std::string& segment, uint64_t generation,
                                              DocId max_doc);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_LIVE_DOCS_LIVE_DOCS_CHECKER_H_
