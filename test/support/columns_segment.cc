#include "test/support/columns_segment.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "engine/codec/columns/column_writer.h"
#include "engine/codec/points/points_writer.h"
#include "engine/codec/points/sort_numbers.h"

namespace curlew::test {

using codec::DocId;

class ColumnsSegment::CountedColumn : public codec::NumericColumn {
 public:
  CountedColumn(const codec::NumericColumn& target, ColumnReads& reads)
      : target_(target), reads_(reads) {}
  std::span<const int64_t> Values(DocId doc, codec::ColumnScratch& scratch) const override {
    ++reads_.documents;
    return target_.Values(doc, scratch);
  }
  bool Has(DocId doc) const override { return target_.Has(doc); }
  uint32_t doc_count() const override { return target_.doc_count(); }
  bool single_valued() const override { return target_.single_valued(); }
  int64_t min() const override { return target_.min(); }
  int64_t max() const override { return target_.max(); }
  void Read(std::span<const DocId> docs, codec::ValuePick pick, int64_t missing,
            int64_t* out) const override {
    reads_.documents += docs.size();
    target_.Read(docs, pick, missing, out);
  }
  void Mark(DocId first, uint32_t count, int64_t low, int64_t high, codec::ColumnScratch& scratch,
            uint64_t* bits) const override {
    reads_.marked += count;
    target_.Mark(first, count, low, high, scratch, bits);
  }
  codec::ColumnBlock Block(uint32_t block) const override { return target_.Block(block); }

 private:
  const codec::NumericColumn& target_;
  ColumnReads& reads_;
};

class ColumnsSegment::CountedPoints : public codec::NumberPoints {
 public:
  CountedPoints(const codec::NumberPoints& target, ColumnReads& reads)
      : target_(target), reads_(reads) {}
  uint64_t value_count() const override { return target_.value_count(); }
  uint32_t doc_count() const override { return target_.doc_count(); }
  uint64_t Below(int64_t value) const override { return target_.Below(value); }
  uint64_t UpTo(int64_t value) const override { return target_.UpTo(value); }
  uint32_t Read(uint64_t first, uint64_t last, DocId* docs, int64_t* values) const override {
    const uint32_t count = target_.Read(first, last, docs, values);
    reads_.points += count;
    return count;
  }

 private:
  const codec::NumberPoints& target_;
  ColumnReads& reads_;
};

ColumnsSegment::ColumnsSegment(DocId max_doc, const std::map<std::string, NumberValues>& numbers,
                               const std::map<std::string, StringValues>& strings)
    : directory_(store::NewMemoryDirectory()) {
  info_.name = "_columns";
  info_.max_doc = max_doc;
  auto columns = codec::ColumnWriter::Create(*directory_, info_.name, max_doc).value();
  auto points = codec::PointsWriter::Create(*directory_, info_.name, max_doc).value();
  for (const auto& [field, values] : numbers) {
    std::vector<codec::NumberPoint> sorted;
    columns->StartNumeric(field);
    for (DocId doc = 0; doc < max_doc; ++doc) {
      columns->AddNumbers(doc, values[doc]);
      for (const int64_t value : values[doc]) sorted.push_back({value, doc});
    }
    columns->FinishNumeric();
    codec::SortNumbers(sorted);
    points->StartNumbers(field);
    for (const codec::NumberPoint& point : sorted) points->AddNumber(point.value, point.doc);
    points->FinishNumbers();
  }
  for (const auto& [field, values] : strings) {
    std::set<std::string> all;
    for (const auto& of_doc : values) all.insert(of_doc.begin(), of_doc.end());
    const std::vector<std::string> sorted(all.begin(), all.end());
    columns->StartOrdinals(field);
    for (const std::string& value : sorted) columns->AddValue(value);
    for (DocId doc = 0; doc < max_doc; ++doc) {
      std::set<uint32_t> ordinals;
      for (const std::string& value : values[doc]) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), value);
        ordinals.insert(static_cast<uint32_t>(at - sorted.begin()));
      }
      columns->AddOrdinals(doc, std::vector<uint32_t>(ordinals.begin(), ordinals.end()));
    }
    columns->FinishOrdinals();
  }
  REQUIRE(columns->Finish().ok());
  REQUIRE(points->Finish().ok());
  columns_ = codec::ColumnReader::Open(*directory_, info_.name, max_doc).value();
  points_ = codec::PointsReader::Open(*directory_, info_.name, max_doc).value();
}

ColumnsSegment::~ColumnsSegment() = default;

const codec::NumericColumn* ColumnsSegment::Numeric(std::string_view field) const {
  const codec::NumericColumn* column = columns_->Numeric(field);
  if (column == nullptr) return nullptr;
  auto& counted = counted_[std::string(field)];
  if (counted == nullptr) counted = std::make_unique<CountedColumn>(*column, reads_);
  return counted.get();
}

const codec::OrdinalColumn* ColumnsSegment::Ordinals(std::string_view field) const {
  return columns_->Ordinals(field);
}

const codec::NumberPoints* ColumnsSegment::Points(std::string_view field) const {
  const codec::NumberPoints* points = points_->Numbers(field);
  if (points == nullptr) return nullptr;
  auto& counted = counted_points_[std::string(field)];
  if (counted == nullptr) counted = std::make_unique<CountedPoints>(*points, reads_);
  return counted.get();
}

}  // namespace curlew::test
