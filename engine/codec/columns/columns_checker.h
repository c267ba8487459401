// Walks a segment's doc values and compares what the file says of them.
#ifndef CURLEW_ENGINE_CODEC_COLUMNS_COLUMNS_CHECKER_H_
#define CURLEW_ENGINE_CODEC_COLUMNS_COLUMNS_CHECKER_H_

#include <string>
#include <vector>

#include "engine/codec/types.h"
#include "engine/store/directory.h"
#include "engine/store/file_problems.h"

namespace curlew::codec {

// What is wrong, problem by problem; empty = sound.
std::vector<store::FileProblem> CheckColumns(store::Directory& directory,
                                             const std::string& segment, DocId max_doc);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_COLUMNS_COLUMNS_CHECKER_H_
