// Prepared queries over columns.
#include <algorithm>
#include <utility>

#include "engine/codec/columns/column.h"
#include "engine/search/query/prepared.h"
#include "engine/search/score/constant.h"
#include "engine/search/score/scan.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

using SupplierOr = absl::StatusOr<std::unique_ptr<ScorerSupplier>>;
using mapping::NumberRange;

// Sorted and disjoint, so that one search tells whether a value is inside.
std::vector<NumberRange> Normalize(std::vector<NumberRange> ranges) {
  std::erase_if(ranges, [](const NumberRange& range) { return range.first > range.last; });
  std::sort(ranges.begin(), ranges.end(),
            [](const NumberRange& a, const NumberRange& b) { return a.first < b.first; });
  std::vector<NumberRange> out;
  for (const NumberRange& range : ranges) {
    if (!out.empty() && range.first <= out.back().last) {
      out.back().last = std::max(out.back().last, range.last);
    } else {
      out.push_back(range);
    }
  }
  return out;
}

class NumberRanges : public PreparedQuery {
 public:
  NumberRanges(const ShardContext& context, std::string field, std::vector<NumberRange> ranges,
               float score)
      : field_(std::move(field)),
        ranges_(Normalize(std::move(ranges))),
        score_(score),
        cancel_(context.cancel) {}

  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    const codec::NumericColumn* column = segment.reader->Numeric(field_);
    if (column == nullptr || column->doc_count() == 0 || ranges_.empty()) return nullptr;
    if (ranges_.front().first > column->max() || ranges_.back().last < column->min()) {
      return nullptr;
    }
    const codec::DocId max_doc = segment.reader->max_doc();
    if (CoversAll(*column, max_doc)) return NewAllDocsSupplier(max_doc, score_);
    if (ranges_.size() == 1) {
      const NumberRange range = ranges_[0];
      return NewScanSupplier(
          max_doc,
          [column, range](DocId doc) {
            for (const int64_t value : column->Values(doc)) {
              if (value >= range.first && value <= range.last) return true;
            }
            return false;
          },
          score_, cancel_);
    }
    return NewScanSupplier(
        max_doc,
        [column, this](DocId doc) {
          for (const int64_t value : column->Values(doc)) {
            const auto after = std::upper_bound(
                ranges_.begin(), ranges_.end(), value,
                [](int64_t v, const NumberRange& range) { return v < range.first; });
            if (after != ranges_.begin() && value <= std::prev(after)->last) return true;
          }
          return false;
        },
        score_, cancel_);
  }
  int64_t Count(const index::SnapshotSegment& segment) const override {
    const codec::NumericColumn* column = segment.reader->Numeric(field_);
    if (column == nullptr || column->doc_count() == 0 || ranges_.empty()) return 0;
    if (!CoversAll(*column, segment.reader->max_doc())) return -1;
    return segment.live_count();
  }
  std::optional<float> ConstantScore() const override { return score_; }

 private:
  bool CoversAll(const codec::NumericColumn& column, codec::DocId max_doc) const {
    return column.doc_count() == max_doc && ranges_.size() == 1 &&
           ranges_[0].first <= column.min() && ranges_[0].last >= column.max();
  }

  const std::string field_;
  const std::vector<NumberRange> ranges_;
  const float score_;
  const CancelToken* const cancel_;
};

class OrdinalRanges : public PreparedQuery {
 public:
  OrdinalRanges(const ShardContext& context, std::string field, OrdinalBounds bounds, float score)
      : field_(std::move(field)),
        bounds_(std::move(bounds)),
        score_(score),
        cancel_(context.cancel) {}

  SupplierOr ForSegment(const index::SnapshotSegment& segment) const override {
    const codec::OrdinalColumn* column = segment.reader->Ordinals(field_);
    if (column == nullptr) return nullptr;
    std::vector<bool> wanted(column->value_count());
    bool any = false;
    PeriodicCheck check(cancel_);
    for (const OrdinalRange& range : bounds_(*column, check)) {
      const uint32_t last = std::min(range.last, column->value_count());
      if (range.first >= last) continue;
      std::fill(wanted.begin() + range.first, wanted.begin() + last, true);
      any = true;
    }
    CURLEW_RETURN_IF_ERROR(check.status());
    if (!any) return nullptr;
    return NewScanSupplier(
        segment.reader->max_doc(),
        [column, wanted = std::make_shared<const std::vector<bool>>(std::move(wanted))](DocId doc) {
          for (const uint32_t ordinal : column->Ordinals(doc)) {
            if ((*wanted)[ordinal]) return true;
          }
          return false;
        },
        score_, cancel_);
  }
  std::optional<float> ConstantScore() const override { return score_; }

 private:
  const std::string field_;
  const OrdinalBounds bounds_;
  const float score_;
  const CancelToken* const cancel_;
};

}  // namespace

PreparedPtr PrepareNumberRanges(const ShardContext& context, std::string field,
                                std::vector<NumberRange> ranges, float score) {
  return std::make_unique<NumberRanges>(context, std::move(field), std::move(ranges), score);
}

PreparedPtr PrepareOrdinalRanges(const ShardContext& context, std::string field,
                                 OrdinalBounds bounds, float score) {
  return std::make_unique<OrdinalRanges>(context, std::move(field), std::move(bounds), score);
}

}  // namespace curlew::search
