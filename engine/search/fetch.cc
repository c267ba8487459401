#include "engine/search/fetch.h"

#include <algorithm>
#include <array>
#include <bit>
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
  codec::ColumnScratch scratch;
  const std::span<const int64_t> values = column->Values(doc, scratch);
  if (values.empty()) return std::nullopt;
  return values[0];
}

}  // namespace

Fetcher::Fetcher(const std::string& index, const index::Snapshot& snapshot,
                 const SearchRequest& request, const CancelToken& cancel)
    : index_(index),
      snapshot_(snapshot),
      request_(request),
      cancel_(cancel),
      cursors_(snapshot_.segments.size()) {}

Fetcher::Places Fetcher::TakeGroup(std::span<const uint32_t> docs, Places left,
                                   Group& group) const {
  const auto& segments = snapshot_.segments;
  const auto first = static_cast<size_t>(std::countr_zero(left));
  const auto after = std::upper_bound(
      segments.begin(), segments.end(), docs[first],
      [](uint32_t d, const index::SnapshotSegment& segment) { return d < segment.doc_base; });
  group.segment = static_cast<size_t>(after - segments.begin()) - 1;
  group.count = 0;
  const uint32_t base = segments[group.segment].doc_base;
  const uint32_t size = segments[group.segment].reader->max_doc();
  // Mostly all that is left: a batch of one segment, or the rest of one.
  const auto in_segment = [&](size_t place) { return docs[place] - base < size; };
  size_t place = first;
  for (; place < docs.size() && (left >> place & 1) != 0 && in_segment(place); ++place) {
    group.docs[place - first] = docs[place] - base;
    group.places[place - first] = static_cast<uint32_t>(place);
  }
  group.count = place - first;
  left &= ~Places{0} << place;
  for (; place < docs.size(); ++place) {
    if ((left >> place & 1) == 0 || !in_segment(place)) continue;
    group.docs[group.count] = docs[place] - base;
    group.places[group.count++] = static_cast<uint32_t>(place);
    left &= ~(Places{1} << place);
  }
  return left;
}

absl::Status Fetcher::Fetch(std::span<const uint32_t> docs, Hit* hits) {
  Group group;
  for (Places left = AllPlaces(docs); left != 0;) {
    left = TakeGroup(docs, left, group);
    CURLEW_RETURN_IF_ERROR(FetchGroup(group, hits));
  }
  if (!request_.source.fetch || request_.source.whole()) return absl::OkStatus();
  return FilterSources({hits, docs.size()});
}

absl::Status Fetcher::FetchGroup(const Group& group, Hit* hits) {
  const index::SegmentReader& reader = *snapshot_.segments[group.segment].reader;
  std::unique_ptr<codec::StoredCursor>& cursor = cursors_[group.segment];
  if (cursor == nullptr) cursor = reader.stored().NewCursor();
  std::array<codec::StoredDocument, kFetchBatch> stored;
  CURLEW_RETURN_IF_ERROR(cursor->ReadAll(group.ids(), stored.data()));
  const std::string_view index = index_;
  const bool fetch = request_.source.fetch;
  for (size_t i = 0; i < group.count; ++i) {
    Hit& hit = hits[group.places[i]];
    hit.index = index;
    hit.id = stored[i].id;
    hit.routing = stored[i].routing;
    hit.source.reset();
    if (fetch) hit.source.emplace(stored[i].source);
  }
  if (request_.version || request_.seq_no_primary_term) FillVersions(reader, group, hits);
  return absl::OkStatus();
}

void Fetcher::FillVersions(const index::SegmentReader& reader, const Group& group,
                           Hit* hits) const {
  for (size_t i = 0; i < group.count; ++i) {
    Hit& hit = hits[group.places[i]];
    const codec::DocId doc = group.docs[i];
    if (request_.version) hit.version = ValueOf(reader, mapping::kVersionField, doc);
    if (request_.seq_no_primary_term) {
      hit.seq_no = ValueOf(reader, mapping::kSeqNoField, doc);
      hit.primary_term = ValueOf(reader, mapping::kPrimaryTermField, doc);
    }
  }
}

absl::Status Fetcher::FilterSources(std::span<Hit> hits) {
  if (!filterer_) filterer_.emplace(request_.source);
  filtered_.clear();
  std::array<size_t, kFetchBatch> sizes;
  for (size_t i = 0; i < hits.size(); ++i) {
    const size_t before = filtered_.size();
    CURLEW_RETURN_IF_ERROR(filterer_->Apply(*hits[i].source, &cancel_, filtered_));
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
