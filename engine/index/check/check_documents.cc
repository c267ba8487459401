#include "engine/index/check/check_documents.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/index/operation.h"
#include "engine/util/error.h"
#include "engine/util/murmur3.h"
#include "engine/util/text_hash.h"

namespace curlew::index {

namespace {

using codec::DocId;

// A column of which every document has one value from `low` to `high`.
void CheckNumber(const OpenedSegment& segment, std::string_view field, int64_t low, int64_t high,
                 store::FileProblems& problems) {
  const codec::NumericColumn* column = segment.reader->Numeric(field);
  if (column == nullptr) {
    problems.Add(fmt::format("[{}] is missing", field));
    return;
  }
  codec::ColumnScratch scratch;
  for (DocId doc = 0; doc < segment.reader->max_doc(); ++doc) {
    const auto values = column->Values(doc, scratch);
    if (values.size() != 1) {
      problems.Add(fmt::format("[{}]: document {} has {} values", field, doc, values.size()));
    } else if (values[0] < low || values[0] > high) {
      problems.Add(fmt::format("[{}]: document {} has {}, which is not between {} and {}", field,
                               doc, values[0], low, high));
    }
  }
}

// The hash of each document's id by the terms.
std::vector<uint64_t> HashIds(const OpenedSegment& segment, store::FileProblems& problems) {
  const DocId max_doc = segment.reader->max_doc();
  std::vector<uint64_t> hashes(max_doc);
  std::vector<bool> seen(max_doc);
  if (const codec::FieldTerms* ids = segment.reader->Terms(mapping::kIdField)) {
    const auto terms = ids->Iterate();
    while (terms->Next()) {
      const auto postings = ids->OpenPostings(terms->entry());
      for (DocId doc = postings->Next(); doc < max_doc; doc = postings->Next()) {
        if (seen[doc]) problems.Add(fmt::format("document {} has several ids", doc));
        seen[doc] = true;
        hashes[doc] = HashText(terms->term());
      }
    }
  }
  for (DocId doc = 0; doc < max_doc; ++doc) {
    if (!seen[doc]) problems.Add(fmt::format("document {} has no id", doc));
  }
  return hashes;
}

void CheckStoredIds(const OpenedSegment& segment, const ShardPlace& place,
                    const std::vector<uint64_t>& hashes, store::FileProblems& problems) {
  const auto cursor = segment.reader->stored().NewCursor();
  for (DocId doc = 0; doc < segment.reader->max_doc(); ++doc) {
    const auto stored = cursor->Read(doc);
    if (!stored.ok()) continue;  // for its own checker to say
    if (HashText(stored->id) != hashes[doc]) {
      problems.Add(fmt::format("document {} is stored with the id [{}], the terms have another",
                               doc, Clip(stored->id)));
      continue;
    }
    // Of a deleted one the routing may be gone.
    if (place.shard_count < 2 || !segment.Live(doc)) continue;
    const int shard =
        ShardOf(stored->routing.empty() ? stored->id : stored->routing, place.shard_count);
    if (shard != place.shard) {
      problems.Add(
          fmt::format("document {} (id [{}]) belongs to shard {}", doc, Clip(stored->id), shard));
    }
  }
}

// Ordinals and terms of a field come of the same values.
void CheckWords(const std::string& field, const codec::FieldTerms& terms,
                const codec::OrdinalColumn& column, store::FileProblems& problems) {
  const auto words = terms.Iterate();
  uint32_t ordinal = 0;
  for (; words->Next(); ++ordinal) {
    if (ordinal >= column.value_count() || column.Value(ordinal) != words->term()) {
      problems.Add(fmt::format("[{}]: has not the term [{}] for value {}", field,
                               Clip(words->term()), ordinal));
      return;
    }
    const int64_t count = column.DocCountOf(ordinal);
    if (count >= 0 && count != words->entry().doc_freq) {
      problems.Add(fmt::format("[{}]: value [{}] has {} documents, the term has {}", field,
                               Clip(words->term()), count, words->entry().doc_freq));
    }
  }
  if (ordinal != column.value_count()) {
    problems.Add(
        fmt::format("[{}]: has {} values for {} terms", field, column.value_count(), ordinal));
  }
}

}  // namespace

std::vector<store::FileProblem> CheckDocuments(const OpenedSegment& segment,
                                               const ShardPlace& place, int64_t max_seq_no) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const std::string& name = segment.reader->info().name;
  store::FileProblems columns(name + ".columns");
  CheckNumber(segment, mapping::kSeqNoField, 0, max_seq_no, columns);
  CheckNumber(segment, mapping::kPrimaryTermField, 1, kMost, columns);
  CheckNumber(segment, mapping::kVersionField, 0, kMost, columns);
  store::FileProblems terms(name + ".terms");
  store::FileProblems stored(name + ".stored");
  CheckStoredIds(segment, place, HashIds(segment, terms), stored);
  std::vector<store::FileProblem> all = std::move(columns).Take();
  store::AppendProblems(all, std::move(terms).Take());
  store::AppendProblems(all, std::move(stored).Take());
  return all;
}

std::vector<store::FileProblem> CheckFields(const OpenedSegment& segment,
                                            const mapping::Mapping* mapping) {
  const SegmentReader& reader = *segment.reader;
  const std::string& name = reader.info().name;
  store::FileProblems terms(name + ".terms");
  store::FileProblems columns(name + ".columns");
  store::FileProblems points(name + ".points");
  store::FileProblems norms(name + ".norms");
  for (const std::string& field : reader.term_fields()) {
    if (const codec::OrdinalColumn* column = reader.Ordinals(field)) {
      CheckWords(field, *reader.Terms(field), *column, columns);
    }
    // What the engine keeps for itself is in no mapping.
    if (mapping == nullptr || field.starts_with('_')) continue;
    const mapping::MappedField* mapped = mapping->Find(field);
    if (mapped == nullptr || !mapped->has_terms()) {
      terms.Add(fmt::format("[{}] has terms, which the mapping does not say", field));
    } else if (mapped->norms && reader.NormsOf(field) == nullptr) {
      norms.Add(fmt::format("[{}] has terms and no lengths", field));
    }
  }
  for (const std::string& field : reader.numeric_fields()) {
    if (mapping == nullptr || field.starts_with('_')) continue;
    const mapping::MappedField* mapped = mapping->Find(field);
    if (mapped == nullptr) {
      columns.Add(fmt::format("[{}] is not in the mapping", field));
    } else if (mapped->numeric() && mapped->indexed && !mapped->has_terms() &&
               reader.Points(field) == nullptr) {
      points.Add(fmt::format("[{}] has a column and no points", field));
    }
  }
  std::vector<store::FileProblem> all = std::move(terms).Take();
  store::AppendProblems(all, std::move(columns).Take());
  store::AppendProblems(all, std::move(points).Take());
  store::AppendProblems(all, std::move(norms).Take());
  return all;
}

}  // namespace curlew::index
