#include "engine/codec/norms/norms_file.h"

#include <map>
#include <utility>

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
    PutString(fields_, field);
    PutVarint(fields_, AppendArray(*out_, norms));
    ++count_;
  }

  absl::Status Finish() override {
    std::string contents;
    PutVarint(contents, max_doc_);
    PutVarint(contents, count_);
    contents += fields_;
    AppendContents(*out_, contents);
    CURLEW_RETURN_IF_ERROR(out_->Finish());
    return status_;
  }

 private:
  const std::unique_ptr<store::CheckedWriter> out_;
  const DocId max_doc_;
  std::string fields_;
  uint64_t count_ = 0;
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
    CURLEW_ASSIGN_OR_RETURN(ByteReader in, OpenContents(file_));
    const uint64_t docs = in.Varint();
    if (docs != max_doc) {
      return Corruption(
          fmt::format("{}: has {} documents instead of {}", file_.name(), docs, max_doc));
    }
    const uint64_t count = in.Varint();
    for (uint64_t i = 0; i < count && !in.failed(); ++i) {
      const std::string_view name = in.String();
      const uint64_t offset = in.Varint();
      if (in.failed()) break;
      CURLEW_ASSIGN_OR_RETURN(auto norms, MappedArray<uint8_t>(file_, offset, max_doc));
      if (!fields_.try_emplace(std::string(name), norms).second) {
        return Corruption(fmt::format("{}: field [{}] twice", file_.name(), Clip(name)));
      }
    }
    if (in.failed() || !in.AtEnd()) {
      return Corruption(file_.name() + ": the table of contents is damaged");
    }
    return absl::OkStatus();
  }

  const Norms* Field(std::string_view field) const override {
    const auto it = fields_.find(field);
    return it == fields_.end() ? nullptr : &it->second;
  }
  std::vector<std::string> fields() const override {
    std::vector<std::string> names;
    for (const auto& [name, norms] : fields_) names.push_back(name);
    return names;
  }

 private:
  store::CheckedFile file_;
  std::map<std::string, FieldNorms, std::less<>> fields_;
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
