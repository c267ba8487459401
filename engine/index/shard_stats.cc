// Figures of a shard.
#include "engine/index/shard_impl.h"

namespace curlew::index {

ShardStats ShardImpl::stats() const {
  ShardStats stats;
  {
    std::lock_guard lock(mutex_);
    stats = counters_;
    stats.failure = failure_;
    stats.max_seq_no = seq_nos_.max_seq_no();
    stats.local_checkpoint = seq_nos_.checkpoint();
    stats.buffer_bytes = HeldBytes();
  }
  if (const std::shared_ptr<const Snapshot> current = snapshot()) {
    for (const SnapshotSegment& segment : current->segments) {
      stats.docs_count += segment.live_count();
      stats.docs_deleted += segment.reader->max_doc() - segment.live_count();
      stats.store_bytes += segment.reader->info().size_bytes;
      stats.stored_raw_bytes += segment.reader->stored().raw_bytes();
      stats.stored_bytes += segment.reader->stored().stored_bytes();
      stats.reader_heap_bytes += segment.reader->heap_bytes();
      if (segment.live_docs != nullptr) {
        stats.reader_heap_bytes += segment.live_docs->words().capacity() * sizeof(uint64_t);
      }
    }
    stats.segments_count = current->segments.size();
  }
  const translog::TranslogStats log = translog_->stats();
  stats.translog_operations = log.operations;
  stats.translog_bytes = log.bytes;
  stats.open_files = log.open_files;
  const SegmentFiles::Mapped mapped = files_->mapped();
  stats.mapped_files = mapped.segments * SegmentReader::kFiles;
  stats.mapped_bytes = mapped.bytes;
  return stats;
}

}  // namespace curlew::index
