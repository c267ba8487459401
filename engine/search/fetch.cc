#include "engine/search/fetch.h"

#include <algorithm>
#include <array>
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

void Fetcher::FindRun(std::span<const uint32_t> docs, size_t begin, Run& run) const {
  const auto& segments = snapshot_->segments;
  const auto after = std::upper_bound(
      segments.begin(), segments.end(), docs[begin],
      [](uint32_t d, const index::SnapshotSegment& segment) { return d < segment.doc_base; });
  run.segment = static_cast<size_t>(after - segments.begin()) - 1;
  run.begin = begin;
  run.count = 0;
  const uint32_t base = segments[run.segment].doc_base;
  const uint32_t size = segments[run.segment].reader->max_doc();
  const size_t most = std::min(docs.size() - begin, kFetchBatch);
  while (run.count < most && docs[begin + run.count] - base < size) {
    run.docs[run.count] = docs[begin + run.count] - base;
    ++run.count;
  }
}

uint64_t Fetcher::RecordBytes(std::span<const uint32_t> docs) const {
  uint64_t bytes = 0;
  Run run;
  for (size_t begin = 0; begin < docs.size(); begin += run.count) {
    FindRun(docs, begin, run);
    bytes += snapshot_->segments[run.segment].reader->stored().RecordBytes(run.ids());
  }
  return bytes;
}

absl::Status Fetcher::Fetch(std::span<const uint32_t> docs, const SearchRequest& request,
                            Hit* hits) {
  Run run;
  for (size_t begin = 0; begin < docs.size(); begin += run.count) {
    FindRun(docs, begin, run);
    CURLEW_RETURN_IF_ERROR(FetchRun(run, request, hits + begin));
  }
  if (!request.source.fetch || request.source.whole()) return absl::OkStatus();
  return FilterSources(request, {hits, docs.size()});
}

absl::Status Fetcher::FetchRun(const Run& run, const SearchRequest& request, Hit* hits) {
  const index::SegmentReader& reader = *snapshot_->segments[run.segment].reader;
  std::unique_ptr<codec::StoredCursor>& cursor = cursors_[run.segment];
  if (cursor == nullptr) cursor = reader.stored().NewCursor();
  std::array<codec::StoredDocument, kFetchBatch> stored;
  CURLEW_RETURN_IF_ERROR(cursor->ReadAll(run.ids(), stored.data()));
  for (size_t i = 0; i < run.count; ++i) {
    Hit& hit = hits[i];
    hit.id = stored[i].id;
    hit.routing = stored[i].routing;
    hit.source.reset();
    if (request.source.fetch) hit.source = stored[i].source;
    hit.version.reset();
    hit.seq_no.reset();
    hit.primary_term.reset();
    if (request.version) hit.version = ValueOf(reader, mapping::kVersionField, run.docs[i]);
    if (request.seq_no_primary_term) {
      hit.seq_no = ValueOf(reader, mapping::kSeqNoField, run.docs[i]);
      hit.primary_term = ValueOf(reader, mapping::kPrimaryTermField, run.docs[i]);
    }
  }
  return absl::OkStatus();
}

absl::Status Fetcher::FilterSources(const SearchRequest& request, std::span<Hit> hits) {
  if (!filterer_) filterer_.emplace(request.source);
  filtered_.clear();
  std::array<size_t, kFetchBatch> sizes;
  for (size_t i = 0; i < hits.size(); ++i) {
    const size_t before = filtered_.size();
    CURLEW_RETURN_IF_ERROR(filterer_->Apply(*hits[i].source, filtered_));
    sizes[i] = filtered_.size() - before;
  }
  const char* at = filtered_.data();  // which does not move any more
  for (size_t i = 0; i < hits.size(); ++i) {
    hits[i].source = std::string_view(at, sizes[i]);
    at += sizes[i];
  }
  return absl::OkStatus();
}

}  // namespace curlew::search
