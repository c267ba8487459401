#include "engine/search/query/exists_query.h"

#include <utility>
#include <vector>

#include "engine/search/query/prepared.h"
#include "engine/search/query/prepared_exists.h"
#include "engine/search/query/wildcard.h"
#include "engine/search/score/constant.h"
#include "engine/search/score/disjunction.h"
#include "engine/search/score/doc_set.h"
#include "engine/search/score/scan.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

using SupplierOr = absl::StatusOr<std::unique_ptr<ScorerSupplier>>;

// The documents of one segment that have `field`.
SupplierOr HavingField(const index::SnapshotSegment& segment, const PresentField& field,
                       const CancelToken* cancel) {
  const index::SegmentReader& reader = *segment.reader;
  const DocId max_doc = reader.max_doc();
  if (const codec::NumericColumn* column = reader.Numeric(field.path)) {
    if (column->doc_count() == max_doc) return NewAllDocsSupplier(max_doc, 0);
    return NewScanSupplier(
        max_doc, [column](DocId doc) { return column->Has(doc); }, 0, cancel);
  }
  if (const codec::OrdinalColumn* column = reader.Ordinals(field.path)) {
    if (column->doc_count() == max_doc) return NewAllDocsSupplier(max_doc, 0);
    return NewScanSupplier(
        max_doc, [column](DocId doc) { return column->Has(doc); }, 0, cancel);
  }
  if (field.norms) {
    const codec::Norms* norms = reader.NormsOf(field.path);
    if (norms == nullptr) return nullptr;
    return NewScanSupplier(
        max_doc, [bytes = norms->bytes()](DocId doc) { return bytes[doc] != 0; }, 0, cancel);
  }
  const codec::FieldTerms* terms = reader.Terms(field.path);
  if (terms == nullptr) return nullptr;
  if (terms->stats().doc_count == max_doc) return NewAllDocsSupplier(max_doc, 0);
  DocSet set(max_doc);
  PeriodicCheck check(cancel);
  const auto it = terms->Iterate();
  while (!check.Stop() && it->Next()) {
    if (!set.AddAll(*terms->OpenPostings(it->entry()), check)) {
      return Corruption("a postings list of field [" + Clip(field.path) + "] is damaged");
    }
  }
  CURLEW_RETURN_IF_ERROR(check.status());
  if (it->corrupt()) return Corruption("the terms of field [" + Clip(field.path) + "] are damaged");
  return set.TakeSupplier(0);
}

// The documents of one segment that have `field` as a text without a word.
SupplierOr HavingEmptyText(const index::SnapshotSegment& segment, const PresentField& field,
                           const CancelToken* cancel) {
  const codec::FieldTerms* names = segment.reader->Terms(mapping::kFieldNamesField);
  codec::TermEntry entry;
  if (names == nullptr || !names->Find(field.path, entry)) return nullptr;
  DocSet set(segment.reader->max_doc());
  PeriodicCheck check(cancel);
  if (!set.AddAll(*names->OpenPostings(entry), check)) {
    return Corruption("a postings list of field [_field_names] is damaged");
  }
  CURLEW_RETURN_IF_ERROR(check.status());
  return set.TakeSupplier(0);
}

class Exists : public PreparedQuery {
 public:
  Exists(const ShardContext& context, std::vector<PresentField> fields, float score)
      : fields_(std::move(fields)), score_(score), cancel_(context.cancel) {}

  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    std::vector<std::unique_ptr<ScorerSupplier>> clauses;
    for (const PresentField& field : fields_) {
      CURLEW_ASSIGN_OR_RETURN(auto clause, HavingField(segment, field, cancel_));
      if (clause != nullptr) clauses.push_back(std::move(clause));
      CURLEW_ASSIGN_OR_RETURN(auto empty, HavingEmptyText(segment, field, cancel_));
      if (empty != nullptr) clauses.push_back(std::move(empty));
    }
    if (clauses.empty()) return nullptr;
    if (clauses.size() == 1) return NewConstantSupplier(std::move(clauses[0]), score_);
    return NewConstantSupplier(
        NewDisjunctionSupplier(std::move(clauses), 1, ScoreMode::kNone, cancel_), score_);
  }
  int64_t Count(const index::SnapshotSegment& segment) const override {
    if (fields_.size() != 1) return -1;
    const std::string& field = fields_[0].path;
    const DocId max_doc = segment.reader->max_doc();
    uint32_t count;
    if (const codec::NumericColumn* column = segment.reader->Numeric(field)) {
      count = column->doc_count();
    } else if (const codec::OrdinalColumn* ordinals = segment.reader->Ordinals(field)) {
      count = ordinals->doc_count();
    } else if (const codec::FieldTerms* terms = segment.reader->Terms(field)) {
      // Lucene's count as well: it leaves out documents in which the field is an empty text.
      count = terms->stats().doc_count;
    } else {
      return 0;
    }
    if (count == max_doc) return segment.live_count();
    return segment.live_docs == nullptr ? static_cast<int64_t>(count) : -1;
  }
  std::optional<float> ConstantScore() const override { return score_; }

 private:
  const std::vector<PresentField> fields_;
  const float score_;
  const CancelToken* const cancel_;
};

class ExistsQuery : public Query {
 public:
  ExistsQuery(std::string field, float boost) : field_(std::move(field)), boost_(boost) {}

  absl::StatusOr<PreparedPtr> Prepare(const ShardContext& context, ScoreMode) const override {
    const mapping::Mapping& mapping = *context.mapping;
    if (const mapping::MappedField* field = mapping.Find(field_)) {
      if (field->kind >= mapping::FieldKind::kId) return PrepareAll(boost_);
      return PrepareExists(context, {field}, boost_);
    }
    std::vector<const mapping::MappedField*> fields;
    const std::string below = field_ + ".";
    for (const mapping::MappedField* field : mapping.fields()) {
      const bool inside = std::string_view(field->path).substr(0, below.size()) == below;
      if (inside || WildcardMatches(field_, field->path)) fields.push_back(field);
    }
    return PrepareExists(context, fields, boost_);
  }

 private:
  const std::string field_;
  const float boost_;
};

}  // namespace

PreparedPtr PrepareExists(const ShardContext& context,
                          const std::vector<const mapping::MappedField*>& fields, float score) {
  std::vector<PresentField> present;
  for (const mapping::MappedField* field : fields) present.push_back({field->path, field->norms});
  if (present.empty()) return PrepareNone();
  return std::make_unique<Exists>(context, std::move(present), score);
}

QueryPtr NewExistsQuery(std::string field, float boost) {
  return std::make_shared<ExistsQuery>(std::move(field), boost);
}

}  // namespace curlew::search
