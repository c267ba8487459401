#include "engine/index/shard_segment.h"

#include "engine/mapping/field.h"

namespace curlew::index {

namespace {

using codec::DocId;

int64_t FirstValue(const codec::NumericColumn* column, DocId doc) {
  if (column == nullptr) return 0;
  codec::ColumnScratch scratch;
  const std::span<const int64_t> values = column->Values(doc, scratch);
  return values.empty() ? 0 : values.front();
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

std::optional<DocId> ShardSegment::FindLive(std::string_view id) const {
  codec::TermEntry entry;
  if (ids_ == nullptr || !ids_->Find(id, entry)) return std::nullopt;
  if (entry.single != codec::kNoMoreDocs) {
    return Live(entry.single) ? std::optional(entry.single) : std::nullopt;
  }
  const std::unique_ptr<codec::Postings> postings = ids_->OpenPostings(entry);
  for (DocId doc = postings->Next(); doc != codec::kNoMoreDocs; doc = postings->Next()) {
    if (doc < reader_->max_doc() && Live(doc)) return doc;
  }
  return std::nullopt;
}

DocumentMeta ShardSegment::Meta(DocId doc) const {
  return {FirstValue(seq_nos_, doc), FirstValue(primary_terms_, doc), FirstValue(versions_, doc)};
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
