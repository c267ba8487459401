// Points: the inputs are in order already, so that taking the least of their heads again and again
// gives the merged order.
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/codec/points/points_writer.h"
#include "engine/index/merge/merge_parts.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

using codec::DocId;

// Walks one input's points of a field, past the documents that are left behind, and looks whether
// they are what the input says of them.
class Cursor {
 public:
  Cursor(const MergeJob& job, size_t input, const codec::NumberPoints& points)
      : map_(job.map[input]), input_(input), points_(points), seen_(map_.size()) {}

  size_t input() const { return input_; }
  int64_t value() const { return values_[at_]; }
  DocId mapped() const { return map_[docs_[at_]]; }

  // To the next point that stays; false at the end.
  bool Next() {
    while (true) {
      if (++at_ >= count_) {
        if (read_ == points_.value_count()) return false;
        count_ = points_.Read(read_, points_.value_count(), docs_.data(), values_.data());
        read_ += count_;
        at_ = 0;
      }
      ordered_ = ordered_ && last_ <= std::pair(values_[at_], docs_[at_]);
      last_ = {values_[at_], docs_[at_]};
      if (!ordered_ || docs_[at_] >= map_.size()) {
        ordered_ = false;
        return false;
      }
      if (!seen_[docs_[at_]]) ++documents_;
      seen_[docs_[at_]] = true;
      if (mapped() != codec::kNoMoreDocs) return true;
    }
  }
  // Asked at the end.
  bool sound() const { return ordered_ && documents_ == points_.doc_count(); }

 private:
  const std::vector<DocId>& map_;
  const size_t input_;
  const codec::NumberPoints& points_;
  std::vector<bool> seen_;
  uint32_t documents_ = 0;
  bool ordered_ = true;
  std::pair<int64_t, DocId> last_{std::numeric_limits<int64_t>::min(), 0};

  std::array<DocId, codec::kPointsPerLeaf> docs_;
  std::array<int64_t, codec::kPointsPerLeaf> values_;
  uint32_t count_ = 0;  // read
  uint32_t at_ = 0;
  uint64_t read_ = 0;
};

absl::Status MergeField(const MergeJob& job, const std::string& field,
                        codec::PointsWriter& writer) {
  std::vector<Cursor> cursors;
  std::vector<Cursor*> open;  // by input, as their documents are
  cursors.reserve(job.inputs.size());
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    const codec::NumberPoints* points = job.inputs[i].reader->Points(field);
    if (points == nullptr) continue;
    cursors.emplace_back(job, i, *points);
    if (cursors.back().Next()) open.push_back(&cursors.back());
  }
  writer.StartNumbers(field);
  for (uint64_t n = 0; !open.empty(); ++n) {
    if (n % 65536 == 0) CURLEW_RETURN_IF_ERROR(job.CheckAbort());
    size_t least = 0;
    for (size_t i = 1; i < open.size(); ++i) {
      if (open[i]->value() < open[least]->value()) least = i;
    }
    writer.AddNumber(open[least]->value(), open[least]->mapped());
    if (!open[least]->Next()) open.erase(open.begin() + static_cast<std::ptrdiff_t>(least));
  }
  writer.FinishNumbers();
  for (const Cursor& cursor : cursors) {
    if (!cursor.sound()) {
      return job.Damaged(cursor.input(), fmt::format("the points of field [{}]", field));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status MergePoints(const MergeJob& job) {
  CURLEW_ASSIGN_OR_RETURN(auto writer,
                          codec::PointsWriter::Create(job.directory, job.name, job.max_doc));
  std::set<std::string> fields;
  for (const MergeInput& input : job.inputs) {
    for (std::string& field : input.reader->point_fields()) fields.insert(std::move(field));
  }
  for (const std::string& field : fields) {
    CURLEW_RETURN_IF_ERROR(MergeField(job, field, *writer));
  }
  return writer->Finish();
}

}  // namespace curlew::index
