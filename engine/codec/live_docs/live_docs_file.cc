#include "engine/codec/live_docs/live_docs_file.h"

#include <bit>
#include <span>

#include "engine/codec/sections.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

constexpr store::FileFormat kFormat{"live_docs", 1, 1};

}  // namespace

std::string LiveDocsFileName(const std::string& segment, uint64_t generation) {
  return fmt::format("{}_{}.live", segment, generation);
}

absl::Status WriteLiveDocs(store::Directory& directory, const std::string& segment,
                           uint64_t generation, const LiveDocs& live_docs) {
  CURLEW_ASSIGN_OR_RETURN(
      auto out, store::CheckedWriter::Create(directory, LiveDocsFileName(segment, generation),
                                             kFormat, segment));
  const uint64_t words = AppendArray(*out, std::span<const uint64_t>(live_docs.words()));
  std::string contents;
  PutVarint(contents, generation);
  PutVarint(contents, live_docs.max_doc());
  PutVarint(contents, live_docs.live_count());
  PutVarint(contents, words);
  AppendContents(*out, contents);
  return out->Finish();
}

absl::StatusOr<std::shared_ptr<LiveDocs>> ReadLiveDocs(store::Directory& directory,
                                                       const std::string& segment,
                                                       uint64_t generation, DocId max_doc,
                                                       bool verify) {
  CURLEW_ASSIGN_OR_RETURN(const auto file,
                          store::CheckedFile::Open(directory, LiveDocsFileName(segment, generation),
                                                   kFormat, segment, verify));
  CURLEW_ASSIGN_OR_RETURN(ByteReader in, OpenContents(file));
  const uint64_t file_generation = in.Varint();
  const uint64_t file_max_doc = in.Varint();
  const uint64_t live_count = in.Varint();
  const uint64_t offset = in.Varint();
  if (in.failed() || !in.AtEnd()) return Corruption(file.name() + ": the header is damaged");
  if (file_generation != generation) {
    return Corruption(fmt::format("{}: is of generation {}", file.name(), file_generation));
  }
  if (file_max_doc != max_doc) {
    return Corruption(
        fmt::format("{}: has {} documents instead of {}", file.name(), file_max_doc, max_doc));
  }
  auto live_docs = std::make_shared<LiveDocs>(max_doc);
  const std::vector<uint64_t>& full = live_docs->words();
  CURLEW_ASSIGN_OR_RETURN(const auto words, MappedArray<uint64_t>(file, offset, full.size()));
  for (size_t i = 0; i < words.size(); ++i) {
    if ((words[i] & ~full[i]) != 0) {
      return Corruption(file.name() + ": marks documents behind the last one");
    }
    uint64_t deleted = full[i] & ~words[i];
    for (; deleted != 0; deleted &= deleted - 1) {
      live_docs->Delete(static_cast<DocId>(i * 64 + std::countr_zero(deleted)));
    }
  }
  if (live_docs->live_count() != live_count) {
    return Corruption(fmt::format("{}: {} documents are live instead of {}", file.name(),
                                  live_docs->live_count(), live_count));
  }
  return live_docs;
}

}  // namespace curlew::codec
