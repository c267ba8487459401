// A segment that is damaged where an id is looked up says so: what took it for absent would write
// the document a second time.
#include "engine/index/shard_segment.h"

#include "engine/mapping/field.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

// Postings of [_id] that end, or go, where they should not.
class BadIds : public codec::FieldTerms {
 public:
  explicit BadIds(const codec::FieldTerms& target) : target_(target) {}
  const codec::FieldStats& stats() const override { return target_.stats(); }
  codec::IndexOptions options() const override { return target_.options(); }
  bool Find(std::string_view term, codec::TermEntry& entry) const override {
    if (!target_.Find(term, entry)) return false;
    if (beyond) entry.postings_offset = uint64_t{1} << 60;
    if (beyond) entry.single = codec::kNoMoreDocs;
    return true;
  }
  std::unique_ptr<codec::TermIterator> Iterate() const override { return target_.Iterate(); }
  std::unique_ptr<codec::Postings> OpenPostings(const codec::TermEntry& entry) const override {
    return target_.OpenPostings(entry);
  }

  bool beyond = false;  // of the file

 private:
  const codec::FieldTerms& target_;
};

class NoNumbers : public codec::NumericColumn {
 public:
  std::span<const int64_t> Values(codec::DocId, codec::ColumnScratch&) const override { return {}; }
  bool Has(codec::DocId) const override { return false; }
  uint32_t doc_count() const override { return 0; }
  bool single_valued() const override { return true; }
  int64_t min() const override { return 0; }
  int64_t max() const override { return 0; }
};

class BadReader : public SegmentReader {
 public:
  explicit BadReader(std::shared_ptr<const SegmentReader> target)
      : target_(std::move(target)), ids(*target_->Terms(mapping::kIdField)) {}
  const SegmentInfo& info() const override { return target_->info(); }
  const codec::FieldTerms* Terms(std::string_view field) const override {
    return field == mapping::kIdField ? &ids : target_->Terms(field);
  }
  const codec::NumericColumn* Numeric(std::string_view field) const override {
    return field == without ? &none_ : target_->Numeric(field);
  }
  const codec::OrdinalColumn* Ordinals(std::string_view field) const override {
    return target_->Ordinals(field);
  }
  const codec::Norms* NormsOf(std::string_view field) const override {
    return target_->NormsOf(field);
  }
  const codec::StoredDocuments& stored() const override { return target_->stored(); }
  const std::vector<std::string>& term_fields() const override { return target_->term_fields(); }
  std::vector<std::string> numeric_fields() const override { return target_->numeric_fields(); }
  std::vector<std::string> ordinal_fields() const override { return target_->ordinal_fields(); }
  std::vector<std::string> norm_fields() const override { return target_->norm_fields(); }

 private:
  const std::shared_ptr<const SegmentReader> target_;
  const NoNumbers none_;

 public:
  BadIds ids;
  std::string without;  // values in this column
};

TEST_CASE("an id in a damaged segment is neither there nor absent") {
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  ApplyDurable(*shard, IndexOp("a", R"({"n":1})"));
  ApplyDurable(*shard, IndexOp("b", R"({"n":1})"));
  REQUIRE(shard->Refresh().ok());
  const auto reader = std::make_shared<BadReader>(shard->snapshot()->segments.at(0).reader);
  {
    const ShardSegment segment(reader);
    REQUIRE(segment.FindLive("b").value().has_value());
    CHECK(segment.Meta(*segment.FindLive("b").value())->seq_no == 1);
    CHECK(!segment.FindLive("c").value().has_value());
    reader->ids.beyond = true;
    const absl::Status damaged = segment.FindLive("b").status();
    CHECK(absl::IsDataLoss(damaged));
    CHECK(DescribeError(damaged).reason == "segment _0: [_id] is damaged");
    CHECK(!segment.FindLive("c").value().has_value());
  }
  for (const std::string_view column :
       {mapping::kSeqNoField, mapping::kPrimaryTermField, mapping::kVersionField}) {
    reader->without = column;
    CHECK(absl::IsDataLoss(ShardSegment(reader).Meta(0).status()));
  }
}

}  // namespace
}  // namespace curlew::index
