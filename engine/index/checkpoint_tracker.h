// The largest sequence number below which nothing is missing.
#ifndef CURLEW_ENGINE_INDEX_CHECKPOINT_TRACKER_H_
#define CURLEW_ENGINE_INDEX_CHECKPOINT_TRACKER_H_

#include <algorithm>
#include <cstdint>
#include <set>

namespace curlew::index {

// Guarded by the shard's lock. Operations of a primary complete in order; those that are replayed
// may come in any.
class CheckpointTracker {
 public:
  CheckpointTracker() = default;
  CheckpointTracker(int64_t max_seq_no, int64_t checkpoint)
      : max_seq_no_(max_seq_no), checkpoint_(checkpoint) {}

  // A number for a new operation.
  int64_t Next() { return ++max_seq_no_; }
  void MarkProcessed(int64_t seq_no) {
    max_seq_no_ = std::max(max_seq_no_, seq_no);
    if (seq_no <= checkpoint_) return;
    if (seq_no != checkpoint_ + 1) {
      ahead_.insert(seq_no);
      return;
    }
    ++checkpoint_;
    while (!ahead_.empty() && *ahead_.begin() == checkpoint_ + 1) {
      ahead_.erase(ahead_.begin());
      ++checkpoint_;
    }
  }
  bool Processed(int64_t seq_no) const { return seq_no <= checkpoint_ || ahead_.contains(seq_no); }

  int64_t max_seq_no() const { return max_seq_no_; }
  int64_t checkpoint() const { return checkpoint_; }

 private:
  int64_t max_seq_no_ = -1;
  int64_t checkpoint_ = -1;
  std::set<int64_t> ahead_;
};

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_CHECKPOINT_TRACKER_H_
