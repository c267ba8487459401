#include "engine/codec/points/points_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/codec/columns/bit_packing.h"
#include "engine/codec/field_table.h"
#include "engine/codec/points/box_tree_writer.h"
#include "engine/codec/points/points.h"
#include "engine/codec/points/points_format.h"
#include "engine/codec/sections.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

class Writer final : public PointsWriter {
 public:
  Writer(std::unique_ptr<store::CheckedWriter> out, DocId max_doc)
      : out_(std::move(out)), max_doc_(max_doc) {}

  void StartNumbers(std::string_view field) override {
    field_ = field;
    values_.clear();
    docs_.clear();
    leaves_.clear();
    seen_.assign(max_doc_, false);
    value_count_ = 0;
    doc_count_ = 0;
  }
  void AddNumber(int64_t value, DocId doc) override {
    if (doc >= max_doc_ ||
        (value_count_ > 0 && std::pair(value, doc) < std::pair(last_value_, last_doc_))) {
      Misused(doc);
      return;
    }
    if (values_.size() == kPointsPerLeaf) WriteLeaf();
    values_.push_back(value);
    docs_.push_back(doc);
    last_value_ = value;
    last_doc_ = doc;
    ++value_count_;
    if (!seen_[doc]) ++doc_count_;
    seen_[doc] = true;
  }
  void FinishNumbers() override {
    if (value_count_ == 0) return;
    WriteLeaf();
    std::string& entry = StartEntry(PointsKind::kNumbers);
    PutVarint(entry, value_count_);
    PutVarint(entry, doc_count_);
    PutVarint(entry, AppendArray(*out_, std::span<const NumberLeaf>(leaves_)));
  }

  void AddBoxes(std::string_view field, uint32_t dimensions, uint32_t bytes,
                std::span<const uint8_t> packed, std::span<const DocId> docs) override {
    field_ = field;
    if (dimensions == 0 || dimensions > kMaxDimensions || bytes == 0 ||
        bytes > kMaxDimensionBytes || packed.size() != docs.size() * dimensions * bytes ||
        std::any_of(docs.begin(), docs.end(), [this](DocId doc) { return doc >= max_doc_; })) {
      Misused(docs.empty() ? 0 : docs[0]);
      return;
    }
    if (docs.empty()) return;
    WriteBoxTree(*out_, dimensions, bytes, packed, docs, StartEntry(PointsKind::kBoxes));
  }

  absl::Status Finish() override {
    table_.Write(*out_, max_doc_);
    CURLEW_RETURN_IF_ERROR(out_->Finish());
    return status_;
  }

 private:
  std::string& StartEntry(PointsKind kind) {
    std::string& entry = table_.Add(field_);
    entry.push_back(static_cast<char>(kind));
    return entry;
  }
  void Misused(DocId doc) {
    status_.Update(absl::InternalError(
        fmt::format("points [{}]: bad values or order at document {}", field_, doc)));
  }

  void WriteLeaf() {
    const DocId least = *std::min_element(docs_.begin(), docs_.end());
    std::vector<uint64_t> distances;
    uint64_t farthest = 0;
    bool run = true;
    for (size_t i = 0; i < docs_.size(); ++i) {
      distances.push_back(docs_[i] - least);
      farthest = std::max(farthest, distances.back());
      run = run && distances.back() == i;
    }
    const uint32_t doc_width = run ? kDocRun : PackedWidth(farthest);
    std::vector<uint64_t> rises;
    for (const int64_t value : values_) {
      rises.push_back(static_cast<uint64_t>(value) - static_cast<uint64_t>(values_[0]));
    }
    const uint32_t value_width = PackedWidth(rises.back());
    leaves_.push_back(
        {values_[0], out_->position() << 16 | uint64_t{value_width} << 8 | doc_width, least, 0});
    std::string bytes;
    AppendPacked(rises, value_width, bytes);
    if (!run) AppendPacked(distances, doc_width, bytes);
    out_->Append(bytes);
    values_.clear();
    docs_.clear();
  }

  const std::unique_ptr<store::CheckedWriter> out_;
  const DocId max_doc_;
  absl::Status status_;
  FieldTableWriter table_;

  std::string field_;
  std::vector<int64_t> values_;  // of the open leaf
  std::vector<DocId> docs_;
  std::vector<NumberLeaf> leaves_;
  std::vector<bool> seen_;
  uint64_t value_count_ = 0;
  uint32_t doc_count_ = 0;
  int64_t last_value_ = 0;
  DocId last_doc_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PointsWriter>> PointsWriter::Create(store::Directory& directory,
                                                                   const std::string& segment,
                                                                   DocId max_doc) {
  CURLEW_ASSIGN_OR_RETURN(auto out, store::CheckedWriter::Create(directory, PointsFileName(segment),
                                                                 kPointsFormat, segment));
  return std::make_unique<Writer>(std::move(out), max_doc);
}

}  // namespace curlew::codec
