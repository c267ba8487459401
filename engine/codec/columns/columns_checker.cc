#include "engine/codec/columns/columns_checker.h"

#include <algorithm>
#include <limits>

#include "engine/codec/columns/column_reader.h"
#include "engine/util/error.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

void CheckNumeric(const std::string& name, const NumericColumn& column, DocId max_doc,
                  std::vector<std::string>& problems) {
  uint32_t documents = 0;
  bool single = true;
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = std::numeric_limits<int64_t>::min();
  for (DocId doc = 0; doc < max_doc; ++doc) {
    const auto values = column.Values(doc);
    if (values.empty()) continue;
    ++documents;
    single = single && values.size() == 1;
    min = std::min(min, values.front());
    max = std::max(max, values.back());
    if (!std::is_sorted(values.begin(), values.end())) {
      problems.push_back(fmt::format("columns: [{}]: document {} is not sorted", name, doc));
    }
  }
  if (documents != column.doc_count() || single != column.single_valued() || min != column.min() ||
      max != column.max()) {
    problems.push_back(fmt::format(
        "columns: [{}]: {} documents, {}..{}, the header says {}, {}..{}, or single-valued wrongly",
        name, documents, min, max, column.doc_count(), column.min(), column.max()));
  }
}

void CheckOrdinals(const std::string& name, const OrdinalColumn& column, DocId max_doc,
                   std::vector<std::string>& problems) {
  for (uint32_t ordinal = 1; ordinal < column.value_count(); ++ordinal) {
    if (column.Value(ordinal - 1) >= column.Value(ordinal)) {
      problems.push_back(fmt::format("columns: [{}]: value {} is out of order", name, ordinal));
    }
  }
  uint32_t documents = 0;
  bool single = true;
  std::vector<bool> used(column.value_count());
  for (DocId doc = 0; doc < max_doc; ++doc) {
    const auto ordinals = column.Ordinals(doc);
    if (ordinals.empty()) continue;
    ++documents;
    single = single && ordinals.size() == 1;
    for (size_t i = 0; i < ordinals.size(); ++i) {
      used[ordinals[i]] = true;
      if (i > 0 && ordinals[i - 1] >= ordinals[i]) {
        problems.push_back(fmt::format("columns: [{}]: document {} is not sorted", name, doc));
      }
    }
  }
  if (documents != column.doc_count() || single != column.single_valued()) {
    problems.push_back(
        fmt::format("columns: [{}]: {} documents, the header says {}, or single-valued wrongly",
                    name, documents, column.doc_count()));
  }
  if (const auto unused = std::count(used.begin(), used.end(), false); unused != 0) {
    problems.push_back(fmt::format("columns: [{}]: {} values no document has", name, unused));
  }
}

}  // namespace

std::vector<std::string> CheckColumns(store::Directory& directory, const std::string& segment,
                                      DocId max_doc) {
  const auto reader = ColumnReader::Open(directory, segment, max_doc);
  if (!reader.ok()) return {DescribeError(reader.status()).reason};
  std::vector<std::string> problems;
  for (const std::string& name : (*reader)->numeric_fields()) {
    CheckNumeric(name, *(*reader)->Numeric(name), max_doc, problems);
  }
  for (const std::string& name : (*reader)->ordinal_fields()) {
    CheckOrdinals(name, *(*reader)->Ordinals(name), max_doc, problems);
  }
  return problems;
}

}  // namespace curlew::codec
