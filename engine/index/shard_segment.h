// A segment as its shard holds it: the reader, and who of its documents is deleted as of when.
#ifndef CURLEW_ENGINE_INDEX_SHARD_SEGMENT_H_
#define CURLEW_ENGINE_INDEX_SHARD_SEGMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/codec/columns/column.h"
#include "engine/codec/live_docs/live_docs.h"
#include "engine/codec/terms/terms.h"
#include "engine/index/buffer/ram_buffer.h"
#include "engine/index/segment_reader.h"

namespace curlew::index {

// Guarded by the shard's lock (the reader itself is immutable).
//
// A deletion goes through three stages, each a superset of the one before: `pending` has just been
// made, `freezing` belongs to a refresh under way, `published` is what searches see. An update's
// deletion must not become visible before the new document does, hence the stages.
class ShardSegment {
 public:
  explicit ShardSegment(std::shared_ptr<const SegmentReader> reader);

  const std::shared_ptr<const SegmentReader>& reader() const { return reader_; }
  const std::shared_ptr<const codec::LiveDocs>& published() const { return published_; }

  bool Live(codec::DocId doc) const;
  void Delete(codec::DocId doc);
  // The live document with that id, if there is one. Corruption when the segment is damaged where
  // that is written: to take it for a new id would lose the document that is there.
  absl::StatusOr<std::optional<codec::DocId>> FindLive(std::string_view id) const;
  absl::StatusOr<DocumentMeta> Meta(codec::DocId doc) const;

  // Everything deleted so far; null = nothing.
  std::shared_ptr<const codec::LiveDocs> Newest() const;
  // Start and end of a refresh.
  void Freeze();
  void Publish();
  // Live docs of a segment that has just been made: those that may be seen, and those that are due
  // with the next refresh (null = no further ones).
  void Adopt(std::shared_ptr<const codec::LiveDocs> published,
             std::shared_ptr<codec::LiveDocs> pending) {
    published_ = std::move(published);
    pending_ = std::move(pending);
  }

  // False until a refresh has made the segment part of a snapshot.
  bool visible = false;
  // Live docs as the last commit point has them.
  uint64_t live_docs_generation = 0;
  std::shared_ptr<const codec::LiveDocs> committed;
  // Taken by a merge, or kept for one: no other may take it.
  bool merging = false;
  // Files known to be on stable storage.
  bool synced = false;

  uint32_t deleted_published() const {
    return published_ == nullptr ? 0 : published_->deleted_count();
  }
  uint32_t deleted_committed() const {
    return committed == nullptr ? 0 : committed->deleted_count();
  }

 private:
  absl::Status Damaged(std::string_view field) const;

  const std::shared_ptr<const SegmentReader> reader_;
  const codec::FieldTerms* const ids_;
  const codec::NumericColumn* const seq_nos_;
  const codec::NumericColumn* const primary_terms_;
  const codec::NumericColumn* const versions_;
  std::shared_ptr<const codec::LiveDocs> published_;
  std::shared_ptr<const codec::LiveDocs> freezing_;
  std::shared_ptr<codec::LiveDocs> pending_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SHARD_SEGMENT_H_
