// A segment of nothing but columns and points, in files as the engine writes them, next to what is
// in it; and how much of its columns is read.
#ifndef CURLEW_TEST_SUPPORT_COLUMNS_SEGMENT_H_
#define CURLEW_TEST_SUPPORT_COLUMNS_SEGMENT_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/codec/columns/column_reader.h"
#include "engine/codec/points/points_reader.h"
#include "engine/index/segment_reader.h"
#include "engine/store/memory_directory.h"

namespace curlew::test {

// Values by document, sorted.
using NumberValues = std::vector<std::vector<int64_t>>;
using StringValues = std::vector<std::vector<std::string>>;

// What was read of columns and points. One thread.
struct ColumnReads {
  uint64_t documents = 0;  // one by one, or in batches
  uint64_t marked = 0;     // looked at for a range
  uint64_t points = 0;
};

class ColumnsSegment : public index::SegmentReader {
 public:
  // Each number gets points too; `strings` are ordinals.
  ColumnsSegment(codec::DocId max_doc, const std::map<std::string, NumberValues>& numbers,
                 const std::map<std::string, StringValues>& strings);
  ~ColumnsSegment() override;

  ColumnReads& reads() const { return reads_; }

  const index::SegmentInfo& info() const override { return info_; }
  const codec::FieldTerms* Terms(std::string_view) const override { return nullptr; }
  const codec::NumericColumn* Numeric(std::string_view field) const override;
  const codec::OrdinalColumn* Ordinals(std::string_view field) const override;
  const codec::NumberPoints* Points(std::string_view field) const override;
  const codec::Norms* NormsOf(std::string_view) const override { return nullptr; }
  const codec::StoredDocuments& stored() const override { return *stored_; }
  const std::vector<std::string>& term_fields() const override { return no_fields_; }
  std::vector<std::string> numeric_fields() const override { return columns_->numeric_fields(); }
  std::vector<std::string> ordinal_fields() const override { return columns_->ordinal_fields(); }
  std::vector<std::string> point_fields() const override { return points_->number_fields(); }
  std::vector<std::string> norm_fields() const override { return {}; }

 private:
  class CountedColumn;
  class CountedPoints;

  index::SegmentInfo info_;
  std::shared_ptr<store::Directory> directory_;
  std::unique_ptr<codec::ColumnReader> columns_;
  std::unique_ptr<codec::PointsReader> points_;
  mutable ColumnReads reads_;
  mutable std::map<std::string, std::unique_ptr<CountedColumn>, std::less<>> counted_;
  mutable std::map<std::string, std::unique_ptr<CountedPoints>, std::less<>> counted_points_;
  const std::unique_ptr<codec::StoredDocuments> stored_;
  const std::vector<std::string> no_fields_;
};

}  // namespace curlew::test

#endif  // CURLEW_TEST_SUPPORT_COLUMNS_SEGMENT_H_
