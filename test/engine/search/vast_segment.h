// A segment of a million terms that takes no memory and counts how it is read: what shows whether
// a loop ends when its search is cancelled, and what a query opens.
#ifndef CURLEW_TEST_ENGINE_SEARCH_VAST_SEGMENT_H_
#define CURLEW_TEST_ENGINE_SEARCH_VAST_SEGMENT_H_

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/codec/columns/column.h"
#include "engine/codec/terms/terms.h"
#include "engine/index/segment_reader.h"

namespace curlew::test {

// What was read. One thread.
struct Reads {
  uint64_t terms = 0;     // looked up or walked over
  uint64_t postings = 0;  // lists opened
  uint64_t docs = 0;      // read from lists
  uint64_t values = 0;    // of columns
};

// Term and value `n`.
inline std::string VastTerm(uint32_t n) { return fmt::format("t{:07}", n); }

class VastPostings : public codec::Postings {
 public:
  // `count` documents from `first` on.
  VastPostings(Reads& reads, codec::DocId first, uint32_t count)
      : reads_(reads), next_(first), end_(first + count), count_(count) {}

  codec::DocId doc() const override { return doc_; }
  codec::DocId Next() override {
    ++reads_.docs;
    return doc_ = next_ < end_ ? next_++ : codec::kNoMoreDocs;
  }
  codec::DocId Advance(codec::DocId target) override {
    next_ = std::max(next_, target);
    return Next();
  }
  uint32_t freq() override { return 1; }
  std::span<const uint32_t> positions() override { return {}; }
  uint32_t doc_freq() const override { return count_; }
  uint32_t NextBatch(codec::DocId end, uint32_t room, codec::DocId* docs, uint32_t*) override {
    uint32_t n = 0;
    for (; n < room && doc_ < end; Next()) docs[n++] = doc_;
    return n;
  }
  bool corrupt() const override { return false; }

 private:
  Reads& reads_;
  codec::DocId next_;
  const codec::DocId end_;
  const uint32_t count_;
  codec::DocId doc_ = codec::kNoMoreDocs;
};

// Term n is in document n; with one term, that is in all of them.
class VastTerms : public codec::FieldTerms {
 public:
  VastTerms(Reads& reads, uint32_t terms, uint32_t docs)
      : reads_(reads), terms_(terms), docs_(docs) {
    // One less than all, so that nobody need not look.
    stats_.doc_count = docs - 1;
    stats_.sum_doc_freq = stats_.sum_total_term_freq = docs;
  }
  const codec::FieldStats& stats() const override { return stats_; }
  codec::IndexOptions options() const override { return codec::IndexOptions::kDocs; }
  bool Find(std::string_view term, codec::TermEntry& entry) const override {
    ++reads_.terms;
    const uint32_t n = LowerBound(term);
    if (n == terms_ || VastTerm(n) != term) return false;
    entry = Entry(n);
    return true;
  }
  std::unique_ptr<codec::TermIterator> Iterate() const override {
    return std::make_unique<Iterator>(*this);
  }
  std::unique_ptr<codec::Postings> OpenPostings(const codec::TermEntry& entry) const override {
    ++reads_.postings;
    return std::make_unique<VastPostings>(reads_, static_cast<codec::DocId>(entry.postings_offset),
                                          entry.doc_freq);
  }

 private:
  class Iterator : public codec::TermIterator {
   public:
    explicit Iterator(const VastTerms& terms) : terms_(terms) {}
    bool Next() override { return Settle(at_ + 1); }
    bool SeekCeil(std::string_view target) override { return Settle(terms_.LowerBound(target)); }
    std::string_view term() const override { return term_; }
    const codec::TermEntry& entry() const override { return entry_; }

   private:
    bool Settle(uint32_t n) {
      ++terms_.reads_.terms;
      at_ = n;
      if (n >= terms_.terms_) return false;
      term_ = VastTerm(n);
      entry_ = terms_.Entry(n);
      return true;
    }
    const VastTerms& terms_;
    uint32_t at_ = 0xffffffff;
    std::string term_;
    codec::TermEntry entry_;
  };

  codec::TermEntry Entry(uint32_t n) const {
    const uint32_t docs = terms_ == 1 ? docs_ : 1;
    return {docs, docs, n};
  }
  uint32_t LowerBound(std::string_view term) const {
    uint32_t low = 0;
    for (uint32_t high = terms_; low < high;) {
      const uint32_t middle = low + (high - low) / 2;
      if (VastTerm(middle) < term) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  Reads& reads_;
  const uint32_t terms_;
  const uint32_t docs_;
  codec::FieldStats stats_;
};

// Document n has value n.
class VastOrdinals : public codec::OrdinalColumn {
 public:
  VastOrdinals(Reads& reads, uint32_t docs) : reads_(reads), docs_(docs) {}
  std::span<const uint32_t> Ordinals(codec::DocId doc,
                                     codec::ColumnScratch& scratch) const override {
    scratch.ordinals.assign(1, doc);
    return scratch.ordinals;
  }
  bool Has(codec::DocId) const override { return true; }
  uint32_t value_count() const override { return docs_; }
  std::string_view Value(uint32_t ordinal) const override {
    ++reads_.values;
    return value_ = VastTerm(ordinal);
  }
  uint32_t LowerBound(std::string_view value) const override {
    ++reads_.values;
    uint32_t n = 0;
    if (!value.empty()) std::from_chars(value.data() + 1, value.data() + value.size(), n);
    return std::min(n, docs_);
  }
  uint32_t doc_count() const override { return docs_; }
  bool single_valued() const override { return true; }

 private:
  Reads& reads_;
  const uint32_t docs_;
  mutable std::string value_;
};

// Fields: "_id" and "kt" with a term a document, "one" with one term in all documents, "kd" with a
// column. Nothing is stored.
class VastSegment : public index::SegmentReader {
 public:
  explicit VastSegment(uint32_t docs)
      : terms_(reads_, docs, docs), one_(reads_, 1, docs), ordinals_(reads_, docs) {
    info_.name = "_vast";
    info_.max_doc = docs;
  }

  const Reads& reads() const { return reads_; }

  const index::SegmentInfo& info() const override { return info_; }
  const codec::FieldTerms* Terms(std::string_view field) const override {
    if (field == "_id" || field == "kt") return &terms_;
    return field == "one" ? &one_ : nullptr;
  }
  const codec::NumericColumn* Numeric(std::string_view) const override { return nullptr; }
  const codec::OrdinalColumn* Ordinals(std::string_view field) const override {
    return field == "kd" ? &ordinals_ : nullptr;
  }
  const codec::Norms* NormsOf(std::string_view) const override { return nullptr; }
  const codec::StoredDocuments& stored() const override { return *stored_; }
  const std::vector<std::string>& term_fields() const override { return no_fields_; }
  std::vector<std::string> numeric_fields() const override { return {}; }
  std::vector<std::string> ordinal_fields() const override { return {}; }
  std::vector<std::string> norm_fields() const override { return {}; }

 private:
  mutable Reads reads_;
  index::SegmentInfo info_;
  const VastTerms terms_;
  const VastTerms one_;
  const VastOrdinals ordinals_;
  const std::unique_ptr<codec::StoredDocuments> stored_;
  const std::vector<std::string> no_fields_;
};

}  // namespace curlew::test

#endif  // CURLEW_TEST_ENGINE_SEARCH_VAST_SEGMENT_H_
