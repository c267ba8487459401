#include "engine/codec/points/points_checker.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "engine/codec/columns/column_reader.h"
#include "engine/codec/points/points_reader.h"
#include "fmt/format.h"

namespace curlew::codec {
namespace {

uint32_t Distinct(const std::vector<bool>& seen) {
  return static_cast<uint32_t>(std::count(seen.begin(), seen.end(), true));
}

void CheckNumbers(const std::string& name, const NumberPoints& points, const NumericColumn* column,
                  DocId max_doc, store::FileProblems& problems) {
  std::array<DocId, kPointsPerLeaf> docs;
  std::array<int64_t, kPointsPerLeaf> values;
  std::vector<bool> seen(max_doc);
  std::pair<int64_t, DocId> last;
  bool sorted = true;
  uint64_t strange = 0;
  uint64_t column_values = 0;
  ColumnScratch scratch;
  for (uint64_t at = 0; at < points.value_count();) {
    const uint32_t count = points.Read(at, points.value_count(), docs.data(), values.data());
    for (uint32_t i = 0; i < count; ++i) {
      const std::pair now(values[i], docs[i]);
      sorted = sorted && (at + i == 0 || last <= now);
      last = now;
      seen[docs[i]] = true;
      if (column == nullptr) continue;
      const auto of_doc = column->Values(docs[i], scratch);
      if (!std::binary_search(of_doc.begin(), of_doc.end(), values[i])) ++strange;
    }
    at += count;
  }
  if (!sorted) problems.Add(fmt::format("[{}]: out of order", name));
  if (Distinct(seen) != points.doc_count()) {
    problems.Add(fmt::format("[{}]: {} documents, the header says {}", name, Distinct(seen),
                             points.doc_count()));
  }
  if (column == nullptr) return;
  for (DocId doc = 0; doc < max_doc; ++doc) column_values += column->Values(doc, scratch).size();
  if (strange != 0 || column_values != points.value_count()) {
    problems.Add(fmt::format("[{}]: other values than its column", name));
  }
}

// Looks whether every point lies in the cell that it is found in.
class CellVisitor : public PointVisitor {
 public:
  CellVisitor(const BoxPoints& points, DocId max_doc)
      : dimensions_(points.dimensions()), bytes_(points.dimension_bytes()), seen_(max_doc) {}

  Relation Compare(const uint8_t* min, const uint8_t* max) override {
    min_ = min;
    max_ = max;
    return Relation::kCrosses;
  }
  void VisitInside(std::span<const DocId>) override {}
  void Visit(DocId doc, const uint8_t* point) override {
    ++count_;
    seen_[doc] = true;
    for (uint32_t d = 0; d < dimensions_; ++d) {
      const size_t at = size_t{d} * bytes_;
      inside_ = inside_ && std::memcmp(point + at, min_ + at, bytes_) >= 0 &&
                std::memcmp(point + at, max_ + at, bytes_) <= 0;
    }
  }

  bool inside() const { return inside_; }
  uint64_t count() const { return count_; }
  uint32_t docs() const { return Distinct(seen_); }

 private:
  const uint32_t dimensions_;
  const uint32_t bytes_;
  std::vector<bool> seen_;
  const uint8_t* min_ = nullptr;
  const uint8_t* max_ = nullptr;
  bool inside_ = true;
  uint64_t count_ = 0;
};

}  // namespace

std::vector<store::FileProblem> CheckPoints(store::Directory& directory, const std::string& segment,
                                            DocId max_doc) {
  store::FileProblems problems(segment + ".points");
  const auto reader = PointsReader::Open(directory, segment, max_doc);
  if (!reader.ok()) {
    problems.AddError(directory, reader.status());
    return std::move(problems).Take();
  }
  // What is wrong with the columns is for their own checker to say.
  const auto columns = ColumnReader::Open(directory, segment, max_doc);
  for (const std::string& name : (*reader)->number_fields()) {
    CheckNumbers(name, *(*reader)->Numbers(name),
                 columns.ok() ? (*columns)->Numeric(name) : nullptr, max_doc, problems);
  }
  for (const std::string& name : (*reader)->box_fields()) {
    const BoxPoints& points = *(*reader)->Boxes(name);
    CellVisitor visitor(points, max_doc);
    if (!points.Intersect(visitor)) {
      problems.Add(fmt::format("[{}]: the tree is damaged", name));
    }
    if (!visitor.inside() || visitor.count() != points.value_count() ||
        visitor.docs() != points.doc_count()) {
      problems.Add(fmt::format("[{}]: points outside of their cells, or of other counts", name));
    }
  }
  return std::move(problems).Take();
}

}  // namespace curlew::codec
