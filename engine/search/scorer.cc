#include "engine/search/scorer.h"

#include <algorithm>
#include <array>

#include "engine/util/error.h"

namespace curlew::search {
namespace {

constexpr uint32_t kBatch = 1024;
// The cancel flag is read after every window of this many documents, matching or not.
constexpr DocId kWindow = 65536;

// Leaves the live documents (and their scores) in place; returns how many.
uint32_t KeepLive(const codec::LiveDocs& live_docs, uint32_t count, DocId* docs, float* scores) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i) {
    docs[kept] = docs[i];
    if (scores != nullptr) scores[kept] = scores[i];
    kept += live_docs.Live(docs[i]) ? 1 : 0;
  }
  return kept;
}

class WalkBulkScorer : public BulkScorer {
 public:
  WalkBulkScorer(std::unique_ptr<Scorer> scorer, ScoreMode mode)
      : scorer_(std::move(scorer)), scored_(mode == ScoreMode::kScores) {}

  absl::Status Score(const codec::LiveDocs* live_docs, const CancelToken& cancel,
                     LeafCollector& collector) override {
    std::array<DocId, kBatch> docs;
    std::array<float, kBatch> scores;
    float* const scores_out = scored_ ? scores.data() : nullptr;
    DocId next = scorer_->Next();
    while (next != kNoMoreDocs && !collector.done()) {
      CURLEW_RETURN_IF_ERROR(cancel.Check());
      const DocId end = std::min(next + kWindow, kNoMoreDocs);
      while (next < end && !collector.done()) {
        if (const DocId from = collector.NextCompetitive(next); from > next) {
          next = from < kNoMoreDocs ? scorer_->Advance(from) : kNoMoreDocs;
          continue;
        }
        uint32_t count = scorer_->NextBatch(end, kBatch, docs.data(), scores_out);
        if (live_docs != nullptr) count = KeepLive(*live_docs, count, docs.data(), scores_out);
        if (count > 0) {
          collector.Collect({docs.data(), count}, {scores.data(), scored_ ? count : 0});
        }
        next = scorer_->doc();
      }
    }
    // A scorer that saw the flag while it was trying documents has stopped early.
    CURLEW_RETURN_IF_ERROR(cancel.Check());
    if (scorer_->corrupt()) return Corruption("a postings list is damaged");
    return absl::OkStatus();
  }

 private:
  const std::unique_ptr<Scorer> scorer_;
  const bool scored_;
};

}  // namespace

DocId Scorer::Probe(DocId target) { return Before(doc(), target) ? Advance(target) : doc(); }

uint32_t Scorer::NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) {
  uint32_t count = 0;
  DocId current = doc();
  while (current < end && count < room) {
    docs[count] = current;
    if (scores != nullptr) scores[count] = Score();
    ++count;
    current = Next();
  }
  return count;
}

std::unique_ptr<BulkScorer> ScorerSupplier::NewWalk(ScoreMode mode) {
  return std::make_unique<WalkBulkScorer>(NewScorer(), mode);
}

}  // namespace curlew::search
