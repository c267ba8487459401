#include "engine/search/query/prepared.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/search/score/constant.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

using SupplierOr = absl::StatusOr<std::unique_ptr<ScorerSupplier>>;

class None : public PreparedQuery {
 public:
  SupplierOr ForSegment(const index::SnapshotSegment&) const override { return nullptr; }
  int64_t Count(const index::SnapshotSegment&) const override { return 0; }
  std::optional<float> ConstantScore() const override { return 0.0f; }
};

class All : public PreparedQuery {
 public:
  explicit All(float score) : score_(score) {}
  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    return NewAllDocsSupplier(segment.reader->max_doc(), score_);
  }
  int64_t Count(const index::SnapshotSegment& segment) const override {
    return segment.live_count();
  }
  std::optional<float> ConstantScore() const override { return score_; }

 private:
  const float score_;
};

class Constant : public PreparedQuery {
 public:
  Constant(PreparedPtr filter, float score) : filter_(std::move(filter)), score_(score) {}
  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    CURLEW_ASSIGN_OR_RETURN(auto supplier, filter_->ForSegment(segment));
    if (supplier == nullptr) return nullptr;
    return NewConstantSupplier(std::move(supplier), score_);
  }
  int64_t Count(const index::SnapshotSegment& segment) const override {
    return filter_->Count(segment);
  }
  std::optional<float> ConstantScore() const override { return score_; }
  int clause_count() const override { return filter_->clause_count(); }

 private:
  const PreparedPtr filter_;
  const float score_;
};

class Boost : public PreparedQuery {
 public:
  Boost(PreparedPtr inner, float factor) : inner_(std::move(inner)), factor_(factor) {}
  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    CURLEW_ASSIGN_OR_RETURN(auto supplier, inner_->ForSegment(segment));
    if (supplier == nullptr) return nullptr;
    return NewBoostSupplier(std::move(supplier), factor_);
  }
  int64_t Count(const index::SnapshotSegment& segment) const override {
    return inner_->Count(segment);
  }
  std::optional<float> ConstantScore() const override {
    const std::optional<float> score = inner_->ConstantScore();
    return score ? std::optional(*score * factor_) : std::nullopt;
  }
  int clause_count() const override { return inner_->clause_count(); }

 private:
  const PreparedPtr inner_;
  const float factor_;
};

}  // namespace

PreparedPtr PrepareNone() { return std::make_unique<None>(); }
PreparedPtr PrepareAll(float score) { return std::make_unique<All>(score); }
PreparedPtr PrepareConstant(PreparedPtr filter, float score) {
  return std::make_unique<Constant>(std::move(filter), score);
}
PreparedPtr PrepareBoost(PreparedPtr inner, float factor) {
  if (factor == 1.0f) return inner;
  return std::make_unique<Boost>(std::move(inner), factor);
}

absl::Status CheckSearchable(const mapping::MappedField& field) {
  if (field.kind == mapping::FieldKind::kText && !field.indexed) {
    return IllegalArgument(
        fmt::format("Cannot search on field [{}] since it is not indexed.", Clip(field.path)));
  }
  if (!field.indexed && !field.doc_values) {
    return IllegalArgument(
        fmt::format("Cannot search on field [{}] since it is both not indexed, and does not have "
                    "doc_values enabled.",
                    Clip(field.path)));
  }
  return absl::OkStatus();
}

}  // namespace curlew::search
