// Walks a segment's points and compares them with what the file says of them, and with its columns.
#ifndef CURLEW_ENGINE_CODEC_POINTS_POINTS_CHECKER_H_
#define CURLEW_ENGINE_CODEC_POINTS_POINTS_CHECKER_H_

#include <string>
#include <vector>

#include "engine/codec/types.h"
#include "engine/store/directory.h"
#include "engine/store/file_problems.h"

namespace curlew::codec {

// What is wrong, problem by problem; empty = sound. A field with both points and a column of
// numbers has to have the same values in both; a file of columns that cannot be opened is not
// reported here.
std::vector<store::FileProblem> CheckPoints(store::Directory& directory, const std::string& segment,
                                            DocId max_doc);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_POINTS_POINTS_CHECKER_H_
