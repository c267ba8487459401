// Documents that have been taken already, of few: a bit set that the thread keeps, of which only
// what was set is cleared.
#ifndef CURLEW_ENGINE_SEARCH_BLOCK_SEEN_DOCS_H_
#define CURLEW_ENGINE_SEARCH_BLOCK_SEEN_DOCS_H_

#include <cstdint>
#include <vector>

#include "engine/codec/types.h"

namespace curlew::search {

// One at a time in each thread.
class SeenDocs {
 public:
  explicit SeenDocs(codec::DocId max_doc) : words_(Words()) {
    const size_t needed = (static_cast<size_t>(max_doc) + 63) / 64;
    if (words_.size() < needed) words_.resize(needed, 0);
  }
  ~SeenDocs() {
    for (const codec::DocId doc : docs_) words_[doc / 64] = 0;
  }
  SeenDocs(const SeenDocs&) = delete;
  SeenDocs& operator=(const SeenDocs&) = delete;

  bool Has(codec::DocId doc) const { return (words_[doc / 64] >> (doc % 64) & 1) != 0; }
  void Add(codec::DocId doc) {
    words_[doc / 64] |= uint64_t{1} << (doc % 64);
    docs_.push_back(doc);
  }

 private:
  static std::vector<uint64_t>& Words() {
    thread_local std::vector<uint64_t> words;
    return words;
  }

  std::vector<uint64_t>& words_;
  std::vector<codec::DocId> docs_;
};

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_BLOCK_SEEN_DOCS_H_
