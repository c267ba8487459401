#include "engine/codec/postings/single_posting.h"

namespace curlew::codec {
namespace {

class SinglePosting final : public Postings {
 public:
  explicit SinglePosting(DocId doc) : only_(doc) {}

  DocId doc() const override { return doc_; }
  DocId Next() override { return Advance(started_ ? kNoMoreDocs : 0); }
  DocId Advance(DocId target) override {
    doc_ = !started_ && target <= only_ ? only_ : kNoMoreDocs;
    started_ = true;
    return doc_;
  }
  uint32_t freq() override { return 1; }
  std::span<const uint32_t> positions() override { return {}; }
  uint32_t doc_freq() const override { return 1; }
  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, uint32_t* freqs) override {
    if (room == 0 || doc_ >= end || doc_ == kNoMoreDocs) return 0;
    docs[0] = doc_;
    if (freqs != nullptr) freqs[0] = 1;
    doc_ = kNoMoreDocs;
    return 1;
  }
  bool corrupt() const override { return false; }

 private:
  const DocId only_;
  bool started_ = false;
  DocId doc_ = 0xffffffff;  // before the first, as other lists
};

}  // namespace

std::unique_ptr<Postings> NewSinglePosting(DocId doc) {
  return std::make_unique<SinglePosting>(doc);
}

}  // namespace curlew::codec
