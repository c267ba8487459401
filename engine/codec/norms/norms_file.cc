#include "engine/codec/norms/norms_file.h"

#include <utility>

#include "engine/codec/field_table.h"
#include "engine/codec/sections.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

constexpr store::FileFormat kFormat{"norms", 1, 1};

std::string FileName(const std::string& segment) { return segment + ".norms"; }

class Writer final : public NormsWriter {
 public:
  Writer(std::unique_ptr<store::CheckedWriter> out, DocId max_doc)
      : out_(std::move(out)), max_doc_(max_doc) {}

  void AddField(std::string_view field, std::span<const uint8_t> norms) override {
    if (norms.size() != max_doc_) {
      status_.Update(absl::InternalError(
          fmt::format("norms of [{}] for {} of {} documents", field, norms.size(), max_doc_)));
      return;
    }
    PutVarint(table_.Add(field), AppendArray(*out_, norms));
  }

  absl::Status Finish() override {
    table_.Write(*out_, max_doc_);
    CURLEW_RETURN_IF_ERROR(out_->Finish());
    return status_;
  }

 private:
  const std::unique_ptr<store::CheckedWriter> out_;
  const DocId max_doc_;
  FieldTableWriter table_;
  absl::Status status_;
};

class FieldNorms final : public Norms {
 public:
  explicit FieldNorms(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  std::span<const uint8_t> bytes() const override { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
};

class Reader final : public NormsReader {
 public:
  absl::Status Load(store::CheckedFile file, DocId max_doc) {
    file_ = std::move(file);
    return ReadFieldTable(
        file_, max_doc, "field", [&](const std::string& name, ByteReader& in) -> absl::Status {
          CURLEW_ASSIGN_OR_RETURN(const auto norms,
                                  MappedArray<uint8_t>(file_, in.Varint(), max_doc));
          fields_.emplace(name, norms);
          return absl::OkStatus();
        });
  }

  const Norms* Field(std::string_view field) const override { return FindField(fields_, field); }
  std::vector<std::string> fields() const override { return FieldNames(fields_); }

 private:
  store::CheckedFile file_;
  ByField<FieldNorms> fields_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<NormsWriter>> NormsWriter::Create(store::Directory& directory,
                                                                 const std::string& segment,
                                                                 DocId max_doc) {
  CURLEW_ASSIGN_OR_RETURN(
      auto out, store::CheckedWriter::Create(directory, FileName(segment), kFormat, segment));
  return std::make_unique<Writer>(std::move(out), max_doc);
}

absl::StatusOr<std::unique_ptr<NormsReader>> NormsReader::Open(store::Directory& directory,
                                                               const std::string& segment,
                                                               DocId max_doc, bool verify) {
  CURLEW_ASSIGN_OR_RETURN(
      auto file, store::CheckedFile::Open(directory, FileName(segment), kFormat, segment, verify));
  auto reader = std::make_unique<Reader>();
  CURLEW_RETURN_IF_ERROR(reader->Load(std::move(file), max_doc));
  return reader;
}

}  // namespace curlew::codec
