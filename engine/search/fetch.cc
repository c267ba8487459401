#include "engine/search/fetch.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/mapping/field.h"
#include "engine/util/error.h"

namespace curlew::search {
namespace {

// A metadata column's value; none where it is not kept.
std::optional<int64_t> ValueOf(const index::SegmentReader& reader, std::string_view field,
                               codec::DocId doc) {
  const codec::NumericColumn* column = reader.Numeric(field);
  if (column == nullptr) return std::nullopt;
  const std::span<const int64_t> values = column->Values(doc);
  if (values.empty()) return std::nullopt;
  return values[0];
}

}  // namespace

Fetcher::Fetcher(std::shared_ptr<const index::Snapshot> snapshot)
    : snapshot_(std::move(snapshot)), cursors_(snapshot_->segments.size()) {}

size_t Fetcher::SegmentOf(uint32_t doc) const {
  const auto& segments = snapshot_->segments;
  const auto after = std::upper_bound(
      segments.begin(), segments.end(), doc,
      [](uint32_t d, const index::SnapshotSegment& segment) { return d < segment.doc_base; });
  return static_cast<size_t>(after - segments.begin()) - 1;
}

uint64_t Fetcher::RecordBytes(std::span<const uint32_t> docs) const {
  uint64_t bytes = 0;
  for (const uint32_t doc : docs) {
    const index::SnapshotSegment& segment = snapshot_->segments[SegmentOf(doc)];
    bytes += segment.reader->stored().RecordSize(doc - segment.doc_base);
  }
  return bytes;
}

absl::Status Fetcher::Fetch(uint32_t doc, const SearchRequest& request, Hit& hit) {
  const size_t number = SegmentOf(doc);
  const index::SnapshotSegment& segment = snapshot_->segments[number];
  const index::SegmentReader& reader = *segment.reader;
  const codec::DocId local = doc - segment.doc_base;
  if (cursors_[number] == nullptr) cursors_[number] = reader.stored().NewCursor();
  CURLEW_ASSIGN_OR_RETURN(const codec::StoredDocument stored, cursors_[number]->Read(local));
  hit.id = stored.id;
  hit.routing = stored.routing;
  hit.source.reset();
  if (request.source.whole()) {
    hit.source = stored.source;
  } else if (request.source.fetch) {
    if (!filterer_) filterer_.emplace(request.source);
    filtered_.clear();
    CURLEW_RETURN_IF_ERROR(filterer_->Apply(stored.source, filtered_));
    hit.source = filtered_;
  }
  hit.version.reset();
  hit.seq_no.reset();
  hit.primary_term.reset();
  if (request.version) hit.version = ValueOf(reader, mapping::kVersionField, local);
  if (request.seq_no_primary_term) {
    hit.seq_no = ValueOf(reader, mapping::kSeqNoField, local);
    hit.primary_term = ValueOf(reader, mapping::kPrimaryTermField, local);
  }
  return absl::OkStatus();
}

}  // namespace curlew::search
