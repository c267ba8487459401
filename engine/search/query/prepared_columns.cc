// Prepared queries over columns.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "engine/codec/columns/column.h"
#include "engine/codec/points/points.h"
#include "engine/search/query/prepared.h"
#include "engine/search/score/column_scan.h"
#include "engine/search/score/constant.h"
#include "engine/search/score/doc_set.h"
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

// Whether a column's numbers lie in ranges, which are sorted and disjoint.
class NumberFilter : public ColumnFilter {
 public:
  NumberFilter(const codec::NumericColumn& column, std::span<const NumberRange> ranges)
      : column_(column), ranges_(ranges) {}

  Block Look(uint32_t block) const override {
    const codec::ColumnBlock bounds = column_.Block(block);
    if (bounds.none) return Block::kNone;
    const NumberRange* const range = FirstUpTo(bounds.min);
    if (range == End() || range->first > bounds.max) return Block::kNone;
    const bool inside = range->first <= bounds.min && range->last >= bounds.max;
    return inside && bounds.every ? Block::kAll : Block::kSome;
  }
  bool Matches(DocId doc) override { return AnyOf(column_.Values(doc, scratch_)); }
  void Mark(DocId first, uint32_t count, uint64_t* bits) override {
    const codec::ColumnBlock bounds = column_.Block(first / codec::kColumnBlockDocs);
    const NumberRange* range = FirstUpTo(bounds.min);
    const NumberRange* const end = std::upper_bound(
        range, End(), bounds.max, [](int64_t v, const NumberRange& r) { return v < r.first; });
    const uint32_t words = (count + 63) / 64;
    if (end - range > kMostMarks) {
      std::fill_n(bits, words, 0);
      for (uint32_t i = 0; i < count; ++i) {
        if (Matches(first + i)) bits[i / 64] |= uint64_t{1} << (i % 64);
      }
      return;
    }
    if (range == end) return std::fill(bits, bits + words, 0);
    column_.Mark(first, count, range->first, range->last, scratch_, bits);
    for (++range; range != end; ++range) {
      std::array<uint64_t, codec::kColumnBlockDocs / 64> more;
      column_.Mark(first, count, range->first, range->last, scratch_, more.data());
      for (uint32_t word = 0; word < words; ++word) bits[word] |= more[word];
    }
  }

 private:
  static constexpr std::ptrdiff_t kMostMarks = 8;  // more are slower than document by document

  const NumberRange* End() const { return ranges_.data() + ranges_.size(); }
  // The first range that ends at or after `value`.
  const NumberRange* FirstUpTo(int64_t value) const {
    return std::lower_bound(ranges_.data(), End(), value,
                            [](const NumberRange& r, int64_t v) { return r.last < v; });
  }
  bool AnyOf(std::span<const int64_t> values) const {
    return std::any_of(values.begin(), values.end(), [this](int64_t value) {
      const NumberRange* const range = FirstUpTo(value);
      return range != End() && range->first <= value;
    });
  }

  const codec::NumericColumn& column_;
  const std::span<const NumberRange> ranges_;
  codec::ColumnScratch scratch_;
};

// Whether a column's ordinals are among the wanted ones.
class OrdinalFilter : public ColumnFilter {
 public:
  OrdinalFilter(const codec::OrdinalColumn& column, std::shared_ptr<const std::vector<bool>> wanted)
      : column_(column), wanted_(std::move(wanted)) {}

  Block Look(uint32_t block) const override {
    const codec::ColumnBlock bounds = column_.Block(block);
    if (bounds.none) return Block::kNone;
    if (bounds.min != bounds.max) return Block::kSome;
    if (!(*wanted_)[static_cast<size_t>(bounds.min)]) return Block::kNone;
    return bounds.every ? Block::kAll : Block::kSome;
  }
  bool Matches(DocId doc) override {
    const std::span<const uint32_t> ordinals = column_.Ordinals(doc, scratch_);
    return std::any_of(ordinals.begin(), ordinals.end(),
                       [this](uint32_t ordinal) { return (*wanted_)[ordinal]; });
  }
  void Mark(DocId first, uint32_t count, uint64_t* bits) override {
    std::fill_n(bits, (count + 63) / 64, 0);
    if (!column_.single_valued()) {
      for (uint32_t i = 0; i < count; ++i) {
        if (Matches(first + i)) bits[i / 64] |= uint64_t{1} << (i % 64);
      }
      return;
    }
    std::array<DocId, 64> docs;
    std::array<uint32_t, 64> ordinals;
    for (uint32_t done = 0; done < count; done += 64) {
      const uint32_t step = std::min<uint32_t>(64, count - done);
      std::iota(docs.begin(), docs.begin() + step, first + done);
      column_.Read({docs.data(), step}, codec::ValuePick::kLeast, ordinals.data());
      uint64_t word = 0;
      for (uint32_t i = 0; i < step; ++i) {
        const bool match =
            ordinals[i] != codec::OrdinalColumn::kNoOrdinal && (*wanted_)[ordinals[i]];
        word |= uint64_t{match} << i;
      }
      bits[done / 64] = word;
    }
  }

 private:
  const codec::OrdinalColumn& column_;
  const std::shared_ptr<const std::vector<bool>> wanted_;
  codec::ColumnScratch scratch_;
};

// Scans a column; `make` makes the filter of a scorer.
class ColumnSupplier : public ScorerSupplier {
 public:
  using MakeFilter = std::function<std::unique_ptr<ColumnFilter>()>;
  ColumnSupplier(MakeFilter make, DocId max_doc, float score, const CancelToken* cancel)
      : make_(std::move(make)), max_doc_(max_doc), score_(score), cancel_(cancel) {}

  uint64_t cost() const override { return max_doc_; }
  std::unique_ptr<Scorer> NewScorer() override {
    return NewColumnScan(make_(), max_doc_, score_, cancel_);
  }

 private:
  const MakeFilter make_;
  const DocId max_doc_;
  const float score_;
  const CancelToken* const cancel_;
};

// The points of `ranges`, which are sorted and disjoint.
uint64_t CountPoints(const codec::NumberPoints& points, std::span<const NumberRange> ranges) {
  uint64_t count = 0;
  for (const NumberRange& range : ranges) {
    const uint64_t first = points.Below(range.first);
    const uint64_t last = points.UpTo(range.last);
    if (last > first) count += last - first;
  }
  return count;
}

// Calls `visit(docs)` for the documents of the points of `ranges`, leaf by leaf, while it returns
// true.
template <typename Visit>
void VisitPoints(const codec::NumberPoints& points, std::span<const NumberRange> ranges,
                 Visit visit) {
  std::array<DocId, codec::kPointsPerLeaf> docs;
  for (const NumberRange& range : ranges) {
    const uint64_t last = points.UpTo(range.last);
    for (uint64_t at = points.Below(range.first); at < last;) {
      const uint32_t count = points.Read(at, last, docs.data(), nullptr);
      if (!visit(std::span<const DocId>(docs.data(), count))) return;
      at += count;
    }
  }
}

// Reads points or the column, whichever takes less.
class NumbersSupplier : public ScorerSupplier {
 public:
  NumbersSupplier(const codec::NumericColumn& column, const codec::NumberPoints* points,
                  std::span<const NumberRange> ranges, DocId max_doc, float score,
                  const CancelToken* cancel)
      : column_(column),
        points_(points),
        ranges_(ranges),
        count_(points != nullptr ? CountPoints(*points, ranges) : max_doc),
        max_doc_(max_doc),
        score_(score),
        cancel_(cancel) {}

  uint64_t cost() const override { return std::min<uint64_t>(count_, max_doc_); }
  std::unique_ptr<Scorer> NewScorer() override {
    // A document of the points has to be put into its place; of the column, many are compared at
    // once, if each has one value.
    const uint64_t dear = column_.single_valued() ? 8 : 2;
    if (points_ == nullptr || count_ > max_doc_ / dear) return Scan();
    return Gather();
  }
  std::unique_ptr<Scorer> NewLedScorer(uint64_t lead_cost) override {
    // Lucene's rule (IndexOrDocValuesQuery): to ask for one document is eight times as dear.
    return count_ / 8 <= lead_cost ? NewScorer() : Scan();
  }

 private:
  std::unique_ptr<Scorer> Scan() const {
    return NewColumnScan(std::make_unique<NumberFilter>(column_, ranges_), max_doc_, score_,
                         cancel_);
  }
  std::unique_ptr<Scorer> Gather() const {
    PeriodicCheck check(cancel_, 65536);
    // So few are sorted faster than a bit set is walked.
    if (count_ < 32 || count_ < max_doc_ / 2048) {
      std::vector<DocId> list;
      list.reserve(count_);
      VisitPoints(*points_, ranges_, [&](std::span<const DocId> docs) {
        list.insert(list.end(), docs.begin(), docs.end());
        return !check.Stop(docs.size());
      });
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      return NewListScorer(std::move(list), score_);
    }
    std::vector<uint64_t> bits((max_doc_ + 63) / 64);
    VisitPoints(*points_, ranges_, [&](std::span<const DocId> docs) {
      for (const DocId doc : docs) bits[doc / 64] |= uint64_t{1} << (doc % 64);
      return !check.Stop(docs.size());
    });
    return NewBitsScorer(std::move(bits), score_);
  }

  const codec::NumericColumn& column_;
  const codec::NumberPoints* const points_;
  const std::span<const NumberRange> ranges_;
  const uint64_t count_;
  const DocId max_doc_;
  const float score_;
  const CancelToken* const cancel_;
};

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
    if (column == nullptr || !Overlaps(*column)) return nullptr;
    const codec::DocId max_doc = segment.reader->max_doc();
    if (CoversAll(*column, max_doc)) return NewAllDocsSupplier(max_doc, score_);
    auto supplier = std::make_unique<NumbersSupplier>(*column, segment.reader->Points(field_),
                                                      ranges_, max_doc, score_, cancel_);
    if (supplier->cost() == 0) return nullptr;
    return supplier;
  }
  int64_t Count(const index::SnapshotSegment& segment) const override {
    const codec::NumericColumn* column = segment.reader->Numeric(field_);
    if (column == nullptr || !Overlaps(*column)) return 0;
    if (CoversAll(*column, segment.reader->max_doc())) return segment.live_count();
    const codec::NumberPoints* points = segment.reader->Points(field_);
    if (points == nullptr || !points->single_valued()) return -1;
    const uint64_t count = CountPoints(*points, ranges_);
    if (count == 0 || segment.live_docs == nullptr) return static_cast<int64_t>(count);
    // The deleted ones have to be looked at: all there are, or all that match.
    const codec::LiveDocs& live = *segment.live_docs;
    if (std::min<uint64_t>(count, live.deleted_count()) > kMostLooks) return -1;
    return static_cast<int64_t>(count <= live.deleted_count()
                                    ? CountLive(*points, live)
                                    : count - CountDeleted(*column, live));
  }
  std::optional<float> ConstantScore() const override { return score_; }

 private:
  // What Count may look at: as much as is looked at between two looks at the cancel flag.
  static constexpr uint64_t kMostLooks = 65536;

  bool Overlaps(const codec::NumericColumn& column) const {
    return column.doc_count() != 0 && !ranges_.empty() && ranges_.front().first <= column.max() &&
           ranges_.back().last >= column.min();
  }
  bool CoversAll(const codec::NumericColumn& column, codec::DocId max_doc) const {
    return column.doc_count() == max_doc && ranges_.size() == 1 &&
           ranges_[0].first <= column.min() && ranges_[0].last >= column.max();
  }
  uint64_t CountLive(const codec::NumberPoints& points, const codec::LiveDocs& live) const {
    uint64_t count = 0;
    VisitPoints(points, ranges_, [&](std::span<const DocId> docs) {
      for (const DocId doc : docs) count += live.Live(doc) ? 1 : 0;
      return true;
    });
    return count;
  }
  // Deleted documents that match.
  uint64_t CountDeleted(const codec::NumericColumn& column, const codec::LiveDocs& live) const {
    NumberFilter filter(column, ranges_);
    uint64_t count = 0;
    for (size_t word = 0; word < live.words().size(); ++word) {
      uint64_t deleted = ~live.words()[word];
      for (; deleted != 0; deleted &= deleted - 1) {
        const auto doc =
            static_cast<DocId>(word * 64 + static_cast<size_t>(std::countr_zero(deleted)));
        if (doc < live.max_doc() && filter.Matches(doc)) ++count;
      }
    }
    return count;
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
    auto shared = std::make_shared<const std::vector<bool>>(std::move(wanted));
    return std::make_unique<ColumnSupplier>(
        [column, shared] { return std::make_unique<OrdinalFilter>(*column, shared); },
        segment.reader->max_doc(), score_, cancel_);
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
