#include "engine/codec/columns/column_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/codec/columns/columns_format.h"
#include "engine/codec/columns/number_sequence.h"
#include "engine/codec/columns/packed_column.h"
#include "engine/codec/field_table.h"
#include "engine/codec/sections.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

class Writer final : public ColumnWriter {
 public:
  Writer(std::unique_ptr<store::CheckedWriter> out, DocId max_doc)
      : out_(std::move(out)), max_doc_(max_doc) {}

  void StartNumeric(std::string_view field) override {
    field_ = field;
    numbers_.Clear();
  }
  void AddNumbers(DocId doc, std::span<const int64_t> sorted_values) override {
    if (!numbers_.Add(doc, sorted_values, max_doc_) ||
        !std::is_sorted(sorted_values.begin(), sorted_values.end())) {
      Misused(doc);
    }
  }
  void FinishNumeric() override {
    if (numbers_.empty()) return;
    std::string& entry = StartEntry(ColumnKind::kNumeric);
    numbers_.Write(*out_, max_doc_, entry);
    const auto [min, max] = std::minmax_element(numbers_.values().begin(), numbers_.values().end());
    PutFixed64(entry, static_cast<uint64_t>(*min));
    PutFixed64(entry, static_cast<uint64_t>(*max));
  }

  void StartOrdinals(std::string_view field) override {
    field_ = field;
    ordinals_.Clear();
    value_bytes_.clear();
    value_ends_.clear();
    last_value_.clear();
  }
  void AddValue(std::string_view value) override {
    if (!value_ends_.empty() && value <= last_value_) {
      status_.Update(absl::InternalError(fmt::format("column [{}]: value [{}] after [{}]", field_,
                                                     Clip(value), Clip(last_value_))));
    }
    value_bytes_.append(value);
    value_ends_.push_back(static_cast<int64_t>(value_bytes_.size()));
    last_value_.assign(value);
  }
  void AddOrdinals(DocId doc, std::span<const uint32_t> ordinals) override {
    bool sorted = true;
    for (size_t i = 1; i < ordinals.size(); ++i) sorted = sorted && ordinals[i - 1] < ordinals[i];
    if (!ordinals_.Add(doc, ordinals, max_doc_) || !sorted ||
        (!ordinals.empty() && ordinals.back() >= value_ends_.size())) {
      Misused(doc);
    }
  }
  void FinishOrdinals() override {
    if (ordinals_.empty() || value_ends_.empty()) return;
    std::string& entry = StartEntry(ColumnKind::kOrdinals);
    ordinals_.Write(*out_, max_doc_, entry);
    WriteSequence(*out_, value_ends_, entry);
    PutVarint(entry, out_->position());
    PutVarint(entry, value_bytes_.size());
    out_->Append(value_bytes_);
    std::vector<int64_t> doc_counts(value_ends_.size());
    for (const int64_t ordinal : ordinals_.values()) {
      if (static_cast<size_t>(ordinal) < doc_counts.size()) {
        ++doc_counts[static_cast<size_t>(ordinal)];
      }
    }
    WriteSequence(*out_, doc_counts, entry);
  }

  absl::Status Finish() override {
    table_.Write(*out_, max_doc_);
    CURLEW_RETURN_IF_ERROR(out_->Finish());
    return status_;
  }

 private:
  std::string& StartEntry(ColumnKind kind) {
    std::string& entry = table_.Add(field_);
    entry.push_back(static_cast<char>(kind));
    return entry;
  }
  void Misused(DocId doc) {
    status_.Update(absl::InternalError(
        fmt::format("column [{}]: bad values or order at document {}", field_, doc)));
  }

  const std::unique_ptr<store::CheckedWriter> out_;
  const DocId max_doc_;
  absl::Status status_;
  FieldTableWriter table_;

  std::string field_;
  ColumnBuffer numbers_;
  ColumnBuffer ordinals_;
  std::string value_bytes_;
  std::vector<int64_t> value_ends_;
  std::string last_value_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ColumnWriter>> ColumnWriter::Create(store::Directory& directory,
                                                                   const std::string& segment,
                                                                   DocId max_doc) {
  CURLEW_ASSIGN_OR_RETURN(
      auto out,
      store::CheckedWriter::Create(directory, ColumnsFileName(segment), kColumnsFormat, segment));
  return std::make_unique<Writer>(std::move(out), max_doc);
}

}  // namespace curlew::codec
