// What the codecs of stored documents have in common: one file with a record table, and how it is
// created and opened.
#ifndef CURLEW_ENGINE_CODEC_STORED_TABLED_DOCUMENTS_H_
#define CURLEW_ENGINE_CODEC_STORED_TABLED_DOCUMENTS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/codec/stored/record_table.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/codec/stored/stored_codecs.h"
#include "engine/store/checked_file.h"
#include "engine/util/error.h"

namespace curlew::codec {

// Derived classes load the rest of the table of contents into it. Thread-safe once loaded.
class TabledDocuments : public StoredDocuments {
 public:
  uint64_t RecordBytes(std::span<const DocId> docs) const override { return table_.BytesOf(docs); }
  uint64_t raw_bytes() const override { return table_.raw_bytes(); }
  uint64_t stored_bytes() const override { return file_.bytes().size(); }

  const RecordTable& table() const { return table_; }
  const std::string& file_name() const { return file_.name(); }

 protected:
  store::CheckedFile file_;
  RecordTable table_;
};

// Traits, all static: kName, kFormat,
//   absl::StatusOr<std::unique_ptr<StoredWriter>> NewWriter(std::unique_ptr<store::CheckedWriter>,
//                                                           const StoredPlan&),
//   absl::StatusOr<std::unique_ptr<StoredDocuments>> Load(store::CheckedFile, DocId max_doc),
//   uint64_t SampleBytes(uint64_t raw_bytes).
template <typename Traits>
class TabledCodec final : public StoredCodec {
 public:
  std::string_view name() const override { return Traits::kName; }

  absl::StatusOr<std::unique_ptr<StoredWriter>> NewWriter(store::Directory& directory,
                                                          const std::string& segment,
                                                          const StoredPlan& plan) const override {
    CURLEW_ASSIGN_OR_RETURN(
        auto out,
        store::CheckedWriter::Create(directory, StoredFileName(segment), Traits::kFormat, segment));
    return Traits::NewWriter(std::move(out), plan);
  }

  absl::StatusOr<std::unique_ptr<StoredDocuments>> Open(store::Directory& directory,
                                                        const std::string& segment, DocId max_doc,
                                                        bool verify) const override {
    CURLEW_ASSIGN_OR_RETURN(auto file, store::CheckedFile::Open(directory, StoredFileName(segment),
                                                                Traits::kFormat, segment, verify));
    return Traits::Load(std::move(file), max_doc);
  }

  uint64_t SampleBytes(uint64_t raw_bytes) const override { return Traits::SampleBytes(raw_bytes); }
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_STORED_TABLED_DOCUMENTS_H_
