#include "engine/codec/columns/columns_checker.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "engine/codec/columns/column_reader.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

// Bounds and counts of a block, gathered document by document.
class BlockTally {
 public:
  void Add(DocId doc, std::span<const int64_t> values) {
    const uint32_t block = doc / kColumnBlockDocs;
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    Seen& seen = blocks_[block];
    ++seen.docs;
    if (values.empty()) return;
    ++seen.with_value;
    seen.min = std::min(seen.min, values.front());
    seen.max = std::max(seen.max, values.back());
  }
  // Whether `block_of(n)` says the same of block n.
  template <typename BlockOf>
  bool Agrees(BlockOf block_of) const {
    for (uint32_t i = 0; i < blocks_.size(); ++i) {
      const ColumnBlock said = block_of(i);
      const Seen& seen = blocks_[i];
      if (said.none != (seen.with_value == 0) || said.every != (seen.with_value == seen.docs)) {
        return false;
      }
      if (!said.none && (said.min != seen.min || said.max != seen.max)) return false;
    }
    return true;
  }

 private:
  struct Seen {
    int64_t min = std::numeric_limits<int64_t>::max();
    int64_t max = std::numeric_limits<int64_t>::min();
    uint32_t docs = 0;
    uint32_t with_value = 0;
  };
  std::vector<Seen> blocks_;
};

void CheckNumeric(const std::string& name, const NumericColumn& column, DocId max_doc,
                  store::FileProblems& problems) {
  uint32_t documents = 0;
  bool single = true;
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = std::numeric_limits<int64_t>::min();
  BlockTally tally;
  ColumnScratch scratch;
  for (DocId doc = 0; doc < max_doc; ++doc) {
    const auto values = column.Values(doc, scratch);
    tally.Add(doc, values);
    if (values.empty()) continue;
    ++documents;
    single = single && values.size() == 1;
    min = std::min(min, values.front());
    max = std::max(max, values.back());
    if (!std::is_sorted(values.begin(), values.end())) {
      problems.Add(fmt::format("[{}]: document {} is not sorted", name, doc));
    }
  }
  if (documents != column.doc_count() || single != column.single_valued() || min != column.min() ||
      max != column.max()) {
    problems.Add(fmt::format(
        "[{}]: {} documents, {}..{}, the header says {}, {}..{}, or single-valued wrongly", name,
        documents, min, max, column.doc_count(), column.min(), column.max()));
  }
  if (!tally.Agrees([&column](uint32_t block) { return column.Block(block); })) {
    problems.Add(fmt::format("[{}]: a block's bounds are not its values'", name));
  }
}

void CheckOrdinals(const std::string& name, const OrdinalColumn& column, DocId max_doc,
                   store::FileProblems& problems) {
  for (uint32_t ordinal = 1; ordinal < column.value_count(); ++ordinal) {
    if (column.Value(ordinal - 1) >= column.Value(ordinal)) {
      problems.Add(fmt::format("[{}]: value {} is out of order", name, ordinal));
    }
  }
  uint32_t documents = 0;
  bool single = true;
  std::vector<int64_t> used(column.value_count());
  BlockTally tally;
  ColumnScratch scratch;
  std::vector<int64_t> wide;
  for (DocId doc = 0; doc < max_doc; ++doc) {
    const auto ordinals = column.Ordinals(doc, scratch);
    wide.assign(ordinals.begin(), ordinals.end());
    tally.Add(doc, wide);
    if (ordinals.empty()) continue;
    ++documents;
    single = single && ordinals.size() == 1;
    for (size_t i = 0; i < ordinals.size(); ++i) {
      ++used[ordinals[i]];
      if (i > 0 && ordinals[i - 1] >= ordinals[i]) {
        problems.Add(fmt::format("[{}]: document {} is not sorted", name, doc));
      }
    }
  }
  if (documents != column.doc_count() || single != column.single_valued()) {
    problems.Add(fmt::format("[{}]: {} documents, the header says {}, or single-valued wrongly",
                             name, documents, column.doc_count()));
  }
  if (!tally.Agrees([&column](uint32_t block) { return column.Block(block); })) {
    problems.Add(fmt::format("[{}]: a block's bounds are not its values'", name));
  }
  if (const auto unused = std::count(used.begin(), used.end(), 0); unused != 0) {
    problems.Add(fmt::format("[{}]: {} values no document has", name, unused));
  }
  for (uint32_t ordinal = 0; ordinal < used.size(); ++ordinal) {
    if (column.DocCountOf(ordinal) == used[ordinal]) continue;
    problems.Add(fmt::format("[{}]: value {} is in {} documents, not in {}", name, ordinal,
                             used[ordinal], column.DocCountOf(ordinal)));
  }
}

}  // namespace

std::vector<store::FileProblem> CheckColumns(store::Directory& directory,
                                             const std::string& segment, DocId max_doc) {
  store::FileProblems problems(segment + ".columns");
  const auto reader = ColumnReader::Open(directory, segment, max_doc);
  if (!reader.ok()) {
    problems.AddError(directory, reader.status());
    return std::move(problems).Take();
  }
  for (const std::string& name : (*reader)->numeric_fields()) {
    CheckNumeric(name, *(*reader)->Numeric(name), max_doc, problems);
  }
  for (const std::string& name : (*reader)->ordinal_fields()) {
    CheckOrdinals(name, *(*reader)->Ordinals(name), max_doc, problems);
  }
  return std::move(problems).Take();
}

}  // namespace curlew::codec
