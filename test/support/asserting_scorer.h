// Scorers that fail the test when their user, or the scorer behind them, breaks the contract; and a
// query that puts one around what it is given, so that whole trees are watched.
#ifndef CURLEW_TEST_SUPPORT_ASSERTING_SCORER_H_
#define CURLEW_TEST_SUPPORT_ASSERTING_SCORER_H_

#include <catch2/catch.hpp>
#include <memory>
#include <utility>

#include "engine/search/query/query.h"
#include "engine/search/scorer.h"

namespace curlew::test {

class AssertingScorer final : public search::Scorer {
 public:
  using DocId = search::DocId;

  explicit AssertingScorer(std::unique_ptr<Scorer> target) : target_(std::move(target)) {
    Expect(target_->doc() == search::kBeforeFirst, "a fresh scorer has moved");
  }

  DocId doc() const override { return target_->doc(); }
  DocId Next() override {
    Expect(state_ == State::kFresh || OnMatch(), "Next() from nowhere");
    const DocId least = target_->doc() + 1;
    return Moved(target_->Next(), least);
  }
  DocId Advance(DocId target) override {
    Expect(state_ != State::kEnded, "Advance() after the end");
    Expect(search::Before(target_->doc(), target), "Advance() to where the scorer stands");
    Expect(state_ != State::kMissed || target >= bound_, "Advance() below the bound of a Probe");
    return Moved(target_->Advance(target), target);
  }
  DocId Probe(DocId target) override {
    Expect(target < search::kNoMoreDocs, "Probe() beyond the documents");
    if (state_ == State::kEnded) return search::kNoMoreDocs;
    Expect(state_ != State::kOnDoc || target >= at_, "Probe() backwards");
    Expect(state_ != State::kMissed || target >= bound_, "Probe() below the bound of a Probe");
    const DocId next = target_->Probe(target);
    Expect(next >= target, "Probe() answers with an earlier document");
    if (next == target) return Moved(next, target);
    Expect(search::Before(target_->doc(), next) || target_->doc() == next,
           "Probe() leaves the scorer beyond its answer");
    state_ = State::kMissed;
    bound_ = next;
    return next;
  }
  float Score() override {
    Expect(OnMatch(), "Score() without a document");
    return target_->Score();
  }
  uint32_t NextBatch(DocId end, uint32_t room, DocId* docs, float* scores) override {
    Expect(OnMatch() || target_->doc() == search::kNoMoreDocs, "NextBatch() from nowhere");
    const DocId first = target_->doc();
    const uint32_t count = target_->NextBatch(end, room, docs, scores);
    Expect(count <= room, "NextBatch() gives more than there is room for");
    Expect(count > 0 || first >= end, "NextBatch() gives nothing");
    for (uint32_t i = 0; i < count; ++i) {
      Expect(docs[i] < end && docs[i] >= (i == 0 ? first : docs[i - 1] + 1), "a batch descends");
    }
    Expect(count == room || target_->doc() >= end, "NextBatch() stops early");
    Moved(target_->doc(), count == 0 ? 0 : docs[count - 1] + 1);
    return count;
  }
  bool corrupt() const override { return target_->corrupt(); }

 private:
  enum class State { kFresh, kOnDoc, kMissed, kEnded };

  static void Expect(bool condition, const char* message) {
    if (!condition) FAIL(message);
  }
  // After a miss a scorer may stand on its answer, which then matches.
  bool OnMatch() const {
    return state_ == State::kOnDoc || (state_ == State::kMissed && target_->doc() == bound_);
  }
  DocId Moved(DocId doc, DocId least) {
    Expect(doc >= least, "a scorer moves backwards");
    Expect(doc == target_->doc(), "doc() is not what the move returned");
    state_ = doc == search::kNoMoreDocs ? State::kEnded : State::kOnDoc;
    return at_ = doc;
  }

  const std::unique_ptr<Scorer> target_;
  State state_ = State::kFresh;
  DocId at_ = search::kBeforeFirst;
  DocId bound_ = 0;
};

class AssertingQuery final : public search::Query {
 public:
  explicit AssertingQuery(search::QueryPtr target) : target_(std::move(target)) {}

  absl::StatusOr<std::unique_ptr<search::PreparedQuery>> Prepare(
      const search::ShardContext& context, search::ScoreMode mode) const override {
    auto prepared = target_->Prepare(context, mode);
    if (!prepared.ok()) return prepared.status();
    return std::make_unique<Prepared>(*std::move(prepared));
  }

 private:
  class Supplier final : public search::ScorerSupplier {
   public:
    explicit Supplier(std::unique_ptr<ScorerSupplier> target) : target_(std::move(target)) {}
    uint64_t cost() const override { return target_->cost(); }
    std::unique_ptr<search::Scorer> NewScorer() override {
      return std::make_unique<AssertingScorer>(target_->NewScorer());
    }
    std::unique_ptr<search::Scorer> NewLedScorer(uint64_t lead_cost) override {
      return std::make_unique<AssertingScorer>(target_->NewLedScorer(lead_cost));
    }

   private:
    const std::unique_ptr<ScorerSupplier> target_;
  };

  class Prepared final : public search::PreparedQuery {
   public:
    explicit Prepared(std::unique_ptr<PreparedQuery> target) : target_(std::move(target)) {}
    absl::StatusOr<std::unique_ptr<search::ScorerSupplier>> ForSegment(
        const index::SnapshotSegment& segment) const override {
      auto supplier = target_->ForSegment(segment);
      if (!supplier.ok() || *supplier == nullptr) return supplier;
      return std::make_unique<Supplier>(*std::move(supplier));
    }
    int64_t Count(const index::SnapshotSegment& segment) const override {
      return target_->Count(segment);
    }
    std::optional<float> ConstantScore() const override { return target_->ConstantScore(); }
    int clause_count() const override { return target_->clause_count(); }

   private:
    const std::unique_ptr<PreparedQuery> target_;
  };

  const search::QueryPtr target_;
};

}  // namespace curlew::test

#endif  // CURLEW_TEST_SUPPORT_ASSERTING_SCORER_H_
