#include "engine/codec/stored/stored_checker.h"

#include <memory>
#include <utility>

#include "engine/codec/stored/stored_codec.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {

std::vector<store::FileProblem> CheckStored(store::Directory& directory, const std::string& segment,
                                            DocId max_doc, const std::string& codec) {
  store::FileProblems problems(segment + ".stored");
  const StoredCodec* const stored_codec = StoredCodec::Find(codec);
  if (stored_codec == nullptr) {
    problems.Add(fmt::format("the segment names the codec [{}], which is not known", Clip(codec)));
    return std::move(problems).Take();
  }
  const auto documents = stored_codec->Open(directory, segment, max_doc);
  if (!documents.ok()) {
    problems.AddError(directory, documents.status());
    return std::move(problems).Take();
  }
  const std::unique_ptr<StoredCursor> cursor = (*documents)->NewCursor();
  uint64_t raw_bytes = 0;
  for (DocId doc = 0; doc < max_doc; ++doc) {
    const auto document = cursor->Read(doc);
    if (!document.ok()) {
      problems.AddError(directory, document.status());
      continue;
    }
    const size_t size = document->id.size() + document->routing.size() + document->source.size();
    raw_bytes += size;
    if (const uint64_t expected = (*documents)->RecordBytes({&doc, 1}); size != expected) {
      problems.Add(fmt::format("document {} has {} bytes instead of {}", doc, size, expected));
    }
  }
  if (problems.empty() && raw_bytes != (*documents)->raw_bytes()) {
    problems.Add(fmt::format("the documents have {} bytes, the header says {}", raw_bytes,
                             (*documents)->raw_bytes()));
  }
  return std::move(problems).Take();
}

}  // namespace curlew::codec
