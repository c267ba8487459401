#include "engine/codec/live_docs/live_docs_checker.h"

#include "engine/codec/live_docs/live_docs_file.h"
#include "engine/util/error.h"

namespace curlew::codec {

std::vector<std::string> CheckLiveDocs(store::Directory& directory, const std::string& segment,
                                       uint64_t generation, DocId max_doc) {
  // Reading it compares the marks with the counts.
  const auto live_docs = ReadLiveDocs(directory, segment, generation, max_doc);
  if (!live_docs.ok()) return {DescribeError(live_docs.status()).reason};
  return {};
}

}  // namespace curlew::codec
