// Walks a segment's stored documents and compares what the file says of them.
#ifndef CURLEW_ENGINE_CODEC_STORED_STORED_CHECKER_H_
#define CURLEW_ENGINE_CODEC_STORED_STORED_CHECKER_H_

#include <string>
#include <vector>

#include "engine/codec/types.h"
#include "engine/store/directory.h"
#include "engine/store/file_problems.h"

namespace curlew::codec {

// What is wrong, problem by problem; empty = sound.
std::vector<store::FileProblem> CheckStored(store::Directory& directory, const std::string& segment,
                                            DocId max_doc, const std::string& codec);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_STORED_CHECKER_H_
