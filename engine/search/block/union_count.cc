#include "engine/search/block/union_count.h"

#include <algorithm>
#include <bit>

#include "engine/search/block/intersection_scorer.h"
#include "engine/util/error.h"
#include "engine/util/scratch_array.h"

namespace curlew::search {
namespace {

constexpr uint32_t kBlocksPerCheck = 1024;

// Bits of the segment's documents, kept by the thread for the next time. Clear when not in use.
class Bits {
 public:
  explicit Bits(DocId max_doc) : words_(Words()), used_((static_cast<size_t>(max_doc) + 63) / 64) {
    if (words_.size() < used_) words_.resize(used_, 0);
  }
  ~Bits() { std::fill_n(words_.begin(), used_, 0); }
  Bits(const Bits&) = delete;
  Bits& operator=(const Bits&) = delete;

  void Add(std::span<const uint64_t> words) {
    for (size_t w = 0; w < words.size(); ++w) words_[w] |= words[w];
  }
  void Add(const DocId* docs, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) words_[docs[i] / 64] |= uint64_t{1} << (docs[i] % 64);
  }
  int64_t Count(const codec::LiveDocs* live) const {
    int64_t count = 0;
    for (size_t w = 0; w < used_; ++w) {
      count += std::popcount(live == nullptr ? words_[w] : words_[w] & live->words()[w]);
    }
    return count;
  }

 private:
  static std::vector<uint64_t>& Words() {
    thread_local std::vector<uint64_t> words;
    return words;
  }

  std::vector<uint64_t>& words_;
  const size_t used_;
};

absl::Status AddAll(TermList& list, const CancelToken& cancel, Bits& bits) {
  if (list.bits() != nullptr) {
    bits.Add(list.bits()->words());
    return absl::OkStatus();
  }
  for (uint32_t block = 0; block < list.blocks().count(); ++block) {
    if (block % kBlocksPerCheck == 0) CURLEW_RETURN_IF_ERROR(cancel.Check());
    if (!list.Load(block)) break;
    bits.Add(list.docs(), list.size());
  }
  return list.corrupt() ? Corruption("a postings list is damaged") : absl::OkStatus();
}

}  // namespace

absl::StatusOr<int64_t> CountUnion(const std::vector<TermClause>& terms,
                                   const codec::LiveDocs* live, const CancelToken& cancel) {
  if (live == nullptr && terms.size() == 1 && !terms[0].entry.damaged()) {
    return terms[0].entry.doc_freq;
  }
  if (live == nullptr && terms.size() == 2) {
    Required both;
    both.terms = terms;
    both.clauses = {{{0}, {}, false, false}, {{1}, {}, false, false}};
    CURLEW_ASSIGN_OR_RETURN(const int64_t shared, CountIntersection(both, live, cancel));
    if (shared < 0) return -1;
    return static_cast<int64_t>(terms[0].entry.doc_freq) + terms[1].entry.doc_freq - shared;
  }
  ScratchArray<TermList> lists(terms.size());
  for (size_t i = 0; i < terms.size(); ++i) {
    if (!lists[i].Open(terms[i], false)) return -1;
  }
  Bits bits(lists[0].blocks().max_doc());
  for (size_t i = 0; i < terms.size(); ++i) CURLEW_RETURN_IF_ERROR(AddAll(lists[i], cancel, bits));
  return bits.Count(live);
}

}  // namespace curlew::search
