#include "engine/index/shard_segment.h"

#include <fmt/format.h>

#include "engine/mapping/field.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

using codec::DocId;

// Every document has one value of these.
std::optional<int64_t> OnlyValue(const codec::NumericColumn* column, DocId doc) {
  if (column == nullptr) return std::nullopt;
  codec::ColumnScratch scratch;
  const std::span<const int64_t> values = column->Values(doc, scratch);
  return values.size() == 1 ? std::optional(values.front()) : std::nullopt;
}

}  // namespace

ShardSegment::ShardSegment(std::shared_ptr<const SegmentReader> reader)
    : reader_(std::move(reader)),
      ids_(reader_->Terms(mapping::kIdField)),
      seq_nos_(reader_->Numeric(mapping::kSeqNoField)),
      primary_terms_(reader_->Numeric(mapping::kPrimaryTermField)),
      versions_(reader_->Numeric(mapping::kVersionField)) {}

std::shared_ptr<const codec::LiveDocs> ShardSegment::Newest() const {
  if (pending_ != nullptr) return pending_;
  return freezing_ != nullptr ? freezing_ : published_;
}

bool ShardSegment::Live(DocId doc) const {
  const codec::LiveDocs* live = pending_ != nullptr    ? pending_.get()
                                : freezing_ != nullptr ? freezing_.get()
                                                       : published_.get();
  return live == nullptr || live->Live(doc);
}

void ShardSegment::Delete(DocId doc) {
  if (pending_ == nullptr) {
    const std::shared_ptr<const codec::LiveDocs> newest = Newest();
    pending_ = newest != nullptr ? std::make_shared<codec::LiveDocs>(*newest)
                                 : std::make_shared<codec::LiveDocs>(reader_->max_doc());
  }
  pending_->Delete(doc);
}

absl::StatusOr<std::optional<DocId>> ShardSegment::FindLive(std::string_view id) const {
  codec::TermEntry entry;
  if (ids_ == nullptr || !ids_->Find(id, entry)) return std::nullopt;
  if (entry.single != codec::kNoMoreDocs) {
    return Live(entry.single) ? std::optional(entry.single) : std::nullopt;
  }
  const std::unique_ptr<codec::Postings> postings = ids_->OpenPostings(entry);
  for (DocId doc = postings->Next(); doc != codec::kNoMoreDocs; doc = postings->Next()) {
    if (doc >= reader_->max_doc()) return Damaged(mapping::kIdField);
    if (Live(doc)) return doc;
  }
  if (postings->corrupt()) return Damaged(mapping::kIdField);
  return std::nullopt;
}

absl::StatusOr<DocumentMeta> ShardSegment::Meta(DocId doc) const {
  const std::optional<int64_t> seq_no = OnlyValue(seq_nos_, doc);
  const std::optional<int64_t> primary_term = OnlyValue(primary_terms_, doc);
  const std::optional<int64_t> version = OnlyValue(versions_, doc);
  if (!seq_no.has_value()) return Damaged(mapping::kSeqNoField);
  if (!primary_term.has_value()) return Damaged(mapping::kPrimaryTermField);
  if (!version.has_value()) return Damaged(mapping::kVersionField);
  return DocumentMeta{*seq_no, *primary_term, *version};
}

absl::Status ShardSegment::Damaged(std::string_view field) const {
  return Corruption(fmt::format("segment {}: [{}] is damaged", reader_->info().name, field));
}

void ShardSegment::Freeze() {
  if (pending_ == nullptr) return;
  freezing_ = std::move(pending_);
  pending_ = nullptr;
}

void ShardSegment::Publish() {
  if (freezing_ == nullptr) return;
  published_ = std::move(freezing_);
  freezing_ = nullptr;
}

}  // namespace curlew::index
