// Doc values: numbers are copied, ordinals are renumbered over the values that are still used.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/codec/columns/column_writer.h"
#include "engine/index/merge/merge_parts.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

using codec::DocId;

// Calls `visit(values, mapped)` for the documents of an input that stay and have values, looking at
// `abort` on the way. `values_of(doc)` gives a document's values, which are in the order `in_order`
// allows. A reader shows what is damaged as no value, so that their number is compared.
template <typename ValuesOf, typename InOrder, typename Visit>
absl::Status ForEachLive(const MergeJob& job, const std::string& field, size_t input,
                         uint32_t doc_count, ValuesOf values_of, InOrder in_order, Visit visit) {
  const std::vector<DocId>& map = job.map[input];
  uint32_t count = 0;
  bool ordered = true;
  for (DocId doc = 0; doc < map.size(); ++doc) {
    if (doc % 65536 == 0) CURLEW_RETURN_IF_ERROR(job.CheckAbort());
    const auto values = values_of(doc);
    if (values.empty()) continue;
    ++count;
    for (size_t i = 1; i < values.size(); ++i) {
      ordered = ordered && in_order(values[i - 1], values[i]);
    }
    if (ordered && map[doc] != codec::kNoMoreDocs) visit(values, map[doc]);
  }
  if (!ordered || count != doc_count) {
    return job.Damaged(input, fmt::format("the values of field [{}]", field));
  }
  return absl::OkStatus();
}

absl::Status MergeNumbers(const MergeJob& job, const std::string& field,
                          codec::ColumnWriter& writer) {
  writer.StartNumeric(field);
  codec::ColumnScratch scratch;
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    const codec::NumericColumn* column = job.inputs[i].reader->Numeric(field);
    if (column == nullptr) continue;
    CURLEW_RETURN_IF_ERROR(ForEachLive(
        job, field, i, column->doc_count(), [&](DocId doc) { return column->Values(doc, scratch); },
        std::less_equal<>(),
        [&](std::span<const int64_t> values, DocId mapped) { writer.AddNumbers(mapped, values); }));
  }
  writer.FinishNumeric();
  return absl::OkStatus();
}

absl::Status MergeOrdinals(const MergeJob& job, const std::string& field,
                           codec::ColumnWriter& writer) {
  constexpr uint32_t kUnused = UINT32_MAX;
  codec::ColumnScratch scratch;
  // Per input the new ordinal of each old one.
  std::vector<std::vector<uint32_t>> renumbered(job.inputs.size());
  std::vector<std::string_view> values;
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    const codec::OrdinalColumn* column = job.inputs[i].reader->Ordinals(field);
    if (column == nullptr) continue;
    std::vector<uint32_t>& used = renumbered[i];
    used.assign(column->value_count(), kUnused);
    CURLEW_RETURN_IF_ERROR(ForEachLive(
        job, field, i, column->doc_count(),
        [&](DocId doc) { return column->Ordinals(doc, scratch); }, std::less<>(),
        [&](std::span<const uint32_t> ordinals, DocId) {
          for (const uint32_t ordinal : ordinals) used[ordinal] = 0;
        }));
    const size_t middle = values.size();
    std::string_view previous;
    for (uint32_t ordinal = 0; ordinal < used.size(); ++ordinal) {
      const std::string_view value = column->Value(ordinal);
      if (ordinal > 0 && value <= previous) {
        return job.Damaged(i, fmt::format("the values of field [{}]", field));
      }
      previous = value;
      if (used[ordinal] != kUnused) values.push_back(value);
    }
    std::inplace_merge(values.begin(), values.begin() + static_cast<ptrdiff_t>(middle),
                       values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  writer.StartOrdinals(field);
  for (const std::string_view value : values) writer.AddValue(value);

  std::vector<uint32_t> ordinals;
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    const codec::OrdinalColumn* column = job.inputs[i].reader->Ordinals(field);
    if (column == nullptr) continue;
    // Both lists are sorted: one walk renumbers all.
    size_t next = 0;
    for (uint32_t ordinal = 0; ordinal < renumbered[i].size(); ++ordinal) {
      if (renumbered[i][ordinal] == kUnused) continue;
      const std::string_view value = column->Value(ordinal);
      while (next < values.size() && values[next] < value) ++next;
      if (next == values.size() || values[next] != value) {
        return job.Damaged(i, fmt::format("the values of field [{}]", field));
      }
      renumbered[i][ordinal] = static_cast<uint32_t>(next);
    }
    CURLEW_RETURN_IF_ERROR(ForEachLive(
        job, field, i, column->doc_count(),
        [&](DocId doc) { return column->Ordinals(doc, scratch); }, std::less<>(),
        [&](std::span<const uint32_t> old, DocId mapped) {
          ordinals.clear();
          for (const uint32_t ordinal : old) ordinals.push_back(renumbered[i][ordinal]);
          writer.AddOrdinals(mapped, ordinals);
        }));
  }
  writer.FinishOrdinals();
  return absl::OkStatus();
}

}  // namespace

absl::Status MergeColumns(const MergeJob& job) {
  CURLEW_ASSIGN_OR_RETURN(auto writer,
                          codec::ColumnWriter::Create(job.directory, job.name, job.max_doc));
  std::set<std::string> numbers;
  std::set<std::string> ordinals;
  for (const MergeInput& input : job.inputs) {
    for (std::string& field : input.reader->numeric_fields()) numbers.insert(std::move(field));
    for (std::string& field : input.reader->ordinal_fields()) ordinals.insert(std::move(field));
  }
  for (const std::string& field : numbers) {
    CURLEW_RETURN_IF_ERROR(MergeNumbers(job, field, *writer));
  }
  for (const std::string& field : ordinals) {
    CURLEW_RETURN_IF_ERROR(MergeOrdinals(job, field, *writer));
  }
  return writer->Finish();
}

}  // namespace curlew::index
