#include "engine/codec/live_docs/live_docs_checker.h"

#include <utility>

#include "engine/codec/live_docs/live_docs_file.h"

namespace curlew::codec {

std::vector<store::FileProblem> CheckLiveDocs(store::Directory& directory,
                                              const std::string& segment, uint64_t generation,
                                              DocId max_doc) {
  store::FileProblems problems(LiveDocsFileName(segment, generation));
  // Reading it compares the marks with the counts.
  const auto live_docs = ReadLiveDocs(directory, segment, generation, max_doc);
  if (!live_docs.ok()) problems.AddError(directory, live_docs.status());
  return std::move(problems).Take();
}

}  // namespace curlew::codec
