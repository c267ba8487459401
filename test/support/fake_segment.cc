#include "test/support/fake_segment.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "engine/codec/columns/column.h"
#include "engine/codec/terms/terms.h"
#include "test/support/asserting_postings.h"

namespace curlew::test {
namespace {

using codec::DocId;

struct Posting {
  DocId doc = 0;
  uint32_t freq = 0;
  std::vector<uint32_t> positions;
};
using PostingList = std::vector<Posting>;

class FakePostings : public codec::Postings {
 public:
  explicit FakePostings(const PostingList* list) : list_(*list) {}

  DocId doc() const override { return at_ < list_.size() ? list_[at_].doc : codec::kNoMoreDocs; }
  DocId Next() override {
    at_ = started_ ? at_ + 1 : 0;
    started_ = true;
    return doc();
  }
  DocId Advance(DocId target) override {
    do {
      Next();
    } while (doc() < target);
    return doc();
  }
  uint32_t freq() override { return list_[at_].freq; }
  std::span<const uint32_t> positions() override { return list_[at_].positions; }
  uint32_t doc_freq() const override { return static_cast<uint32_t>(list_.size()); }
  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, uint32_t* freqs) override {
    uint32_t count = 0;
    for (; count < room && doc() < end; Next(), ++count) {
      docs[count] = doc();
      if (freqs != nullptr) freqs[count] = freq();
    }
    return count;
  }
  bool corrupt() const override { return false; }

 private:
  const PostingList& list_;
  size_t at_ = 0;
  bool started_ = false;
};

class FakeTerms : public codec::FieldTerms {
 public:
  explicit FakeTerms(codec::IndexOptions options) : options_(options) {}

  void Add(const std::string& term, DocId doc, uint32_t position) {
    PostingList& list = lists_[term];
    if (list.empty() || list.back().doc != doc) list.push_back({doc, 0, {}});
    Posting& posting = list.back();
    if (options_ >= codec::IndexOptions::kFreqs || posting.freq == 0) {
      ++posting.freq;
      ++stats_.sum_total_term_freq;
    }
    if (options_ >= codec::IndexOptions::kPositions) posting.positions.push_back(position);
    docs_.insert(doc);
  }
  void Finish() {
    stats_.doc_count = static_cast<uint32_t>(docs_.size());
    for (const auto& [term, list] : lists_) {
      stats_.sum_doc_freq += list.size();
      by_number_.push_back(&list);
    }
  }

  const codec::FieldStats& stats() const override { return stats_; }
  codec::IndexOptions options() const override { return options_; }
  bool Find(std::string_view term, codec::TermEntry& entry) const override {
    const auto it = lists_.find(term);
    if (it == lists_.end()) return false;
    entry = EntryOf(it);
    return true;
  }
  std::unique_ptr<codec::TermIterator> Iterate() const override {
    return std::make_unique<Iterator>(*this);
  }
  std::unique_ptr<codec::Postings> OpenPostings(const codec::TermEntry& entry) const override {
    return std::make_unique<AssertingPostings>(
        std::make_unique<FakePostings>(by_number_[entry.postings_offset]), options_);
  }

 private:
  using Lists = std::map<std::string, PostingList, std::less<>>;

  class Iterator : public codec::TermIterator {
   public:
    explicit Iterator(const FakeTerms& terms) : terms_(terms), at_(terms.lists_.end()) {}
    bool Next() override {
      at_ = started_ ? std::next(at_) : terms_.lists_.begin();
      return Settle();
    }
    bool SeekCeil(std::string_view target) override {
      at_ = terms_.lists_.lower_bound(target);
      return Settle();
    }
    std::string_view term() const override { return at_->first; }
    const codec::TermEntry& entry() const override { return entry_; }

   private:
    bool Settle() {
      started_ = true;
      if (at_ == terms_.lists_.end()) return false;
      entry_ = terms_.EntryOf(at_);
      return true;
    }
    const FakeTerms& terms_;
    Lists::const_iterator at_;
    codec::TermEntry entry_;
    bool started_ = false;
  };

  codec::TermEntry EntryOf(Lists::const_iterator it) const {
    codec::TermEntry entry;
    entry.doc_freq = static_cast<uint32_t>(it->second.size());
    for (const Posting& posting : it->second) entry.total_term_freq += posting.freq;
    entry.postings_offset = static_cast<uint64_t>(std::distance(lists_.begin(), it));
    return entry;
  }

  const codec::IndexOptions options_;
  Lists lists_;
  std::vector<const PostingList*> by_number_;
  std::set<DocId> docs_;
  codec::FieldStats stats_;
};

class FakeNumbers : public codec::NumericColumn {
 public:
  explicit FakeNumbers(DocId max_doc) : values_(max_doc) {}
  void Add(DocId doc, std::vector<int64_t> values) {
    if (values.empty()) return;
    std::sort(values.begin(), values.end());
    min_ = std::min(min_, values.front());
    max_ = std::max(max_, values.back());
    ++doc_count_;
    single_ = single_ && values.size() == 1;
    values_[doc] = std::move(values);
  }
  std::span<const int64_t> Values(DocId doc, codec::ColumnScratch&) const override {
    return values_[doc];
  }
  bool Has(DocId doc) const override { return !values_[doc].empty(); }
  uint32_t doc_count() const override { return doc_count_; }
  bool single_valued() const override { return single_; }
  int64_t min() const override { return min_; }
  int64_t max() const override { return max_; }

 private:
  std::vector<std::vector<int64_t>> values_;
  uint32_t doc_count_ = 0;
  bool single_ = true;
  int64_t min_ = std::numeric_limits<int64_t>::max();
  int64_t max_ = std::numeric_limits<int64_t>::min();
};

class FakeOrdinals : public codec::OrdinalColumn {
 public:
  explicit FakeOrdinals(std::vector<std::set<std::string>> documents) {
    std::set<std::string> all;
    for (const auto& values : documents) all.insert(values.begin(), values.end());
    values_.assign(all.begin(), all.end());
    for (const auto& values : documents) {
      std::vector<uint32_t>& ordinals = ordinals_.emplace_back();
      for (const std::string& value : values) ordinals.push_back(LowerBound(value));
      doc_count_ += ordinals.empty() ? 0 : 1;
      single_ = single_ && ordinals.size() <= 1;
    }
  }
  std::span<const uint32_t> Ordinals(DocId doc, codec::ColumnScratch&) const override {
    return ordinals_[doc];
  }
  bool Has(DocId doc) const override { return !ordinals_[doc].empty(); }
  uint32_t value_count() const override { return static_cast<uint32_t>(values_.size()); }
  std::string_view Value(uint32_t ordinal) const override { return values_[ordinal]; }
  uint32_t LowerBound(std::string_view value) const override {
    return static_cast<uint32_t>(std::lower_bound(values_.begin(), values_.end(), value) -
                                 values_.begin());
  }
  uint32_t doc_count() const override { return doc_count_; }
  bool single_valued() const override { return single_; }

 private:
  std::vector<std::string> values_;
  std::vector<std::vector<uint32_t>> ordinals_;
  uint32_t doc_count_ = 0;
  bool single_ = true;
};

class FakeNorms : public codec::Norms {
 public:
  explicit FakeNorms(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}
  std::span<const uint8_t> bytes() const override { return bytes_; }

 private:
  const std::vector<uint8_t> bytes_;
};

class FakeStored : public codec::StoredDocuments {
 public:
  explicit FakeStored(std::vector<FakeDocument> documents) : documents_(std::move(documents)) {}
  std::unique_ptr<codec::StoredCursor> NewCursor() const override {
    return std::make_unique<Cursor>(documents_);
  }
  uint64_t RecordBytes(std::span<const DocId> docs) const override {
    uint64_t bytes = 0;
    for (const DocId doc : docs) bytes += documents_[doc].id.size() + documents_[doc].source.size();
    return bytes;
  }
  std::string_view codec() const override { return "none"; }
  uint64_t raw_bytes() const override { return 0; }
  uint64_t stored_bytes() const override { return 0; }

 private:
  class Cursor : public codec::StoredCursor {
   public:
    explicit Cursor(const std::vector<FakeDocument>& documents) : documents_(documents) {}
    absl::Status ReadAll(std::span<const DocId> docs, codec::StoredDocument* out) override {
      // Fresh copies each time: whoever uses an older view is found out.
      last_read_.clear();
      for (const DocId doc : docs) last_read_.push_back(documents_[doc]);
      for (const FakeDocument& document : last_read_) *out++ = {document.id, {}, document.source};
      return absl::OkStatus();
    }

   private:
    const std::vector<FakeDocument>& documents_;
    std::vector<FakeDocument> last_read_;
  };
  const std::vector<FakeDocument> documents_;
};

template <typename T>
using ByField = std::map<std::string, std::unique_ptr<T>, std::less<>>;

template <typename T>
const T* Lookup(const ByField<T>& fields, std::string_view field) {
  const auto it = fields.find(field);
  return it == fields.end() ? nullptr : it->second.get();
}

template <typename T>
std::vector<std::string> Names(const ByField<T>& fields) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : fields) names.push_back(name);
  return names;
}

class FakeSegment : public index::SegmentReader {
 public:
  FakeSegment(const std::vector<FakeDocument>& documents, const mapping::Mapping& mapping,
              int64_t first_seq_no)
      : stored_(documents) {
    info_.name = "_fake";
    info_.max_doc = static_cast<uint32_t>(documents.size());
    info_.stored_codec = "none";
    for (DocId doc = 0; doc < documents.size(); ++doc) {
      const FakeDocument& document = documents[doc];
      TermsFor("_id", codec::IndexOptions::kDocs).Add(document.id, doc, 0);
      NumbersFor("_seq_no").Add(doc, {first_seq_no + doc});
      NumbersFor("_version").Add(doc, {1});
      NumbersFor("_primary_term").Add(doc, {1});
      for (const auto& [field, tokens] : document.text) AddText(mapping, field, doc, tokens);
      for (const auto& [field, values] : document.numbers) AddNumbers(mapping, field, doc, values);
      for (const auto& [field, values] : document.keywords) {
        if (!mapping.Find(field)->indexed) continue;
        for (const std::string& value : std::set<std::string>(values.begin(), values.end())) {
          TermsFor(field, codec::IndexOptions::kDocs).Add(value, doc, 0);
        }
      }
    }
    AddOrdinals(documents, mapping);
    for (const auto& [field, terms] : terms_) terms->Finish();
    for (auto& [field, bytes] : norm_bytes_) norms_[field] = std::make_unique<FakeNorms>(bytes);
    term_fields_ = Names(terms_);
  }

  const index::SegmentInfo& info() const override { return info_; }
  const codec::FieldTerms* Terms(std::string_view field) const override {
    return Lookup(terms_, field);
  }
  const codec::NumericColumn* Numeric(std::string_view field) const override {
    return Lookup(numbers_, field);
  }
  const codec::OrdinalColumn* Ordinals(std::string_view field) const override {
    return Lookup(ordinals_, field);
  }
  const codec::Norms* NormsOf(std::string_view field) const override {
    return Lookup(norms_, field);
  }
  const codec::StoredDocuments& stored() const override { return stored_; }
  const std::vector<std::string>& term_fields() const override { return term_fields_; }
  std::vector<std::string> numeric_fields() const override { return Names(numbers_); }
  std::vector<std::string> ordinal_fields() const override { return Names(ordinals_); }
  std::vector<std::string> norm_fields() const override { return Names(norms_); }

 private:
  FakeTerms& TermsFor(const std::string& field, codec::IndexOptions options) {
    auto& terms = terms_[field];
    if (terms == nullptr) terms = std::make_unique<FakeTerms>(options);
    return *terms;
  }
  FakeNumbers& NumbersFor(const std::string& field) {
    auto& numbers = numbers_[field];
    if (numbers == nullptr) numbers = std::make_unique<FakeNumbers>(info_.max_doc);
    return *numbers;
  }

  void AddText(const mapping::Mapping& mapping, const std::string& field, DocId doc,
               const std::vector<std::string>& tokens) {
    const mapping::MappedField& mapped = *mapping.Find(field);
    for (uint32_t position = 0; position < tokens.size(); ++position) {
      TermsFor(field, mapped.index_options).Add(tokens[position], doc, position);
    }
    if (!mapped.norms || tokens.empty()) return;
    std::vector<uint8_t>& bytes = norm_bytes_[field];
    bytes.resize(info_.max_doc);
    bytes[doc] = codec::EncodeNorm(static_cast<uint32_t>(tokens.size()));
  }

  void AddNumbers(const mapping::Mapping& mapping, const std::string& field, DocId doc,
                  const std::vector<int64_t>& values) {
    NumbersFor(field).Add(doc, values);
    if (mapping.Find(field)->kind != mapping::FieldKind::kBoolean) return;
    for (const int64_t value : values) {
      TermsFor(field, codec::IndexOptions::kDocs).Add(value != 0 ? "T" : "F", doc, 0);
    }
  }

  void AddOrdinals(const std::vector<FakeDocument>& documents, const mapping::Mapping& mapping) {
    std::set<std::string> fields;
    for (const FakeDocument& document : documents) {
      for (const auto& [field, values] : document.keywords) fields.insert(field);
    }
    for (const std::string& field : fields) {
      if (!mapping.Find(field)->doc_values) continue;
      std::vector<std::set<std::string>> values;
      for (const FakeDocument& document : documents) {
        auto& of_document = values.emplace_back();
        const auto it = document.keywords.find(field);
        if (it != document.keywords.end()) of_document.insert(it->second.begin(), it->second.end());
      }
      ordinals_[field] = std::make_unique<FakeOrdinals>(std::move(values));
    }
  }

  index::SegmentInfo info_;
  ByField<FakeTerms> terms_;
  ByField<FakeNumbers> numbers_;
  ByField<FakeOrdinals> ordinals_;
  ByField<FakeNorms> norms_;
  std::map<std::string, std::vector<uint8_t>> norm_bytes_;
  std::vector<std::string> term_fields_;
  FakeStored stored_;
};

}  // namespace

std::shared_ptr<const index::Snapshot> MakeFakeSnapshot(
    const std::vector<std::vector<FakeDocument>>& segments, const mapping::Mapping& mapping) {
  auto snapshot = std::make_shared<index::Snapshot>();
  uint32_t doc_base = 0;
  for (const std::vector<FakeDocument>& documents : segments) {
    index::SnapshotSegment& segment = snapshot->segments.emplace_back();
    segment.reader = std::make_shared<FakeSegment>(documents, mapping, doc_base);
    segment.doc_base = doc_base;
    auto live_docs = std::make_shared<codec::LiveDocs>(static_cast<DocId>(documents.size()));
    for (DocId doc = 0; doc < documents.size(); ++doc) {
      if (documents[doc].deleted) live_docs->Delete(doc);
    }
    if (live_docs->deleted_count() > 0) segment.live_docs = std::move(live_docs);
    doc_base += static_cast<uint32_t>(documents.size());
  }
  return snapshot;
}

}  // namespace curlew::test
