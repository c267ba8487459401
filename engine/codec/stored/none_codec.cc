#include <algorithm>
#include <limits>
#include <utility>

#include "engine/codec/sections.h"
#include "engine/codec/stored/record_table.h"
#include "engine/codec/stored/stored_codecs.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

constexpr store::FileFormat kFormat{"stored.none", 1, 1};

class Writer final : public StoredWriter {
 public:
  explicit Writer(std::unique_ptr<store::CheckedWriter> out)
      : out_(std::move(out)), data_start_(out_->position()) {}

  void Add(const StoredDocument& document) override {
    table_.Add(document);
    out_->Append(document.id);
    out_->Append(document.routing);
    out_->Append(document.source);
  }

  absl::Status Finish() override {
    std::string contents;
    PutVarint(contents, data_start_);
    table_.Write(*out_, contents);
    AppendContents(*out_, contents);
    return out_->Finish();
  }

 private:
  const std::unique_ptr<store::CheckedWriter> out_;
  const uint64_t data_start_;
  RecordTableWriter table_;
};

class Documents final : public StoredDocuments {
 public:
  absl::Status Load(store::CheckedFile file, DocId max_doc) {
    file_ = std::move(file);
    CURLEW_ASSIGN_OR_RETURN(ByteReader in, OpenContents(file_));
    const uint64_t data_start = in.Varint();
    CURLEW_RETURN_IF_ERROR(table_.Load(file_, in, max_doc));
    if (in.failed() || !in.AtEnd()) {
      return Corruption(file_.name() + ": the table of contents is damaged");
    }
    CURLEW_ASSIGN_OR_RETURN(data_, MappedBytes(file_, data_start, table_.raw_bytes()));
    return absl::OkStatus();
  }

  std::unique_ptr<StoredCursor> NewCursor() const override;
  uint32_t RecordSize(DocId doc) const override {
    return static_cast<uint32_t>(
        std::min<uint64_t>(table_.Of(doc).size(), std::numeric_limits<uint32_t>::max()));
  }
  std::string_view codec() const override { return NoneCodec().name(); }
  uint64_t raw_bytes() const override { return table_.raw_bytes(); }
  uint64_t stored_bytes() const override { return file_.bytes().size(); }

  absl::StatusOr<StoredDocument> Read(DocId doc) const {
    if (doc >= table_.max_doc()) {
      return Corruption(fmt::format("{}: no document {}", file_.name(), doc));
    }
    const RecordTable::Extent extent = table_.Of(doc);
    return table_.Split(doc, data_.substr(extent.start, extent.size()));
  }

 private:
  store::CheckedFile file_;
  RecordTable table_;
  std::string_view data_;
};

class Cursor final : public StoredCursor {
 public:
  explicit Cursor(const Documents& documents) : documents_(documents) {}
  absl::StatusOr<StoredDocument> Read(DocId doc) override { return documents_.Read(doc); }

 private:
  const Documents& documents_;
};

std::unique_ptr<StoredCursor> Documents::NewCursor() const {
  return std::make_unique<Cursor>(*this);
}

class Codec final : public StoredCodec {
 public:
  std::string_view name() const override { return "none"; }
  absl::StatusOr<std::unique_ptr<StoredWriter>> NewWriter(
      store::Directory& directory, const std::string& segment) const override {
    CURLEW_ASSIGN_OR_RETURN(auto out, store::CheckedWriter::Create(
                                          directory, StoredFileName(segment), kFormat, segment));
    return std::make_unique<Writer>(std::move(out));
  }
  absl::StatusOr<std::unique_ptr<StoredDocuments>> Open(store::Directory& directory,
                                                        const std::string& segment, DocId max_doc,
                                                        bool verify) const override {
    CURLEW_ASSIGN_OR_RETURN(auto file, store::CheckedFile::Open(directory, StoredFileName(segment),
                                                                kFormat, segment, verify));
    auto documents = std::make_unique<Documents>();
    CURLEW_RETURN_IF_ERROR(documents->Load(std::move(file), max_doc));
    return documents;
  }
};

}  // namespace

const StoredCodec& NoneCodec() {
  static const Codec codec;
  return codec;
}

}  // namespace curlew::codec
