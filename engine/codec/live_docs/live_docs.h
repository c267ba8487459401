// Which documents of a segment are not deleted.
#ifndef CURLEW_ENGINE_CODEC_LIVE_DOCS_LIVE_DOCS_H_
#define CURLEW_ENGINE_CODEC_LIVE_DOCS_LIVE_DOCS_H_

#include <cstdint>
#include <vector>

#include "engine/codec/types.h"

namespace curlew::codec {

// A plain bit set; immutable once it is part of a snapshot (a change makes a copy).
class LiveDocs {
 public:
  explicit LiveDocs(DocId max_doc)
      : max_doc_(max_doc), live_count_(max_doc), words_((max_doc + 63) / 64, ~uint64_t{0}) {
    if (max_doc % 64 != 0) words_.back() = (uint64_t{1} << (max_doc % 64)) - 1;
  }

  bool Live(DocId doc) const { return (words_[doc / 64] >> (doc % 64)) & 1; }
  // False when it was deleted before.
  bool Delete(DocId doc) {
    if (!Live(doc)) return false;
    words_[doc / 64] &= ~(uint64_t{1} << (doc % 64));
    --live_count_;
    return true;
  }
  DocId max_doc() const { return max_doc_; }
  uint32_t live_count() const { return live_count_; }
  uint32_t deleted_count() const { return max_doc_ - live_count_; }
  const std::vector<uint64_t>& words() const { return words_; }

 private:
  DocId max_doc_;
  uint32_t live_count_;
  std::vector<uint64_t> words_;
};

}  // namespace curlew::codec

#endif  // CURLEW_ENGINE_CODEC_LIVE_DOCS_LIVE_DOCS_H_
