#include "engine/codec/columns/column_reader.h"

#include <map>
#include <utility>

#include "engine/codec/columns/columns_format.h"
#include "engine/codec/sections.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

// The mapped arrays of a column, as ColumnWriter's Buffer wrote them.
template <typename T>
struct MappedValues {
  uint32_t doc_count = 0;
  bool single = false;
  bool every = false;
  DocId max_doc = 0;
  std::span<const T> values;
  std::span<const uint32_t> starts;  // empty when `every`

  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId docs) {
    max_doc = docs;
    const uint64_t documents = in.Varint();
    const uint8_t single_byte = in.Byte();
    const uint8_t layout = in.Byte();
    const uint64_t count = in.Varint();
    const uint64_t values_at = in.Varint();
    every = layout == static_cast<uint8_t>(ColumnLayout::kEvery);
    const uint64_t starts_at = every ? 0 : in.Varint();
    single = single_byte == 1;
    if (in.failed() || documents == 0 || documents > max_doc || count < documents ||
        single_byte > 1 || layout > static_cast<uint8_t>(ColumnLayout::kStarts) ||
        (single && count != documents) || (every && (!single || documents != max_doc))) {
      return Corruption(file.name() + ": impossible counts of values");
    }
    doc_count = static_cast<uint32_t>(documents);
    CURLEW_ASSIGN_OR_RETURN(values, MappedArray<T>(file, values_at, count));
    if (!every) {
      CURLEW_ASSIGN_OR_RETURN(
          starts, MappedArray<uint32_t>(file, starts_at, static_cast<uint64_t>(max_doc) + 1));
    }
    return absl::OkStatus();
  }

  std::span<const T> Of(DocId doc) const {
    if (doc >= max_doc) return {};
    if (every) return values.subspan(doc, 1);
    const uint32_t start = starts[doc];
    const uint32_t end = starts[doc + 1];
    if (start > end || end > values.size() || (single && end - start > 1)) return {};
    return values.subspan(start, end - start);
  }
};

class MappedNumeric final : public NumericColumn {
 public:
  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc) {
    CURLEW_RETURN_IF_ERROR(values_.Load(file, in, max_doc));
    min_ = static_cast<int64_t>(in.Fixed64());
    max_ = static_cast<int64_t>(in.Fixed64());
    return absl::OkStatus();
  }

  std::span<const int64_t> Values(DocId doc) const override { return values_.Of(doc); }
  uint32_t doc_count() const override { return values_.doc_count; }
  bool single_valued() const override { return values_.single; }
  int64_t min() const override { return min_; }
  int64_t max() const override { return max_; }

 private:
  MappedValues<int64_t> values_;
  int64_t min_ = 0;
  int64_t max_ = 0;
};

class MappedOrdinals final : public OrdinalColumn {
 public:
  absl::Status Load(const store::CheckedFile& file, ByteReader& in, DocId max_doc) {
    CURLEW_RETURN_IF_ERROR(values_.Load(file, in, max_doc));
    const uint64_t value_count = in.Varint();
    const uint64_t ends_at = in.Varint();
    const uint64_t bytes_at = in.Varint();
    const uint64_t bytes_size = in.Varint();
    if (in.failed() || value_count == 0 || value_count > 0xffffffff) {
      return Corruption(file.name() + ": impossible count of distinct values");
    }
    CURLEW_ASSIGN_OR_RETURN(ends_, MappedArray<uint64_t>(file, ends_at, value_count));
    CURLEW_ASSIGN_OR_RETURN(bytes_, MappedBytes(file, bytes_at, bytes_size));
    return absl::OkStatus();
  }

  std::span<const uint32_t> Ordinals(DocId doc) const override {
    const std::span<const uint32_t> ordinals = values_.Of(doc);
    // Callers index arrays with them.
    for (const uint32_t ordinal : ordinals) {
      if (ordinal >= ends_.size()) return {};
    }
    return ordinals;
  }
  uint32_t value_count() const override { return static_cast<uint32_t>(ends_.size()); }
  std::string_view Value(uint32_t ordinal) const override {
    if (ordinal >= ends_.size()) return {};
    const uint64_t start = ordinal == 0 ? 0 : ends_[ordinal - 1];
    const uint64_t end = ends_[ordinal];
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
  uint32_t doc_count() const override { return values_.doc_count; }
  bool single_valued() const override { return values_.single; }

 private:
  MappedValues<uint32_t> values_;
  std::span<const uint64_t> ends_;
  std::string_view bytes_;
};

template <typename Column>
using Columns = std::map<std::string, Column, std::less<>>;

template <typename Column>
const Column* FindColumn(const Columns<Column>& columns, std::string_view field) {
  const auto it = columns.find(field);
  return it == columns.end() ? nullptr : &it->second;
}

template <typename Column>
std::vector<std::string> NamesOf(const Columns<Column>& columns) {
  std::vector<std::string> names;
  for (const auto& [name, column] : columns) names.push_back(name);
  return names;
}

class Reader final : public ColumnReader {
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
      const std::string name(in.String());
      const uint8_t kind = in.Byte();
      if (in.failed()) break;
      if (kind > static_cast<uint8_t>(ColumnKind::kOrdinals)) {
        return Corruption(
            fmt::format("{}: column [{}] is of unknown kind {}", file_.name(), Clip(name), kind));
      }
      if (numeric_.contains(name) || ordinals_.contains(name)) {
        return Corruption(fmt::format("{}: column [{}] twice", file_.name(), Clip(name)));
      }
      CURLEW_RETURN_IF_ERROR(kind == static_cast<uint8_t>(ColumnKind::kNumeric)
                                 ? numeric_[name].Load(file_, in, max_doc)
                                 : ordinals_[name].Load(file_, in, max_doc));
    }
    if (in.failed() || !in.AtEnd()) {
      return Corruption(file_.name() + ": the table of contents is damaged");
    }
    return absl::OkStatus();
  }

  const NumericColumn* Numeric(std::string_view field) const override {
    return FindColumn(numeric_, field);
  }
  const OrdinalColumn* Ordinals(std::string_view field) const override {
    return FindColumn(ordinals_, field);
  }
  std::vector<std::string> numeric_fields() const override { return NamesOf(numeric_); }
  std::vector<std::string> ordinal_fields() const override { return NamesOf(ordinals_); }

 private:
  store::CheckedFile file_;
  Columns<MappedNumeric> numeric_;
  Columns<MappedOrdinals> ordinals_;
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
