// Walks a segment's dictionary and postings and compares what they say of each other.
#ifndef CURLEW_ENGINE_CODEC_TERMS_INVERTED_CHECKER_H_
#define CURLEW_ENGINE_CODEC_TERMS_INVERTED_CHECKER_H_

#include <string>
#include <vector>

#include "engine/codec/types.h"
#include "engine/store/directory.h"
#include "engine/store/file_problems.h"

namespace curlew::codec {

// What is wrong, problem by problem; empty = sound. Walks every posting; needs a bit per document.
std::vector<store::FileProblem> CheckInverted(store::Directory& directory,
                                              const std::string& segment, DocId max_doc);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_TERMS_INVERTED_CHECKER_H_
