#include "engine/search/score/doc_set.h"

#include <algorithm>
#include <array>
#include <bit>

namespace curlew::search {
namespace {

using List = std::vector<DocId>;
using Bits = std::vector<uint64_t>;

class ListScorer : public Scorer {
 public:
  ListScorer(std::shared_ptr<const List> list, float score)
      : list_(std::move(list)), score_(score) {}

  DocId doc() const override { return doc_; }
  DocId Next() override { return doc_ = at_ < list_->size() ? (*list_)[at_++] : kNoMoreDocs; }
  DocId Advance(DocId target) override {
    const auto from = list_->begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += static_cast<size_t>(std::lower_bound(from, list_->end(), target) - from);
    return Next();
  }
  float Score() override { return score_; }
  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    uint32_t count = 0;
    for (; doc_ < end && count < room; Next()) docs[count++] = doc_;
    if (scores != nullptr) std::fill_n(scores, count, score_);
    return count;
  }

 private:
  const std::shared_ptr<const List> list_;
  const float score_;
  size_t at_ = 0;  // of the document after doc_
  DocId doc_ = kBeforeFirst;
};

class BitsScorer : public Scorer {
 public:
  BitsScorer(std::shared_ptr<const Bits> bits, float score)
      : bits_(std::move(bits)), score_(score) {}

  DocId doc() const override { return doc_; }
  DocId Next() override { return Advance(doc_ + 1); }
  DocId Advance(DocId target) override {
    size_t word = target / 64;
    if (word >= bits_->size()) return doc_ = kNoMoreDocs;
    uint64_t left = (*bits_)[word] & (~uint64_t{0} << (target % 64));
    while (left == 0) {
      if (++word == bits_->size()) return doc_ = kNoMoreDocs;
      left = (*bits_)[word];
    }
    return doc_ = static_cast<DocId>(word * 64 + static_cast<size_t>(std::countr_zero(left)));
  }
  DocId Probe(DocId target) override {
    const size_t word = target / 64;
    if (word >= bits_->size()) return doc_ = kNoMoreDocs;
    if (((*bits_)[word] >> (target % 64) & 1) == 0) return target + 1;
    return doc_ = target;
  }
  float Score() override { return score_; }
  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    if (doc_ >= end) return 0;
    uint32_t count = 0;
    size_t word = doc_ / 64;
    uint64_t left = (*bits_)[word] & (~uint64_t{0} << (doc_ % 64));
    while (true) {
      while (left == 0 && ++word < bits_->size()) left = (*bits_)[word];
      if (left == 0) {
        doc_ = kNoMoreDocs;
        break;
      }
      doc_ = static_cast<DocId>(word * 64 + static_cast<size_t>(std::countr_zero(left)));
      if (doc_ >= end || count == room) break;
      docs[count++] = doc_;
      left &= left - 1;
    }
    if (scores != nullptr) std::fill_n(scores, count, score_);
    return count;
  }

 private:
  const std::shared_ptr<const Bits> bits_;
  const float score_;
  DocId doc_ = kBeforeFirst;
};

// Shares the set with its scorers.
template <typename S, typename Set>
class DocSetSupplier : public ScorerSupplier {
 public:
  DocSetSupplier(Set set, uint64_t cost, float score)
      : set_(std::make_shared<const Set>(std::move(set))), cost_(cost), score_(score) {}

  uint64_t cost() const override { return cost_; }
  std::unique_ptr<Scorer> NewScorer() override { return std::make_unique<S>(set_, score_); }

 private:
  const std::shared_ptr<const Set> set_;
  const uint64_t cost_;
  const float score_;
};

}  // namespace

std::unique_ptr<Scorer> NewBitsScorer(std::vector<uint64_t> bits, float score) {
  return std::make_unique<BitsScorer>(std::make_shared<const Bits>(std::move(bits)), score);
}

std::unique_ptr<Scorer> NewListScorer(std::vector<DocId> docs, float score) {
  return std::make_unique<ListScorer>(std::make_shared<const List>(std::move(docs)), score);
}

void DocSet::Add(DocId doc) {
  if (!bits_.empty()) {
    bits_[doc / 64] |= uint64_t{1} << (doc % 64);
    return;
  }
  list_.push_back(doc);
  if (list_.size() > max_doc_ / 32) TurnIntoBits();
}

bool DocSet::AddAll(codec::Postings& postings, PeriodicCheck& check) {
  if (bits_.empty() && list_.size() + postings.doc_freq() > max_doc_ / 32) TurnIntoBits();
  std::array<DocId, 256> docs;
  postings.Next();
  while (postings.doc() != kNoMoreDocs) {
    const uint32_t count = postings.NextBatch(kNoMoreDocs, docs.size(), docs.data(), nullptr);
    for (uint32_t i = 0; i < count; ++i) Add(docs[i]);
    if (count == 0 || check.Stop(count)) break;
  }
  return !postings.corrupt();
}

std::unique_ptr<ScorerSupplier> DocSet::TakeSupplier(float score) {
  if (!bits_.empty()) {
    uint64_t count = 0;
    for (const uint64_t word : bits_) count += static_cast<uint64_t>(std::popcount(word));
    return std::make_unique<DocSetSupplier<BitsScorer, Bits>>(std::move(bits_), count, score);
  }
  if (list_.empty()) return nullptr;
  std::sort(list_.begin(), list_.end());
  list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
  const uint64_t count = list_.size();
  return std::make_unique<DocSetSupplier<ListScorer, List>>(std::move(list_), count, score);
}

void DocSet::TurnIntoBits() {
  bits_.resize((max_doc_ + 63) / 64);
  for (const DocId doc : list_) bits_[doc / 64] |= uint64_t{1} << (doc % 64);
  list_.clear();
}

}  // namespace curlew::search
