// Reads and writes live docs: <segment>_<generation>.live, a new generation for each commit that
// has new deletions.
#ifndef CURLEW_ENGINE_CODEC_LIVE_DOCS_LIVE_DOCS_FILE_H_
#define CURLEW_ENGINE_CODEC_LIVE_DOCS_LIVE_DOCS_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/live_docs/live_docs.h"
#include "engine/store/directory.h"

namespace curlew::codec {

std::string LiveDocsFileName(const std::string& segment, uint64_t generation);
absl::Status WriteLiveDocs(store::Directory& directory, const std::string& segment,
                           uint64_t generation, const LiveDocs& live_docs);
absl::StatusOr<std::shared_ptr<LiveDocs>> ReadLiveDocs(store::Directory& directory,
                                                       const std::string& segment,
                                                       uint64_t generation, DocId max_doc,
                                                       bool verify = true);

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_LIVE_DOCS_LIVE_DOCS_FILE_H_
