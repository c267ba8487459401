#include "engine/codec/columns/column_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/codec/columns/columns_format.h"
#include "engine/codec/columns/packed_column.h"
#include "engine/codec/field_table.h"
#include "engine/codec/sections.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

class MappedNumeric final : public NumericColumn {
 public:
  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc) {
    CURLEW_RETURN_IF_ERROR(column_.Load(file, in, max_doc));
    min_ = static_cast<int64_t>(in.Fixed64());
    max_ = static_cast<int64_t>(in.Fixed64());
    return absl::OkStatus();
  }

  std::span<const int64_t> Values(DocId doc, ColumnScratch& scratch) const override {
    return column_.Values(doc, scratch);
  }
  bool Has(DocId doc) const override { return column_.PlaceOf(doc).count != 0; }
  uint32_t doc_count() const override { return column_.presence().count(); }
  bool single_valued() const override { return column_.single(); }
  int64_t min() const override { return min_; }
  int64_t max() const override { return max_; }
  void Read(std::span<const DocId> docs, ValuePick pick, int64_t missing,
            int64_t* out) const override {
    column_.Read(docs, pick, missing, out);
  }
  void Mark(DocId first, uint32_t count, int64_t low, int64_t high, ColumnScratch& scratch,
            uint64_t* bits) const override {
    column_.Mark(first, count, low, high, scratch, bits);
  }
  ColumnBlock Block(uint32_t block) const override { return column_.Block(block); }

 private:
  PackedColumn column_;
  int64_t min_ = 0;
  int64_t max_ = 0;
};

class MappedOrdinals final : public OrdinalColumn {
 public:
  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc) {
    CURLEW_RETURN_IF_ERROR(column_.Load(file, in, max_doc));
    CURLEW_RETURN_IF_ERROR(ends_.Load(file, in));
    const uint64_t bytes_at = in.Varint();
    const uint64_t bytes_size = in.Varint();
    CURLEW_RETURN_IF_ERROR(doc_counts_.Load(file, in));
    if (in.failed() || ends_.size() >= kNoOrdinal || doc_counts_.size() != ends_.size()) {
      return Corruption(file.name() + ": impossible count of distinct values");
    }
    value_count_ = static_cast<uint32_t>(ends_.size());
    CURLEW_ASSIGN_OR_RETURN(bytes_, MappedBytes(file, bytes_at, bytes_size));
    return absl::OkStatus();
  }

  std::span<const uint32_t> Ordinals(DocId doc, ColumnScratch& scratch) const override {
    const std::span<const int64_t> values = column_.Values(doc, scratch);
    scratch.ordinals.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      // Callers index arrays with them.
      if (!Sound(values[i])) return {};
      scratch.ordinals[i] = static_cast<uint32_t>(values[i]);
    }
    return scratch.ordinals;
  }
  bool Has(DocId doc) const override { return column_.PlaceOf(doc).count != 0; }
  uint32_t value_count() const override { return value_count_; }
  std::string_view Value(uint32_t ordinal) const override {
    if (ordinal >= value_count_) return {};
    const uint64_t start = ordinal == 0 ? 0 : static_cast<uint64_t>(ends_.Get(ordinal - 1));
    const auto end = static_cast<uint64_t>(ends_.Get(ordinal));
    if (start > end || end > bytes_.size()) return {};
    return bytes_.substr(start, end - start);
  }
  uint32_t LowerBound(std::string_view value) const override {
    uint32_t low = 0;
    uint32_t high = value_count();
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (Value(middle) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  uint32_t doc_count() const override { return column_.presence().count(); }
  bool single_valued() const override { return column_.single(); }

  void Read(std::span<const DocId> docs, ValuePick pick, uint32_t* out) const override {
    std::array<int64_t, kStep> values;
    for (size_t done = 0; done < docs.size(); done += kStep) {
      const size_t step = std::min(kStep, docs.size() - done);
      column_.Read(docs.subspan(done, step), pick, -1, values.data());
      for (size_t i = 0; i < step; ++i) {
        out[done + i] = Sound(values[i]) ? static_cast<uint32_t>(values[i]) : kNoOrdinal;
      }
    }
  }
  void Count(std::span<const DocId> docs, ColumnScratch& scratch, uint32_t* counts) const override {
    if (!column_.single()) return CountSeveral(docs, scratch, counts);
    std::array<int64_t, kStep> ordinals;
    for (size_t done = 0; done < docs.size(); done += kStep) {
      const size_t step = std::min(kStep, docs.size() - done);
      const auto part = docs.subspan(done, step);
      if (OfOneValue(part, counts)) continue;
      column_.Read(part, ValuePick::kLeast, -1, ordinals.data());
      CountRuns({ordinals.data(), step}, counts);
    }
  }
  int64_t DocCountOf(uint32_t ordinal) const override {
    return ordinal < value_count_ ? doc_counts_.Get(ordinal) : 0;
  }
  ColumnBlock Block(uint32_t block) const override {
    const ColumnBlock bounds = column_.Block(block);
    if (Sound(bounds.min) && Sound(bounds.max)) return bounds;
    return OrdinalColumn::Block(block);
  }

 private:
  static constexpr size_t kStep = 256;

  // Counts documents (ascending, few) in a block of which all have the same value.
  bool OfOneValue(std::span<const DocId> docs, uint32_t* counts) const {
    const uint32_t block = docs.front() / kColumnBlockDocs;
    if (docs.back() / kColumnBlockDocs != block) return false;
    const ColumnBlock bounds = column_.Block(block);
    if (!bounds.every || bounds.min != bounds.max || !Sound(bounds.min)) return false;
    counts[bounds.min] += static_cast<uint32_t>(docs.size());
    return true;
  }
  // Runs of one value would wait for each other's additions.
  void CountRuns(std::span<const int64_t> ordinals, uint32_t* counts) const {
    for (size_t i = 0; i < ordinals.size();) {
      const int64_t ordinal = ordinals[i];
      const size_t first = i++;
      while (i < ordinals.size() && ordinals[i] == ordinal) ++i;
      if (Sound(ordinal)) counts[ordinal] += static_cast<uint32_t>(i - first);
    }
  }
  // Of documents that have several. In a row of documents it does not matter whose they are.
  void CountSeveral(std::span<const DocId> docs, ColumnScratch& scratch, uint32_t* counts) const {
    while (!docs.empty()) {
      size_t row = 1;
      while (row < docs.size() && row < kStep && docs[row] == docs[0] + row) ++row;
      const auto place = column_.PlaceOfAll(docs[0], docs[0] + static_cast<DocId>(row));
      docs = docs.subspan(row);
      scratch.numbers.resize(place.count);
      column_.values().Read(place.first, place.count, scratch.numbers.data());
      for (const int64_t ordinal : scratch.numbers) {
        if (Sound(ordinal)) ++counts[ordinal];
      }
    }
  }
  bool Sound(int64_t ordinal) const { return static_cast<uint64_t>(ordinal) < value_count_; }

  PackedColumn column_;
  uint32_t value_count_ = 0;
  NumberSequence ends_;  // of the values in bytes_
  NumberSequence doc_counts_;
  std::string_view bytes_;
};

class Reader final : public ColumnReader {
 public:
  absl::Status Load(store::CheckedFile file, DocId max_doc) {
    file_ = std::move(file);
    return ReadFieldTable(file_, max_doc, "column",
                          [&](const std::string& name, ByteReader& in) -> absl::Status {
                            const uint8_t kind = in.Byte();
                            if (kind > static_cast<uint8_t>(ColumnKind::kOrdinals)) {
                              return Corruption(fmt::format("{}: column [{}] is of unknown kind {}",
                                                            file_.name(), Clip(name), kind));
                            }
                            return kind == static_cast<uint8_t>(ColumnKind::kNumeric)
                                       ? numeric_[name].Load(file_, in, max_doc)
                                       : ordinals_[name].Load(file_, in, max_doc);
                          });
  }

  const NumericColumn* Numeric(std::string_view field) const override {
    return FindField(numeric_, field);
  }
  const OrdinalColumn* Ordinals(std::string_view field) const override {
    return FindField(ordinals_, field);
  }
  std::vector<std::string> numeric_fields() const override { return FieldNames(numeric_); }
  std::vector<std::string> ordinal_fields() const override { return FieldNames(ordinals_); }

 private:
  store::CheckedFile file_;
  ByField<MappedNumeric> numeric_;
  ByField<MappedOrdinals> ordinals_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ColumnReader>> ColumnReader::Open(store::Directory& directory,
                                                                 const std::string& segment,
                                                                 DocId max_doc, bool verify) {
  CURLEW_ASSIGN_OR_RETURN(auto file, store::CheckedFile::Open(directory, ColumnsFileName(segment),
                                                              kColumnsFormat, segment, verify));
  auto reader = std::make_unique<Reader>();
  CURLEW_RETURN_IF_ERROR(reader->Load(std::move(file), max_doc));
  return reader;
}

}  // namespace curlew::codec
