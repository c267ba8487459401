// Prepared queries over terms and postings.
#include <optional>
#include <utility>

#include "engine/search/query/prepared.h"
#include "engine/search/score/doc_set.h"
#include "engine/search/score/term_scorer.h"
#include "engine/search/similarity.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

using SupplierOr = absl::StatusOr<std::unique_ptr<ScorerSupplier>>;

class Bm25Term : public PreparedQuery {
 public:
  Bm25Term(std::string field, bool norms, std::string term, const ShardContext& context,
           float boost)
      : field_(std::move(field)), term_(std::move(term)), norms_(norms) {
    uint64_t doc_freq = 0;
    for (const index::SnapshotSegment& segment : context.snapshot->segments) {
      const codec::FieldTerms* terms = segment.reader->Terms(field_);
      Found found{segment.reader.get(), terms, {}};
      if (terms == nullptr || !terms->Find(term_, found.entry)) continue;
      doc_freq += found.entry.doc_freq;
      found_.push_back(found);
    }
    if (doc_freq > 0) {
      const FieldTotals totals = TotalsOf(*context.snapshot, field_);
      bm25_.emplace(boost, Idf(doc_freq, totals.doc_count), totals);
    }
  }

  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    const Found* found = FindIn(segment);
    if (found == nullptr) return nullptr;
    TermScoring scoring;
    scoring.bm25 = &*bm25_;
    if (norms_) scoring.norms = segment.reader->NormsOf(field_);
    return NewTermSupplier(found->terms, found->entry, scoring);
  }
  int64_t Count(const index::SnapshotSegment& segment) const override {
    const Found* found = FindIn(segment);
    if (found == nullptr) return 0;
    if (found->entry.damaged()) return -1;
    return segment.live_docs == nullptr ? static_cast<int64_t>(found->entry.doc_freq) : -1;
  }

 private:
  struct Found {
    const index::SegmentReader* reader;
    const codec::FieldTerms* terms;
    codec::TermEntry entry;
  };
  const Found* FindIn(const index::SnapshotSegment& segment) const {
    for (const Found& found : found_) {
      if (found.reader == segment.reader.get()) return &found;
    }
    return nullptr;
  }

  const std::string field_;
  const std::string term_;
  const bool norms_;
  std::vector<Found> found_;
  std::optional<Bm25> bm25_;
};

class ConstantTerm : public PreparedQuery {
 public:
  ConstantTerm(std::string field, std::string term, float score)
      : field_(std::move(field)), term_(std::move(term)), score_(score) {}

  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    codec::TermEntry entry;
    const codec::FieldTerms* terms = segment.reader->Terms(field_);
    if (terms == nullptr || !terms->Find(term_, entry)) return nullptr;
    TermScoring scoring;
    scoring.constant = score_;
    return NewTermSupplier(terms, entry, scoring);
  }
  int64_t Count(const index::SnapshotSegment& segment) const override {
    codec::TermEntry entry;
    const codec::FieldTerms* terms = segment.reader->Terms(field_);
    if (terms == nullptr || !terms->Find(term_, entry)) return 0;
    if (entry.damaged()) return -1;
    return segment.live_docs == nullptr ? static_cast<int64_t>(entry.doc_freq) : -1;
  }
  std::optional<float> ConstantScore() const override { return score_; }

 private:
  const std::string field_;
  const std::string term_;
  const float score_;
};

class TermUnion : public PreparedQuery {
 public:
  TermUnion(const ShardContext& context, std::string field, TermVisitor visit, float score)
      : field_(std::move(field)),
        visit_(std::move(visit)),
        score_(score),
        cancel_(context.cancel) {}

  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    const codec::FieldTerms* terms = segment.reader->Terms(field_);
    if (terms == nullptr) return nullptr;
    DocSet set(segment.reader->max_doc());
    PeriodicCheck check(cancel_);
    bool sound = true;
    const bool walked = visit_(*terms, check, [&](const codec::TermEntry& entry) {
      sound = set.AddAll(*terms->OpenPostings(entry), check) && sound;
    });
    CURLEW_RETURN_IF_ERROR(check.status());
    if (!walked || !sound) {
      return Corruption("a postings list of field [" + Clip(field_) + "] is damaged");
    }
    return set.TakeSupplier(score_);
  }
  std::optional<float> ConstantScore() const override { return score_; }

 private:
  const std::string field_;
  const TermVisitor visit_;
  const float score_;
  const CancelToken* const cancel_;
};

}  // namespace

PreparedPtr PrepareBm25Term(const ShardContext& context, const mapping::MappedField& field,
                            std::string term, float boost) {
  return std::make_unique<Bm25Term>(field.path, field.norms, std::move(term), context, boost);
}

PreparedPtr PrepareConstantTerm(std::string field, std::string term, float score) {
  return std::make_unique<ConstantTerm>(std::move(field), std::move(term), score);
}

PreparedPtr PrepareTermUnion(const ShardContext& context, std::string field, TermVisitor visit,
                             float score) {
  return std::make_unique<TermUnion>(context, std::move(field), std::move(visit), score);
}

}  // namespace curlew::search
