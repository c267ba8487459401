#include "engine/codec/stored/stored_checker.h"

#include "engine/codec/stored/stored_codec.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {

std::vector<std::string> CheckStored(store::Directory& directory, const std::string& segment,
                                     DocId max_doc, const std::string& codec) {
  const StoredCodec* const stored_codec = StoredCodec::Find(codec);
  if (stored_codec == nullptr) return {fmt::format("stored: no codec [{}]", Clip(codec))};
  const auto documents = stored_codec->Open(directory, segment, max_doc);
  if (!documents.ok()) return {DescribeError(documents.status()).reason};

  std::vector<std::string> problems;
  const std::unique_ptr<StoredCursor> cursor = (*documents)->NewCursor();
  uint64_t raw_bytes = 0;
  for (DocId doc = 0; doc < max_doc; ++doc) {
    const auto document = cursor->Read(doc);
    if (!document.ok()) {
      problems.push_back(DescribeError(document.status()).reason);
      continue;
    }
    const size_t size = document->id.size() + document->routing.size() + document->source.size();
    raw_bytes += size;
    if (const uint64_t expected = (*documents)->RecordBytes({&doc, 1}); size != expected) {
      problems.push_back(
          fmt::format("stored: document {} has {} bytes instead of {}", doc, size, expected));
    }
  }
  if (problems.empty() && raw_bytes != (*documents)->raw_bytes()) {
    problems.push_back(
        fmt::format("stored: {} bytes instead of {}", raw_bytes, (*documents)->raw_bytes()));
  }
  return problems;
}

}  // namespace curlew::codec
