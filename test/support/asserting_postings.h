// Postings that fail the test when their user, or the list behind them, breaks the contract.
#ifndef CURLEW_TEST_SUPPORT_ASSERTING_POSTINGS_H_
#define CURLEW_TEST_SUPPORT_ASSERTING_POSTINGS_H_

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "engine/codec/postings/postings.h"
#include "engine/codec/terms/terms.h"

namespace curlew::test {

// Wraps a fresh list. Catch2's assertions are too slow for every posting, so a condition is looked
// at in plain code and reported only when it fails.
class AssertingPostings final : public codec::Postings {
 public:
  explicit AssertingPostings(std::unique_ptr<codec::Postings> target,
                             codec::IndexOptions options = codec::IndexOptions::kPositions)
      : target_(std::move(target)), options_(options) {
    Expect(!target_->corrupt(), "a fresh list is damaged");
  }

  codec::DocId doc() const override {
    Expect(state_ != State::kFresh, "doc() before the first move");
    return target_->doc();
  }

  codec::DocId Next() override {
    Expect(state_ != State::kEnded, "Next() after the end");
    return Moved(target_->Next(), 0);
  }

  codec::DocId Advance(codec::DocId target) override {
    Expect(state_ != State::kEnded, "Advance() after the end");
    Expect(state_ == State::kFresh || target > last_, "Advance() to where the list stands");
    Expect(target <= codec::kNoMoreDocs, "Advance() beyond kNoMoreDocs");
    return Moved(target_->Advance(target), target);
  }

  uint32_t freq() override {
    Expect(state_ == State::kOnDoc, "freq() without a document");
    const uint32_t freq = target_->freq();
    Expect(freq > 0, "frequency 0");
    Expect(options_ >= codec::IndexOptions::kFreqs || freq == 1, "a frequency that is not kept");
    return freq;
  }

  std::span<const uint32_t> positions() override {
    Expect(state_ == State::kOnDoc, "positions() without a document");
    const auto positions = target_->positions();
    if (options_ < codec::IndexOptions::kPositions) {
      Expect(positions.empty(), "positions that are not kept");
    } else {
      Expect(positions.size() == target_->freq(), "not as many positions as occurrences");
      Expect(std::is_sorted(positions.begin(), positions.end()), "positions descend");
    }
    return positions;
  }

  uint32_t doc_freq() const override { return target_->doc_freq(); }

  uint32_t NextBatch(codec::DocId end, uint32_t room, codec::DocId* docs,
                     uint32_t* freqs) override {
    Expect(state_ != State::kFresh, "NextBatch() before the first move");
    const uint32_t n = target_->NextBatch(end, room, docs, freqs);
    Expect(n <= room, "more documents than room");
    Expect(n == 0 || state_ == State::kOnDoc, "documents after the end");
    for (uint32_t i = 0; i < n; ++i) {
      Expect(docs[i] < end, "a document beyond the batch's end");
      Expect(i == 0 ? docs[0] == last_ : docs[i] > docs[i - 1], "documents do not ascend");
      Expect(freqs == nullptr || freqs[i] > 0, "frequency 0");
    }
    count_ += n > 0 ? n - 1 : 0;
    if (n > 0) {
      last_ = docs[n - 1];
      Moved(target_->doc(), 0);
    }
    Expect(n == room || state_ == State::kEnded || last_ >= end, "a batch that stopped early");
    return n;
  }

  bool corrupt() const override { return target_->corrupt(); }

 private:
  enum class State { kFresh, kOnDoc, kEnded };

  static void Expect(bool condition, const char* what) {
    if (!condition) FAIL("postings contract: " << what);
  }

  codec::DocId Moved(codec::DocId doc, codec::DocId target) {
    Expect(doc == target_->doc(), "a move returns another document than doc()");
    Expect(!target_->corrupt(), "the list is damaged");
    if (doc == codec::kNoMoreDocs) {
      state_ = State::kEnded;
      return doc;
    }
    Expect(doc < codec::kNoMoreDocs, "a document beyond kNoMoreDocs");
    Expect(state_ == State::kFresh || doc > last_, "documents do not ascend");
    Expect(doc >= target, "a document below the target");
    Expect(++count_ <= target_->doc_freq(), "more documents than doc_freq()");
    state_ = State::kOnDoc;
    last_ = doc;
    return doc;
  }

  const std::unique_ptr<codec::Postings> target_;
  const codec::IndexOptions options_;
  State state_ = State::kFresh;
  codec::DocId last_ = 0;
  uint64_t count_ = 0;
};

// A term's list, wrapped; null when the field does not have the term.
inline std::unique_ptr<codec::Postings> OpenAsserting(const codec::FieldTerms& field,
                                                      std::string_view term) {
  codec::TermEntry entry;
  if (!field.Find(term, entry)) return nullptr;
  return std::make_unique<AssertingPostings>(field.OpenPostings(entry), field.options());
}

}  // namespace curlew::test

#endif  // CURLEW_TEST_SUPPORT_ASSERTING_POSTINGS_H_
