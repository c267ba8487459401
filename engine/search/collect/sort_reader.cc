#include "engine/search/collect/sort_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "engine/codec/columns/column.h"
#include "engine/codec/columns/numbers.h"
#include "engine/index/id_order.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

using Mode = SortKey::Mode;
using mapping::FieldKind;

// Of the codes of the values from `low` to `high`, and of `missing` unless `every` document has
// one.
SortReader::Bounds BoundsBetween(int64_t low, int64_t high, int64_t missing, bool every,
                                 bool none) {
  if (none) return {missing, missing};
  if (low > high) std::swap(low, high);
  if (every) return {low, high};
  return {std::min(low, missing), std::max(high, missing)};
}

class ScoreReader : public SortReader {
 public:
  explicit ScoreReader(const ResolvedKey& key) : key_(key) {}
  void Read(std::span<const DocId> docs, std::span<const float> scores,
            int64_t* codes) const override {
    for (size_t i = 0; i < docs.size(); ++i) {
      codes[i] = key_.Flip(codec::FloatToSortable(scores[i]));
    }
  }
  int64_t CodeOf(const AfterValue& after) const override { return key_.Flip(after.number); }

 private:
  const ResolvedKey& key_;
};

class DocReader : public SortReader {
 public:
  DocReader(const ResolvedKey& key, uint32_t doc_base) : key_(key), doc_base_(doc_base) {}
  void Read(std::span<const DocId> docs, std::span<const float>, int64_t* codes) const override {
    for (size_t i = 0; i < docs.size(); ++i) {
      codes[i] = key_.Flip(int64_t{doc_base_} + docs[i]);
    }
  }
  int64_t CodeOf(const AfterValue& after) const override { return key_.Flip(after.number); }

 private:
  const ResolvedKey& key_;
  const uint32_t doc_base_;
};

// Sum, average or median of fractions, whose columns hold sortable bits.
double CombineFractions(std::span<const int64_t> values, Mode mode, bool is_float) {
  const auto at = [&](size_t i) {
    return is_float ? static_cast<double>(codec::SortableToFloat(static_cast<int32_t>(values[i])))
                    : codec::SortableToDouble(values[i]);
  };
  const size_t size = values.size();
  if (mode == Mode::kMedian) {
    return size % 2 == 0 ? (at(size / 2 - 1) + at(size / 2)) / 2 : at(size / 2);
  }
  double sum = 0;
  for (size_t i = 0; i < size; ++i) sum += at(i);
  return mode == Mode::kAvg ? sum / static_cast<double>(size) : sum;
}

// The same of integers; halves are rounded up as Java's Math.round does.
int64_t CombineIntegers(std::span<const int64_t> values, Mode mode) {
  const auto round = [](double value) { return static_cast<int64_t>(std::floor(value + 0.5)); };
  const size_t size = values.size();
  if (mode == Mode::kMedian) {
    if (size % 2 == 1) return values[size / 2];
    return round(
        (static_cast<double>(values[size / 2 - 1]) + static_cast<double>(values[size / 2])) / 2);
  }
  uint64_t sum = 0;  // wraps as Java's long does
  for (const int64_t value : values) sum += static_cast<uint64_t>(value);
  const auto total = static_cast<int64_t>(sum);
  if (mode == Mode::kSum || size == 1) return total;
  return round(static_cast<double>(total) / static_cast<double>(size));
}

class NumberReader : public SortReader {
 public:
  NumberReader(const ResolvedKey& key, const codec::NumericColumn* column)
      : key_(key), column_(column) {}

  void Read(std::span<const DocId> docs, std::span<const float>, int64_t* codes) const override {
    if (column_ == nullptr) {
      std::fill_n(codes, docs.size(), key_.Flip(key_.missing_number));
      return;
    }
    if (of_one_value()) {
      const bool least = key_.mode != Mode::kMax;
      column_->Read(docs, least ? codec::ValuePick::kLeast : codec::ValuePick::kGreatest,
                    key_.missing_number, codes);
      if (!key_.descending) return;
      for (size_t i = 0; i < docs.size(); ++i) codes[i] = ~codes[i];
      return;
    }
    codec::ColumnScratch scratch;
    for (size_t i = 0; i < docs.size(); ++i) {
      const std::span<const int64_t> values = column_->Values(docs[i], scratch);
      codes[i] = key_.Flip(values.empty() ? key_.missing_number : Combine(values));
    }
  }
  int64_t CodeOf(const AfterValue& after) const override { return key_.Flip(after.number); }
  Bounds BoundsOf(uint32_t block) const override {
    const int64_t missing = key_.Flip(key_.missing_number);
    if (column_ == nullptr) return {missing, missing};
    if (!of_one_value()) return {};
    const codec::ColumnBlock bounds = column_->Block(block);
    return BoundsBetween(key_.Flip(bounds.min), key_.Flip(bounds.max), missing, bounds.every,
                         bounds.none);
  }

 private:
  // Whether a document's key is one of its values.
  bool of_one_value() const {
    return key_.mode == Mode::kMin || key_.mode == Mode::kMax || column_->single_valued();
  }
  int64_t Combine(std::span<const int64_t> values) const {
    if (values.size() == 1) return values.front();
    if (key_.kind == FieldKind::kDouble) {
      return codec::DoubleToSortable(CombineFractions(values, key_.mode, false));
    }
    if (key_.kind == FieldKind::kFloat) {
      return codec::FloatToSortable(static_cast<float>(CombineFractions(values, key_.mode, true)));
    }
    return CombineIntegers(values, key_.mode);
  }

  const ResolvedKey& key_;
  const codec::NumericColumn* const column_;
};

// The ids of a segment as a column. One thread at a time.
class IdColumn : public codec::OrdinalColumn {
 public:
  explicit IdColumn(std::shared_ptr<const index::IdOrder> order) : order_(std::move(order)) {}

  std::span<const uint32_t> Ordinals(DocId doc, codec::ColumnScratch&) const override {
    return order_->Ordinals(doc);
  }
  bool Has(DocId doc) const override { return !order_->Ordinals(doc).empty(); }
  uint32_t value_count() const override { return order_->id_count(); }
  // Valid until the next call.
  std::string_view Value(uint32_t ordinal) const override { return id_ = order_->Id(ordinal); }
  uint32_t LowerBound(std::string_view value) const override { return order_->LowerBound(value); }
  uint32_t doc_count() const override { return order_->doc_count(); }
  bool single_valued() const override { return true; }

 private:
  const std::shared_ptr<const index::IdOrder> order_;
  mutable std::string id_;
};

class StringReader : public SortReader {
 public:
  // `owned` is `column` when that is not the segment's.
  StringReader(const ResolvedKey& key, const codec::OrdinalColumn* column,
               std::unique_ptr<codec::OrdinalColumn> owned)
      : key_(key), column_(column), owned_(std::move(owned)) {
    missing_ = key_.missing_text ? CodeOf({0, key_.missing_text}) : key_.NullCode();
  }

  void Read(std::span<const DocId> docs, std::span<const float>, int64_t* codes) const override {
    if (column_ == nullptr) {
      std::fill_n(codes, docs.size(), missing_);
      return;
    }
    const bool largest = key_.mode == Mode::kMax;
    const auto pick = largest ? codec::ValuePick::kGreatest : codec::ValuePick::kLeast;
    std::array<uint32_t, 256> ordinals;
    for (size_t done = 0; done < docs.size(); done += ordinals.size()) {
      const size_t step = std::min(ordinals.size(), docs.size() - done);
      column_->Read(docs.subspan(done, step), pick, ordinals.data());
      for (size_t i = 0; i < step; ++i) {
        const bool none = ordinals[i] == codec::OrdinalColumn::kNoOrdinal;
        codes[done + i] = none ? missing_ : key_.Flip(4 * int64_t{ordinals[i]} + 3);
      }
    }
  }
  int64_t CodeOf(const AfterValue& after) const override {
    if (!after.text) return key_.NullCode();
    const uint32_t ordinal = column_ == nullptr ? 0 : column_->LowerBound(*after.text);
    if (column_ != nullptr && ordinal < column_->value_count() &&
        column_->Value(ordinal) == *after.text) {
      return key_.Flip(4 * int64_t{ordinal} + 3);
    }
    // The text that stands in for missing ones is in the middle of its gap.
    const int order = key_.missing_text ? after.text->compare(*key_.missing_text) : 0;
    return key_.Flip(4 * int64_t{ordinal} + (order < 0 ? 0 : (order == 0 ? 1 : 2)));
  }
  Bounds BoundsOf(uint32_t block) const override {
    if (column_ == nullptr) return {missing_, missing_};
    const codec::ColumnBlock bounds = column_->Block(block);
    return BoundsBetween(key_.Flip(4 * bounds.min + 3), key_.Flip(4 * bounds.max + 3), missing_,
                         bounds.every, bounds.none);
  }
  std::optional<std::string> TextOf(int64_t code) const override {
    if (code == key_.NullCode()) return std::nullopt;
    const int64_t place = key_.Flip(code);
    if (place % 4 != 3) return key_.missing_text;
    return std::string(column_->Value(static_cast<uint32_t>(place / 4)));
  }

 private:
  const ResolvedKey& key_;
  const codec::OrdinalColumn* const column_;  // null: no document has a value
  const std::unique_ptr<codec::OrdinalColumn> owned_;
  int64_t missing_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<SortReader>> NewSortReader(const ResolvedKey& key,
                                                          const index::SnapshotSegment& segment,
                                                          const CancelToken* cancel) {
  using Source = ResolvedKey::Source;
  if (key.source == Source::kScore) return std::make_unique<ScoreReader>(key);
  if (key.source == Source::kDoc) return std::make_unique<DocReader>(key, segment.doc_base);
  if (key.source == Source::kNumber) {
    return std::make_unique<NumberReader>(
        key, key.unmapped ? nullptr : segment.reader->Numeric(key.field));
  }
  if (key.kind == FieldKind::kId) {
    CURLEW_ASSIGN_OR_RETURN(auto order, segment.reader->id_order(cancel));
    auto ids = std::make_unique<IdColumn>(std::move(order));
    const codec::OrdinalColumn* column = ids.get();
    return std::make_unique<StringReader>(key, column, std::move(ids));
  }
  return std::make_unique<StringReader>(
      key, key.unmapped ? nullptr : segment.reader->Ordinals(key.field), nullptr);
}

}  // namespace curlew::search
