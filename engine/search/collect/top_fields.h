// The best documents by sort keys.
#ifndef CURLEW_ENGINE_SEARCH_COLLECT_TOP_FIELDS_H_
#define CURLEW_ENGINE_SEARCH_COLLECT_TOP_FIELDS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/search/collect/collector.h"
#include "engine/search/collect/sort_reader.h"
#include "engine/search/hit.h"
#include "engine/search/sort.h"

namespace curlew::search {

// The `k` best by `keys`, ties in index order, strictly after `after` when that is not empty. Like
// TopScoresCollector a buffer of 2k candidates that is cut to the best half. Strings are compared
// by their places in one segment's dictionary; after the segment the survivors' places are replaced
// by places in a table of the survivors' strings, so that they compare with those of other
// segments. Blocks of the first key's column that cannot compete are passed over once the buffer
// has been cut. `cancel` (may be null) is looked at where a segment's start takes long; it has to
// outlive the collector. One thread at a time.
class TopFieldsCollector : public Collector, public LeafCollector {
 public:
  TopFieldsCollector(std::vector<ResolvedKey> keys, std::vector<AfterValue> after, size_t k,
                     bool track_scores, const CancelToken* cancel);

  ScoreMode score_mode() const override { return scored_ ? ScoreMode::kScores : ScoreMode::kNone; }
  absl::StatusOr<LeafCollector*> StartSegment(const index::SnapshotSegment& segment,
                                              int64_t known_count) override;
  absl::Status FinishSegment() override;
  // Best first, with their sort values, and scores if they were wanted.
  TopHits Take();

 private:
  // The first key's code stands in the candidate, the others' and the score's bits in its slot.
  struct Candidate {
    int64_t first;
    uint32_t doc;  // shard-wide
    uint32_t slot;
  };

  void Collect(std::span<const DocId> docs, std::span<const float> scores) override;
  DocId NextCompetitive(DocId doc) override;
  bool done() const override;
  // Whether a document whose first code is between `bounds` may be one of the best.
  bool Competes(const SortReader::Bounds& bounds) const;
  // What stands in the way of a new segment's documents: the worst of those kept so far.
  void StartThreshold();
  bool IsAfter(size_t i, size_t stride) const;
  bool Better(const Candidate& a, const Candidate& b) const;
  void Cut(std::vector<Candidate>& candidates);
  void Push(size_t i, DocId doc, float score);
  int64_t& CodeAt(Candidate& candidate, size_t key);
  void MergeSegment();
  // Replaces codes of string key `key`: of `current_` by the segment's reader, of `kept_` by the
  // table so far, both to the new table.
  void Retable(size_t key);

  const std::vector<ResolvedKey> keys_;
  const std::vector<AfterValue> after_;
  const size_t k_;
  const bool scored_;
  const CancelToken* const cancel_;
  bool strings_ = false;  // some key is a string: segments are collected apart

  uint32_t doc_base_ = 0;
  DocId max_doc_ = 0;                                 // of the current segment
  std::vector<std::unique_ptr<SortReader>> readers_;  // of the current segment, one a key
  std::vector<int64_t> after_codes_;                  // in the current segment
  std::vector<int64_t> codes_;                        // of the current batch, key by key

  std::vector<Candidate> current_;  // without strings: of all segments so far
  std::vector<Candidate> kept_;     // with strings: the best of earlier segments
  bool full_ = false;               // `k_` are known: worst_first_ holds
  int64_t worst_first_ = 0;         // first key's code of the worst of them
  std::vector<int64_t> slots_;      // keys_.size() numbers each: the other keys' codes, the score
  std::vector<uint32_t> free_slots_;
  std::vector<std::vector<std::string>> tables_;  // by key, sorted: what codes in kept_ refer to
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_COLLECT_TOP_FIELDS_H_
