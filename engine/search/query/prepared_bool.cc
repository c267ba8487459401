#include "engine/search/query/prepared_bool.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/search/score/conjunction.h"
#include "engine/search/score/constant.h"
#include "engine/search/score/disjunction.h"
#include "engine/search/score/exclusion.h"
#include "engine/search/score/required_optional.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

using SupplierPtr = std::unique_ptr<ScorerSupplier>;
using SupplierOr = absl::StatusOr<SupplierPtr>;

class Bool : public PreparedQuery {
 public:
  Bool(const ShardContext& context, ScoreMode mode, BoolClauses clauses, int clause_count)
      : clauses_(std::move(clauses)),
        mode_(mode),
        cancel_(context.cancel),
        clause_count_(clause_count) {}

  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    CURLEW_ASSIGN_OR_RETURN(SupplierPtr matches, Matches(segment));
    if (matches == nullptr || clauses_.must_not.empty()) return matches;
    CURLEW_ASSIGN_OR_RETURN(SupplierPtr excluded,
                            AnyOf(segment, clauses_.must_not, 1, ScoreMode::kNone));
    if (excluded == nullptr) return matches;
    return NewExclusionSupplier(std::move(matches), std::move(excluded), cancel_);
  }
  std::optional<float> ConstantScore() const override {
    if (mode_ == ScoreMode::kNone) return 0;
    if (!clauses_.should.empty()) return std::nullopt;
    double sum = 0;
    for (const PreparedPtr& clause : clauses_.must) {
      const std::optional<float> score = clause->ConstantScore();
      if (!score) return std::nullopt;
      sum += *score;
    }
    return static_cast<float>(sum);
  }
  int clause_count() const override { return clause_count_; }

 private:
  bool required() const { return !clauses_.must.empty() || !clauses_.filter.empty(); }

  // Everything but must_not; null when nothing matches.
  SupplierOr Matches(const index::SnapshotSegment& segment) const {
    const bool needs_should = clauses_.min_should > 0 || (!required() && !clauses_.should.empty());
    SupplierPtr should;
    if (needs_should || mode_ == ScoreMode::kScores) {
      CURLEW_ASSIGN_OR_RETURN(
          should, AnyOf(segment, clauses_.should, std::max(clauses_.min_should, 1), mode_));
    }
    if (needs_should && should == nullptr) return nullptr;
    if (!required()) {
      if (should != nullptr) return should;
      return NewAllDocsSupplier(segment.reader->max_doc(), 0);
    }

    std::vector<ConjunctionClause> all;
    for (const PreparedPtr& clause : clauses_.must) {
      CURLEW_ASSIGN_OR_RETURN(SupplierPtr supplier, clause->ForSegment(segment));
      if (supplier == nullptr) return nullptr;
      all.push_back({std::move(supplier), mode_ == ScoreMode::kScores});
    }
    for (const PreparedPtr& clause : clauses_.filter) {
      CURLEW_ASSIGN_OR_RETURN(SupplierPtr supplier, clause->ForSegment(segment));
      if (supplier == nullptr) return nullptr;
      all.push_back({std::move(supplier), false});
    }
    if (needs_should) {
      // Lucene adds up must and should apart, and then the two sums.
      SupplierPtr sum = AllOf(std::move(all));
      std::vector<ConjunctionClause> both;
      both.push_back({std::move(sum), true});
      both.push_back({std::move(should), true});
      return NewConjunctionSupplier(std::move(both), cancel_);
    }
    SupplierPtr required = AllOf(std::move(all));
    if (should == nullptr) return required;
    return NewRequiredOptionalSupplier(std::move(required), std::move(should));
  }

  SupplierPtr AllOf(std::vector<ConjunctionClause> clauses) const {
    if (clauses.size() > 1) return NewConjunctionSupplier(std::move(clauses), cancel_);
    if (clauses[0].scoring || mode_ == ScoreMode::kNone) return std::move(clauses[0].supplier);
    return NewConstantSupplier(std::move(clauses[0].supplier), 0);
  }

  SupplierOr AnyOf(const index::SnapshotSegment& segment, const std::vector<PreparedPtr>& clauses,
                   int wanted, ScoreMode mode) const {
    std::vector<SupplierPtr> suppliers;
    for (const PreparedPtr& clause : clauses) {
      CURLEW_ASSIGN_OR_RETURN(SupplierPtr supplier, clause->ForSegment(segment));
      if (supplier != nullptr) suppliers.push_back(std::move(supplier));
    }
    if (suppliers.size() < static_cast<size_t>(wanted)) return nullptr;
    if (suppliers.size() == 1) return std::move(suppliers[0]);
    if (suppliers.size() == static_cast<size_t>(wanted)) {
      std::vector<ConjunctionClause> all;
      for (SupplierPtr& supplier : suppliers) {
        all.push_back({std::move(supplier), mode == ScoreMode::kScores});
      }
      return NewConjunctionSupplier(std::move(all), cancel_);
    }
    return NewDisjunctionSupplier(std::move(suppliers), wanted, mode, cancel_);
  }

  const BoolClauses clauses_;
  const ScoreMode mode_;
  const CancelToken* const cancel_;
  const int clause_count_;
};

}  // namespace

PreparedPtr PrepareFiltered(const ShardContext& context, ScoreMode mode, PreparedPtr query,
                            PreparedPtr filter) {
  BoolClauses clauses;
  clauses.must.push_back(std::move(query));
  clauses.filter.push_back(std::move(filter));
  return std::make_unique<Bool>(context, mode, std::move(clauses), 2);
}

absl::Status TooManyClauses(int limit) {
  return IllegalArgument(fmt::format("maxClauseCount is set to {}", limit));
}

absl::StatusOr<PreparedPtr> PrepareBool(const ShardContext& context, ScoreMode mode,
                                        BoolClauses clauses) {
  int64_t count = 0;
  for (const auto* list : {&clauses.must, &clauses.filter, &clauses.must_not, &clauses.should}) {
    for (const PreparedPtr& clause : *list) count += clause->clause_count();
  }
  if (count > context.max_clause_count) return TooManyClauses(context.max_clause_count);
  if (clauses.min_should > static_cast<int>(clauses.should.size())) return PrepareNone();

  if (clauses.must_not.empty()) {
    const size_t size = clauses.must.size() + clauses.filter.size() + clauses.should.size();
    if (size == 1) {
      if (!clauses.must.empty()) return std::move(clauses.must[0]);
      if (!clauses.should.empty()) return std::move(clauses.should[0]);
      return PrepareConstant(std::move(clauses.filter[0]), 0);
    }
  }
  return std::make_unique<Bool>(context, mode, std::move(clauses), static_cast<int>(count));
}

}  // namespace curlew::search
