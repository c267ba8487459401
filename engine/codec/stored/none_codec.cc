#include <utility>

#include "engine/codec/sections.h"
#include "engine/codec/stored/tabled_documents.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"

namespace curlew::codec {
namespace {

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

class Documents final : public TabledDocuments {
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
  std::string_view codec() const override { return NoneCodec().name(); }
  std::string_view data() const { return data_; }

 private:
  std::string_view data_;
};

class Cursor final : public StoredCursor {
 public:
  explicit Cursor(const Documents& documents) : documents_(documents) {}

  absl::Status ReadAll(std::span<const DocId> docs, StoredDocument* out) override {
    const RecordTable& table = documents_.table();
    for (const DocId doc : docs) {
      CURLEW_RETURN_IF_ERROR(table.Check(doc));
      const RecordTable::Extent extent = table.Of(doc);
      const std::string_view raw(documents_.data().data() + extent.start, extent.size());
      CURLEW_RETURN_IF_ERROR(table.Split(doc, raw, *out++));
    }
    return absl::OkStatus();
  }

 private:
  const Documents& documents_;
};

std::unique_ptr<StoredCursor> Documents::NewCursor() const {
  return std::make_unique<Cursor>(*this);
}

struct Traits {
  static constexpr std::string_view kName = "none";
  static constexpr store::FileFormat kFormat{"stored.none", 1, 1};

  static absl::StatusOr<std::unique_ptr<StoredWriter>> NewWriter(
      std::unique_ptr<store::CheckedWriter> out, const StoredPlan&) {
    return std::make_unique<Writer>(std::move(out));
  }
  static absl::StatusOr<std::unique_ptr<StoredDocuments>> Load(store::CheckedFile file,
                                                               DocId max_doc) {
    auto documents = std::make_unique<Documents>();
    CURLEW_RETURN_IF_ERROR(documents->Load(std::move(file), max_doc));
    return documents;
  }
  static uint64_t SampleBytes(uint64_t) { return 0; }
};

}  // namespace

const StoredCodec& NoneCodec() {
  static const TabledCodec<Traits> codec;
  return codec;
}

}  // namespace curlew::codec
