// Every loop over terms, documents, positions or keys ends soon after its search was cancelled.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>

#include "engine/analysis/registry.h"
#include "engine/search/collect/sort_reader.h"
#include "engine/search/query/exists_query.h"
#include "engine/search/query/ids_query.h"
#include "engine/search/query/range_query.h"
#include "engine/search/query/term_query.h"
#include "engine/search/query/terms_query.h"
#include "engine/search/score/conjunction.h"
#include "engine/search/score/disjunction.h"
#include "engine/search/score/exclusion.h"
#include "engine/search/score/phrase_scorer.h"
#include "engine/search/score/scan.h"
#include "engine/search/source_filter.h"
#include "test/engine/search/vast_segment.h"

namespace curlew::search {
namespace {

using mapping::QueryValue;
using test::VastSegment;
using test::VastTerm;

constexpr uint32_t kDocs = 1 << 20;
// What a loop may do before it looks: far from all of it.
constexpr uint64_t kMostReads = 20'000;

CancelToken::Clock::time_point LongAgo() {
  return CancelToken::Clock::now() - std::chrono::hours(1);
}

// A shard of one vast segment.
struct VastShard {
  VastShard() : reader(std::make_shared<VastSegment>(kDocs)) {
    auto snapshot = std::make_shared<index::Snapshot>();
    snapshot->segments.push_back({reader, nullptr, 0});
    context.snapshot = std::move(snapshot);
    context.mapping = mapping::Mapping::Parse(R"({"properties":{
            "kt":{"type":"keyword","doc_values":false},"one":{"type":"keyword","doc_values":false},
            "kd":{"type":"keyword","index":false}}})",
                                              analysis::AnalyzerRegistry::BuiltIn(), {})
                          .value();
  }

  std::shared_ptr<const VastSegment> reader;
  ShardContext context;
};

std::vector<QueryValue> ManyTerms() {
  std::vector<QueryValue> values;
  for (uint32_t i = 0; i < 65536; ++i) values.push_back(VastTerm(i * 3));
  return values;
}

std::vector<std::string> ManyIds() {
  std::vector<std::string> ids;
  for (uint32_t i = 0; i < 65536; ++i) ids.push_back(VastTerm(i * 3));
  return ids;
}

QueryPtr From(const char* field, const std::string& term) {
  RangeQueryOptions range;
  range.field = field;
  range.lower = mapping::RangeBound{term};
  return NewRangeQuery(range);
}

TEST_CASE("walks over terms end when the search has ended", "[search]") {
  const std::pair<const char*, QueryPtr> queries[] = {
      {"range over terms", From("kt", VastTerm(5))},
      {"range over one frequent term", From("one", "")},
      {"many terms", NewTermsQuery({"kt", ManyTerms(), 1.0f})},
      {"many values of a column", NewTermsQuery({"kd", ManyTerms(), 1.0f})},
      {"many ids", NewIdsQuery(ManyIds(), 1.0f)},
      {"any case, over terms", NewTermQuery({"kt", std::string("T9999999"), true, 1.0f})},
      {"any case, over a column", NewTermQuery({"kd", std::string("T9999999"), true, 1.0f})},
      {"existence by terms", NewExistsQuery("kt", 1.0f)},
      {"existence by one frequent term", NewExistsQuery("one", 1.0f)},
  };
  for (const auto& [name, query] : queries) {
    INFO(name);
    VastShard shard;
    const CancelToken expired(LongAgo());
    shard.context.cancel = &expired;
    const auto prepared = query->Prepare(shard.context, ScoreMode::kNone);
    REQUIRE(prepared.ok());
    const auto supplier = (*prepared)->ForSegment(shard.context.snapshot->segments[0]);
    CHECK(supplier.status().code() == absl::StatusCode::kDeadlineExceeded);
    const test::Reads& reads = shard.reader->reads();
    CHECK(reads.terms + reads.postings + reads.docs + reads.values < kMostReads);
  }
}

TEST_CASE("gathering ids for a sort ends when the search has ended", "[search]") {
  const VastShard shard;
  ResolvedKey key;
  key.source = ResolvedKey::Source::kString;
  key.kind = mapping::FieldKind::kId;
  const index::SnapshotSegment& segment = shard.context.snapshot->segments[0];
  const CancelToken expired(LongAgo());
  CHECK(NewSortReader(key, segment, &expired).status().code() ==
        absl::StatusCode::kDeadlineExceeded);
  CHECK(shard.reader->reads().terms < kMostReads);
}

TEST_CASE("the order of ids is gathered once, and again after it was cancelled", "[search]") {
  constexpr uint32_t kIds = 1000;
  const VastSegment segment(kIds);
  const CancelToken expired(LongAgo());
  // Too few terms for a look at the token.
  REQUIRE(segment.id_order(&expired).ok());
  const uint64_t terms = segment.reads().terms;
  const auto order = segment.id_order(nullptr).value();
  CHECK(segment.reads().terms == terms);

  CHECK(order->id_count() == kIds);
  CHECK(order->doc_count() == kIds);
  for (uint32_t i = 0; i < kIds; ++i) {
    REQUIRE(order->Ordinals(i).front() == i);
    REQUIRE(order->Id(i) == VastTerm(i));
    REQUIRE(order->LowerBound(VastTerm(i)) == i);
    REQUIRE(order->LowerBound(VastTerm(i) + "x") == i + 1);
  }
  CHECK(order->LowerBound("") == 0);
  CHECK(order->LowerBound("z") == kIds);

  const VastSegment larger(100'000);
  CHECK_FALSE(larger.id_order(&expired).ok());
  CHECK(larger.id_order(nullptr).value()->id_count() == 100'000);
}

// Every second document up to 2^26, from `first` on; counts how often it is moved.
class EverySecond : public Scorer {
 public:
  EverySecond(DocId first, uint64_t& moves) : first_(first), moves_(moves) {}
  DocId doc() const override { return doc_; }
  DocId Next() override { return Advance(doc_ == kBeforeFirst ? 0 : doc_ + 1); }
  DocId Advance(DocId target) override {
    ++moves_;
    const DocId next = target + ((target ^ first_) & 1);
    return doc_ = next < (1 << 26) ? next : kNoMoreDocs;
  }
  float Score() override { return 1; }

 private:
  const DocId first_;
  uint64_t& moves_;
  DocId doc_ = kBeforeFirst;
};

class EverySecondSupplier : public ScorerSupplier {
 public:
  EverySecondSupplier(DocId first, uint64_t& moves) : first_(first), moves_(moves) {}
  uint64_t cost() const override { return 1 << 25; }
  std::unique_ptr<Scorer> NewScorer() override {
    return std::make_unique<EverySecond>(first_, moves_);
  }

 private:
  const DocId first_;
  uint64_t& moves_;
};

TEST_CASE("scorers that find nothing end when the search has ended", "[search]") {
  const CancelToken expired(LongAgo());
  uint64_t moves = 0;
  const auto even = [&moves] { return std::make_unique<EverySecondSupplier>(0, moves); };
  const auto odd = [&moves] { return std::make_unique<EverySecondSupplier>(1, moves); };
  using Make = std::function<std::unique_ptr<ScorerSupplier>()>;
  const std::pair<const char*, Make> cases[] = {
      {"both of two that never meet",
       [&] {
         std::vector<ConjunctionClause> clauses;
         clauses.push_back({even(), true});
         clauses.push_back({odd(), true});
         return NewConjunctionSupplier(std::move(clauses), &expired);
       }},
      {"two of three that never meet twice",
       [&] {
         std::vector<std::unique_ptr<ScorerSupplier>> clauses;
         clauses.push_back(even());
         clauses.push_back(odd());
         return NewDisjunctionSupplier(std::move(clauses), 2, ScoreMode::kScores, &expired);
       }},
      {"all but all", [&] { return NewExclusionSupplier(even(), even(), &expired); }},
      {"a column in which nothing matches",
       [&] {
         return NewScanSupplier(
             1 << 26,
             [&moves](DocId) {
               ++moves;
               return false;
             },
             1, &expired);
       }},
  };
  for (const auto& [name, make] : cases) {
    INFO(name);
    moves = 0;
    CHECK(make()->NewScorer()->Next() == kNoMoreDocs);
    CHECK(moves < (1 << 22));
  }
}

// One document with the same word `length` times.
class OneWord : public codec::FieldTerms {
 public:
  explicit OneWord(uint32_t length) : positions_(length) {
    for (uint32_t i = 0; i < length; ++i) positions_[i] = i;
  }
  uint32_t opened() const { return opened_; }

  const codec::FieldStats& stats() const override { return stats_; }
  codec::IndexOptions options() const override { return codec::IndexOptions::kPositions; }
  bool Find(std::string_view, codec::TermEntry& entry) const override {
    entry = {1, positions_.size(), 0};
    return true;
  }
  std::unique_ptr<codec::TermIterator> Iterate() const override { return nullptr; }
  std::unique_ptr<codec::Postings> OpenPostings(const codec::TermEntry&) const override {
    ++opened_;
    return std::make_unique<List>(positions_);
  }

 private:
  class List : public codec::Postings {
   public:
    explicit List(const std::vector<uint32_t>& positions) : positions_(positions) {}
    DocId doc() const override { return doc_; }
    DocId Next() override { return Advance(doc_ + 1); }
    DocId Advance(DocId target) override { return doc_ = target == 0 ? 0 : kNoMoreDocs; }
    uint32_t freq() override { return static_cast<uint32_t>(positions_.size()); }
    std::span<const uint32_t> positions() override { return positions_; }
    uint32_t doc_freq() const override { return 1; }
    uint32_t NextBatch(DocId, uint32_t, DocId*, uint32_t*) override { return 0; }
    bool corrupt() const override { return false; }

   private:
    const std::vector<uint32_t>& positions_;
    DocId doc_ = kBeforeFirst;
  };

  std::vector<uint32_t> positions_;
  codec::FieldStats stats_;
  mutable uint32_t opened_ = 0;
};

TEST_CASE("a phrase of one word reads its postings once, and stops within a document", "[search]") {
  const OneWord terms(20'000);
  PhraseTerm word;
  terms.Find("a", word.entry);
  for (uint32_t i = 0; i < 1000; ++i) word.offsets.push_back(i);
  const Bm25 bm25(1.0f, 1.0f, {1, 20'000});
  const auto score = [&](const CancelToken* cancel) {
    const auto scorer = NewPhraseSupplier(&terms, {word}, &bm25, nullptr, cancel)->NewScorer();
    REQUIRE(scorer->Next() == 0);
    return scorer->Score();
  };
  CHECK(score(nullptr) == bm25.Score(19'001, kNoNorm));
  CHECK(terms.opened() == 1);
  const CancelToken expired(LongAgo());
  CHECK(score(&expired) < bm25.Score(10'000, kNoNorm));
}

TEST_CASE("filtering a source of many keys ends when the search has ended", "[search]") {
  std::string source = "{";
  for (int i = 0; i < 100'000; ++i) source += "\"key" + std::to_string(i) + "\":1,";
  source.back() = '}';
  std::vector<std::string> patterns(100, "*a*b*c*d*e*f*g*h*");
  const SourceFilterer filterer({true, patterns, {}});
  std::string out;
  CHECK(filterer.Apply(source, nullptr, out).ok());
  CHECK(out == "{}");
  const CancelToken expired(LongAgo());
  CHECK(filterer.Apply(source, &expired, out).code() == absl::StatusCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace curlew::search
