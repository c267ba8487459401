// Sets of documents in memory: what filters over many terms, or over points, evaluate to.
#ifndef CURLEW_ENGINE_SEARCH_SCORE_DOC_SET_H_
#define CURLEW_ENGINE_SEARCH_SCORE_DOC_SET_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/codec/postings/postings.h"
#include "engine/search/scorer.h"
#include "engine/util/cancel.h"

namespace curlew::search {

// Bit n of the words: document n. A constant score.
std::unique_ptr<Scorer> NewBitsScorer(std::vector<uint64_t> bits, float score);
// Ascending documents.
std::unique_ptr<Scorer> NewListScorer(std::vector<DocId> docs, float score);

// A set gathered from many short lists. Starts as a list and turns into a bit set of the whole
// segment when that is smaller. One thread.
class DocSet {
 public:
  explicit DocSet(DocId max_doc) : max_doc_(max_doc) {}

  void Add(DocId doc);
  // All documents of a fresh list, each a step of `check`; fewer when that says stop. False when
  // the list is damaged.
  bool AddAll(codec::Postings& postings, PeriodicCheck& check);

  // The set as a supplier of constant scores; null when it is empty. Leaves the set empty.
  std::unique_ptr<ScorerSupplier> TakeSupplier(float score);

 private:
  void TurnIntoBits();

  const DocId max_doc_;
  std::vector<DocId> list_;     // in order of arrival
  std::vector<uint64_t> bits_;  // not empty: used instead of the list
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_SCORE_DOC_SET_H_
