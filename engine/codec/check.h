// Walks every structure of a segment's files and compares what they say of each other.
#ifndef CURLEW_ENGINE_CODEC_CHECK_H_
#define CURLEW_ENGINE_CODEC_CHECK_H_

#include <string>
#include <vector>

#include "engine/codec/types.h"
#include "engine/store/directory.h"
#include "engine/store/file_problems.h"

namespace curlew::codec {

// What is wrong, problem by problem; empty = sound. All files must be there: terms, postings,
// norms, columns, points, stored. Live docs have generations that only the commit point knows: see
// CheckLiveDocs in live_docs/live_docs_checker.h. Each format's own checker stands in its folder.
std::vector<store::FileProblem> CheckSegmentFiles(store::Directory& directory,
                                                  const std::string& segment, DocId max_doc,
                                                  const std::string& stored_codec);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_CHECK_H_
