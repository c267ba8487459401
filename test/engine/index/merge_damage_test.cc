// What a merge does when a segment's readers meet damage: it fails, and never takes damage for the
// end of what there is.
#include <algorithm>
#include <functional>

#include "engine/index/merge/merger.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

// The n-th move of any iterator or list, or the n-th question for a document's values, goes wrong.
enum class Damage {
  kNone,
  kTermsEnd,       // the dictionary ends early and says so
  kTermsRepeat,    // a term comes twice
  kPostingsEnd,    // a list ends early and says so
  kPostingsShort,  // it ends early and does not say so
  kPostingsWild,   // a document that the segment does not have
  kPostingsBack,   // documents go back
  kNumbersGone,
  kNumbersUnordered,
  kOrdinalsGone,
  kOrdinalsUnordered,
  kValueGone,
  kPointsUnordered,
  kPointsWild,
  kPointsRepeated,
  kNormsShort,
};

struct Plan {
  Damage damage;
  int at;  // counts down
  bool met = false;

  bool Now(Damage which) {
    if (damage != which || --at != 0) return false;
    met = true;
    return true;
  }
};

class BadPostings : public codec::Postings {
 public:
  BadPostings(std::unique_ptr<codec::Postings> target, Plan& plan, codec::DocId max_doc)
      : target_(std::move(target)), plan_(plan), max_doc_(max_doc) {}
  codec::DocId doc() const override { return target_->doc(); }
  codec::DocId Next() override {
    if (plan_.Now(Damage::kPostingsEnd)) {
      corrupt_ = true;
      return codec::kNoMoreDocs;
    }
    const codec::DocId before = moved_ ? target_->doc() : codec::kNoMoreDocs;
    const codec::DocId doc = target_->Next();
    moved_ = true;
    if (doc == codec::kNoMoreDocs) return doc;
    if (plan_.Now(Damage::kPostingsShort)) return codec::kNoMoreDocs;
    if (plan_.Now(Damage::kPostingsWild)) return max_doc_;
    if (before != codec::kNoMoreDocs && plan_.Now(Damage::kPostingsBack)) return before;
    return doc;
  }
  codec::DocId Advance(codec::DocId target) override { return target_->Advance(target); }
  uint32_t freq() override { return target_->freq(); }
  std::span<const uint32_t> positions() override { return target_->positions(); }
  uint32_t doc_freq() const override { return target_->doc_freq(); }
  uint32_t NextBatch(codec::DocId end, uint32_t room, codec::DocId* docs,
                     uint32_t* freqs) override {
    return target_->NextBatch(end, room, docs, freqs);
  }
  bool corrupt() const override { return corrupt_ || target_->corrupt(); }

 private:
  const std::unique_ptr<codec::Postings> target_;
  Plan& plan_;
  const codec::DocId max_doc_;
  bool moved_ = false;
  bool corrupt_ = false;
};

class BadIterator : public codec::TermIterator {
 public:
  BadIterator(std::unique_ptr<codec::TermIterator> target, Plan& plan)
      : target_(std::move(target)), plan_(plan) {}
  bool Next() override {
    if (plan_.Now(Damage::kTermsEnd)) {
      corrupt_ = true;
      return false;
    }
    if (moved_ && plan_.Now(Damage::kTermsRepeat)) return true;
    moved_ = true;
    return target_->Next();
  }
  bool SeekCeil(std::string_view target) override { return target_->SeekCeil(target); }
  std::string_view term() const override { return target_->term(); }
  const codec::TermEntry& entry() const override { return target_->entry(); }
  bool corrupt() const override { return corrupt_ || target_->corrupt(); }

 private:
  const std::unique_ptr<codec::TermIterator> target_;
  Plan& plan_;
  bool moved_ = false;
  bool corrupt_ = false;
};

class BadTerms : public codec::FieldTerms {
 public:
  BadTerms(const codec::FieldTerms& target, Plan& plan, codec::DocId max_doc)
      : target_(target), plan_(plan), max_doc_(max_doc) {}
  const codec::FieldStats& stats() const override { return target_.stats(); }
  codec::IndexOptions options() const override { return target_.options(); }
  bool Find(std::string_view term, codec::TermEntry& entry) const override {
    return target_.Find(term, entry);
  }
  std::unique_ptr<codec::TermIterator> Iterate() const override {
    return std::make_unique<BadIterator>(target_.Iterate(), plan_);
  }
  std::unique_ptr<codec::Postings> OpenPostings(const codec::TermEntry& entry) const override {
    return std::make_unique<BadPostings>(target_.OpenPostings(entry), plan_, max_doc_);
  }

 private:
  const codec::FieldTerms& target_;
  Plan& plan_;
  const codec::DocId max_doc_;
};

class BadNumbers : public codec::NumericColumn {
 public:
  BadNumbers(const codec::NumericColumn& target, Plan& plan) : target_(target), plan_(plan) {}
  std::span<const int64_t> Values(codec::DocId doc, codec::ColumnScratch& scratch) const override {
    const auto values = target_.Values(doc, scratch);
    if (values.empty() || plan_.Now(Damage::kNumbersGone)) return {};
    static constexpr int64_t kUnordered[] = {2, 1};
    if (plan_.Now(Damage::kNumbersUnordered)) return kUnordered;
    return values;
  }
  bool Has(codec::DocId doc) const override { return target_.Has(doc); }
  uint32_t doc_count() const override { return target_.doc_count(); }
  bool single_valued() const override { return target_.single_valued(); }
  int64_t min() const override { return target_.min(); }
  int64_t max() const override { return target_.max(); }

 private:
  const codec::NumericColumn& target_;
  Plan& plan_;
};

class BadOrdinals : public codec::OrdinalColumn {
 public:
  BadOrdinals(const codec::OrdinalColumn& target, Plan& plan) : target_(target), plan_(plan) {}
  std::span<const uint32_t> Ordinals(codec::DocId doc,
                                     codec::ColumnScratch& scratch) const override {
    const auto ordinals = target_.Ordinals(doc, scratch);
    if (ordinals.empty() || plan_.Now(Damage::kOrdinalsGone)) return {};
    static constexpr uint32_t kUnordered[] = {0, 0};
    if (plan_.Now(Damage::kOrdinalsUnordered)) return kUnordered;
    return ordinals;
  }
  bool Has(codec::DocId doc) const override { return target_.Has(doc); }
  uint32_t value_count() const override { return target_.value_count(); }
  std::string_view Value(uint32_t ordinal) const override {
    if (ordinal > 0 && plan_.Now(Damage::kValueGone)) return {};
    return target_.Value(ordinal);
  }
  uint32_t LowerBound(std::string_view value) const override { return target_.LowerBound(value); }
  uint32_t doc_count() const override { return target_.doc_count(); }
  bool single_valued() const override { return target_.single_valued(); }

 private:
  const codec::OrdinalColumn& target_;
  Plan& plan_;
};

class BadPoints : public codec::NumberPoints {
 public:
  BadPoints(const codec::NumberPoints& target, Plan& plan, codec::DocId max_doc)
      : target_(target), plan_(plan), max_doc_(max_doc) {}
  uint64_t value_count() const override { return target_.value_count(); }
  uint32_t doc_count() const override { return target_.doc_count(); }
  uint64_t Below(int64_t value) const override { return target_.Below(value); }
  uint64_t UpTo(int64_t value) const override { return target_.UpTo(value); }
  uint32_t Read(uint64_t first, uint64_t last, codec::DocId* docs, int64_t* values) const override {
    const uint32_t count = target_.Read(first, last, docs, values);
    for (uint32_t i = 0; i < count; ++i) {
      if (i > 0 && plan_.Now(Damage::kPointsUnordered)) values[i] = values[i - 1] - 1;
      if (plan_.Now(Damage::kPointsWild)) docs[i] = max_doc_;
      if (i > 0 && plan_.Now(Damage::kPointsRepeated)) docs[i] = docs[i - 1];
    }
    return count;
  }

 private:
  const codec::NumberPoints& target_;
  Plan& plan_;
  const codec::DocId max_doc_;
};

class BadNorms : public codec::Norms {
 public:
  BadNorms(const codec::Norms& target, Plan& plan) : target_(target), plan_(plan) {}
  std::span<const uint8_t> bytes() const override {
    const auto bytes = target_.bytes();
    return plan_.Now(Damage::kNormsShort) ? bytes.first(bytes.size() - 1) : bytes;
  }

 private:
  const codec::Norms& target_;
  Plan& plan_;
};

class BadReader : public SegmentReader {
 public:
  BadReader(std::shared_ptr<const SegmentReader> target, Plan& plan)
      : target_(std::move(target)), plan_(plan) {}
  const SegmentInfo& info() const override { return target_->info(); }
  const codec::FieldTerms* Terms(std::string_view field) const override {
    return Wrap(terms_, field, target_->Terms(field), target_->max_doc());
  }
  const codec::NumericColumn* Numeric(std::string_view field) const override {
    return Wrap(numbers_, field, target_->Numeric(field));
  }
  const codec::OrdinalColumn* Ordinals(std::string_view field) const override {
    return Wrap(ordinals_, field, target_->Ordinals(field));
  }
  const codec::NumberPoints* Points(std::string_view field) const override {
    return Wrap(points_, field, target_->Points(field), target_->max_doc());
  }
  const codec::Norms* NormsOf(std::string_view field) const override {
    return Wrap(norms_, field, target_->NormsOf(field));
  }
  const codec::StoredDocuments& stored() const override { return target_->stored(); }
  const std::vector<std::string>& term_fields() const override { return target_->term_fields(); }
  std::vector<std::string> numeric_fields() const override { return target_->numeric_fields(); }
  std::vector<std::string> ordinal_fields() const override { return target_->ordinal_fields(); }
  std::vector<std::string> point_fields() const override { return target_->point_fields(); }
  std::vector<std::string> norm_fields() const override { return target_->norm_fields(); }

 private:
  template <typename Bad, typename Good, typename... More>
  const Good* Wrap(std::map<std::string, std::unique_ptr<Bad>, std::less<>>& kept,
                   std::string_view field, const Good* good, More... more) const {
    if (good == nullptr) return nullptr;
    auto& bad = kept[std::string(field)];
    if (bad == nullptr) bad = std::make_unique<Bad>(*good, plan_, more...);
    return bad.get();
  }

  const std::shared_ptr<const SegmentReader> target_;
  Plan& plan_;
  mutable std::map<std::string, std::unique_ptr<BadTerms>, std::less<>> terms_;
  mutable std::map<std::string, std::unique_ptr<BadNumbers>, std::less<>> numbers_;
  mutable std::map<std::string, std::unique_ptr<BadOrdinals>, std::less<>> ordinals_;
  mutable std::map<std::string, std::unique_ptr<BadPoints>, std::less<>> points_;
  mutable std::map<std::string, std::unique_ptr<BadNorms>, std::less<>> norms_;
};

TEST_CASE("a merge of damaged segments fails instead of leaving out what it cannot read") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  for (int segment = 0; segment < 2; ++segment) {
    for (int i = 0; i < 12; ++i) {
      TestDocument document = RandomDocument(random);
      document.tags = {"tag" + std::to_string(i % 5), "tag" + std::to_string(9 - i % 3)};
      document.t = "common w" + std::to_string(i);
      const std::string json = document.Json();
      ApplyOne(*shard, IndexOp(std::to_string(segment) + "-" + std::to_string(i), json));
    }
    REQUIRE(shard->Refresh().ok());
  }
  ApplyOne(*shard, DeleteOp("0-3"));
  REQUIRE(shard->Refresh().ok());
  const auto snapshot = shard->snapshot();
  REQUIRE(snapshot->segments.size() == 2);

  for (int kind = 0; kind <= static_cast<int>(Damage::kNormsShort); ++kind) {
    const auto damage = static_cast<Damage>(kind);
    // Until there is no such place any more.
    for (int at = 1;; at += random.Between(1, 3)) {
      INFO("damage " << kind << " at " << at);
      Plan plan{damage, at};
      std::vector<MergeInput> inputs;
      for (const SnapshotSegment& segment : snapshot->segments) {
        inputs.push_back({std::make_shared<BadReader>(segment.reader, plan), segment.live_docs});
      }
      DocumentMap map;
      const codec::DocId max_doc = MapDocuments(inputs, map);
      auto directory = store::NewMemoryDirectory();
      const std::atomic<bool> abort{false};
      const auto merged = MergeSegments(*directory, "_m", inputs, map, max_doc, {"none"}, abort);
      REQUIRE(merged.ok() == !plan.met);
      if (!plan.met) {
        REQUIRE((at > 1 || damage == Damage::kNone));
        break;
      }
      REQUIRE(absl::IsDataLoss(merged.status()));
    }
  }
}

}  // namespace
}  // namespace curlew::index
