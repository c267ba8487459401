// Evaluation block by block finds the same best documents as walking all of them, with the same
// scores to the last bit, whatever is deleted and however the matches are spread over segments.
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/codec/live_docs/live_docs.h"
#include "engine/codec/norms/norms_file.h"
#include "engine/codec/terms/inverted_reader.h"
#include "engine/codec/terms/inverted_writer.h"
#include "engine/search/collect/combined.h"
#include "engine/search/collect/top_scores.h"
#include "engine/search/collect/total_hits.h"
#include "engine/search/score/conjunction.h"
#include "engine/search/score/constant.h"
#include "engine/search/score/disjunction.h"
#include "engine/search/score/exclusion.h"
#include "engine/search/score/phrase_scorer.h"
#include "engine/search/score/required_optional.h"
#include "engine/search/score/term_scorer.h"
#include "engine/store/memory_directory.h"
#include "test/support/random.h"

namespace curlew::search {
namespace {

using SupplierPtr = std::unique_ptr<ScorerSupplier>;

// Words are numbers: the lower, the more frequent.
constexpr int kWords = 60;
std::string Word(int number) { return "w" + std::to_string(100 + number); }

struct Segment {
  std::shared_ptr<store::Directory> directory;
  std::unique_ptr<codec::InvertedReader> inverted;
  std::unique_ptr<codec::NormsReader> norms_reader;
  const codec::FieldTerms* terms = nullptr;
  const codec::Norms* norms = nullptr;
  std::unique_ptr<codec::LiveDocs> live;
  uint32_t doc_base = 0;
};

std::vector<int> RandomDocument(test::Random& random, bool frequent) {
  std::vector<int> words;
  for (int64_t n = random.OneIn(30) ? random.Between(0, 300) : random.Between(0, 14); n > 0; --n) {
    // Squared: word 0 is in most documents, the last ones in few.
    const double uniform = static_cast<double>(random.Between(0, 9999)) / 10000;
    words.push_back(static_cast<int>(uniform * uniform * (frequent ? 6 : kWords)));
    if (random.OneIn(10)) words.push_back(words.back());
  }
  return words;
}

Segment MakeSegment(test::Random& random, codec::DocId max_doc, bool with_norms,
                    int delete_one_in) {
  std::map<std::string, std::map<codec::DocId, std::vector<uint32_t>>> lists;
  std::vector<uint8_t> norms(max_doc, 0);
  std::set<codec::DocId> docs;
  for (codec::DocId doc = 0; doc < max_doc; ++doc) {
    const std::vector<int> words = RandomDocument(random, doc / 1000 % 3 == 1);
    for (uint32_t at = 0; at < words.size(); ++at) lists[Word(words[at])][doc].push_back(at);
    norms[doc] = codec::EncodeNorm(static_cast<uint32_t>(words.size()));
    if (!words.empty()) docs.insert(doc);
  }
  Segment segment;
  segment.directory = store::NewMemoryDirectory();
  auto writer = codec::InvertedWriter::Create(*segment.directory, "_0").value();
  std::span<const uint8_t> kept;
  if (with_norms) kept = norms;
  writer->StartField("f", codec::IndexOptions::kPositions, kept);
  for (const auto& [word, list] : lists) {
    writer->StartTerm(word);
    for (const auto& [doc, positions] : list) {
      writer->AddPosting(doc, static_cast<uint32_t>(positions.size()), positions);
    }
    writer->FinishTerm();
  }
  writer->FinishField(static_cast<uint32_t>(docs.size()));
  REQUIRE(writer->Finish().ok());
  segment.inverted = codec::InvertedReader::Open(*segment.directory, "_0", max_doc).value();
  segment.terms = segment.inverted->Field("f");
  auto norms_writer = codec::NormsWriter::Create(*segment.directory, "_0", max_doc).value();
  if (with_norms) norms_writer->AddField("f", norms);
  REQUIRE(norms_writer->Finish().ok());
  segment.norms_reader = codec::NormsReader::Open(*segment.directory, "_0", max_doc).value();
  segment.norms = segment.norms_reader->Field("f");
  if (delete_one_in > 0) {
    segment.live = std::make_unique<codec::LiveDocs>(max_doc);
    for (codec::DocId doc = 0; doc < max_doc; ++doc) {
      if (random.OneIn(delete_one_in)) segment.live->Delete(doc);
    }
  }
  return segment;
}

// A query over words, for any segment.
struct Node {
  enum class Kind { kTerm, kFilter, kAny, kAll, kBoth, kNot, kPhrase };
  Kind kind = Kind::kTerm;
  int word = 0;
  std::vector<Node> parts;
  std::vector<int> phrase;
};

struct Scoring {
  std::vector<Bm25> of_word;
  Bm25 of_phrase;
};

SupplierPtr Make(const Node& node, const Segment& segment, const Scoring& scoring, ScoreMode mode) {
  if (segment.terms == nullptr) return NewAllDocsSupplier(0, 0);  // documents without words
  const auto term = [&](int word, bool filter) -> SupplierPtr {
    codec::TermEntry entry;
    if (!segment.terms->Find(Word(word), entry)) return NewAllDocsSupplier(0, 0);
    TermScoring how;
    if (!filter && mode == ScoreMode::kScores) how.bm25 = &scoring.of_word[word];
    how.norms = segment.norms;
    return NewTermSupplier(segment.terms, entry, how);
  };
  const auto part = [&](size_t i) { return Make(node.parts[i], segment, scoring, mode); };
  switch (node.kind) {
    case Node::Kind::kTerm:
      return term(node.word, false);
    case Node::Kind::kFilter:
      return term(node.word, true);
    case Node::Kind::kAny: {
      std::vector<SupplierPtr> parts;
      for (size_t i = 0; i < node.parts.size(); ++i) parts.push_back(part(i));
      return NewDisjunctionSupplier(std::move(parts), 1, mode, nullptr);
    }
    case Node::Kind::kAll: {
      std::vector<ConjunctionClause> parts;
      for (size_t i = 0; i < node.parts.size(); ++i) {
        const bool scores = mode == ScoreMode::kScores && node.parts[i].kind != Node::Kind::kFilter;
        parts.push_back({part(i), scores});
      }
      return NewConjunctionSupplier(std::move(parts), nullptr);
    }
    case Node::Kind::kBoth:
      return NewRequiredOptionalSupplier(part(0), part(1));
    case Node::Kind::kNot:
      return NewExclusionSupplier(part(0), Make(node.parts[1], segment, scoring, ScoreMode::kNone),
                                  nullptr);
    case Node::Kind::kPhrase: {
      std::map<int, std::vector<uint32_t>> offsets;
      for (uint32_t i = 0; i < node.phrase.size(); ++i) offsets[node.phrase[i]].push_back(i);
      std::vector<PhraseTerm> terms;
      for (const auto& [word, places] : offsets) {
        codec::TermEntry entry;
        if (!segment.terms->Find(Word(word), entry)) return NewAllDocsSupplier(0, 0);
        terms.push_back({entry, places});
      }
      const Bm25* bm25 = mode == ScoreMode::kScores ? &scoring.of_phrase : nullptr;
      return NewPhraseSupplier(segment.terms, std::move(terms), bm25, segment.norms, nullptr);
    }
  }
  return nullptr;
}

Node Term(test::Random& random, Node::Kind kind = Node::Kind::kTerm) {
  return {kind,
          static_cast<int>(random.OneIn(2) ? random.Between(0, 5) : random.Between(0, kWords - 1)),
          {},
          {}};
}
Node Several(test::Random& random, Node::Kind kind, int64_t most) {
  Node node{kind, 0, {}, {}};
  for (int64_t n = random.Between(2, most); n > 0; --n) node.parts.push_back(Term(random));
  return node;
}
Node Phrase(test::Random& random) {
  Node node{Node::Kind::kPhrase, 0, {}, {}};
  for (int64_t n = random.Between(2, 4); n > 0; --n) {
    node.phrase.push_back(static_cast<int>(random.Between(0, 8)));
  }
  return node;
}
Node RandomQuery(test::Random& random) {
  switch (random.Between(0, 8)) {
    case 0:
      return Term(random);
    case 1:
    case 2:
      return Several(random, Node::Kind::kAny, 6);
    case 3:
      return Several(random, Node::Kind::kAll, 4);
    case 4: {
      Node all = Several(random, Node::Kind::kAll, 3);
      all.parts.push_back(random.OneIn(2) ? Phrase(random) : Term(random, Node::Kind::kFilter));
      if (random.OneIn(3)) all.parts.push_back(Several(random, Node::Kind::kAll, 3));
      return all;
    }
    case 5:
      return {Node::Kind::kBoth, 0, {Term(random), Several(random, Node::Kind::kAny, 4)}, {}};
    case 6: {
      Node any = random.OneIn(2)   ? Several(random, Node::Kind::kAny, 3)
                 : random.OneIn(2) ? Several(random, Node::Kind::kAll, 3)
                                   : Phrase(random);
      Node without = random.OneIn(2) ? Term(random) : Several(random, Node::Kind::kAny, 3);
      return {Node::Kind::kNot, 0, {std::move(any), std::move(without)}, {}};
    }
    default:
      return Phrase(random);
  }
}

struct Outcome {
  std::vector<TopHit> hits;
  int64_t count = 0;
};

// `counted`: all matches are counted beside, so that none may be left out.
Outcome Search(const Node& node, const std::vector<Segment>& segments, const Scoring& scoring,
               size_t k, bool counted, bool walk) {
  const CancelToken never;
  TopScoresCollector top(k, false);
  TotalHitsCollector total(1'000'000'000);
  std::vector<Collector*> parts = {&top};
  if (counted) parts.push_back(&total);
  MultiCollector all(parts);
  for (const Segment& segment : segments) {
    index::SnapshotSegment at;
    at.doc_base = segment.doc_base;
    LeafCollector* leaf = all.StartSegment(at, -1).value();
    const SupplierPtr supplier = Make(node, segment, scoring, ScoreMode::kScores);
    const auto scorer =
        walk ? supplier->NewWalk(ScoreMode::kScores) : supplier->NewBulkScorer(ScoreMode::kScores);
    REQUIRE(scorer->Score(segment.live.get(), never, *leaf).ok());
    REQUIRE(all.FinishSegment().ok());
  }
  return {top.Take(), total.total().value};
}

int64_t Count(const Node& node, const std::vector<Segment>& segments, const Scoring& scoring,
              bool walk) {
  const CancelToken never;
  TotalHitsCollector total(1'000'000'000);
  for (const Segment& segment : segments) {
    LeafCollector* leaf = total.StartSegment(index::SnapshotSegment(), -1).value();
    const SupplierPtr supplier = Make(node, segment, scoring, ScoreMode::kNone);
    const int64_t before = total.total().value;
    const auto shortcut = supplier->Count(segment.live.get(), never);
    REQUIRE(shortcut.ok());
    const auto scorer =
        walk ? supplier->NewWalk(ScoreMode::kNone) : supplier->NewBulkScorer(ScoreMode::kNone);
    REQUIRE(scorer->Score(segment.live.get(), never, *leaf).ok());
    if (*shortcut >= 0) REQUIRE(*shortcut == total.total().value - before);
  }
  return total.total().value;
}

void CheckSame(const Outcome& got, const Outcome& expected) {
  REQUIRE(got.hits.size() == expected.hits.size());
  for (size_t i = 0; i < got.hits.size(); ++i) {
    INFO("place " << i);
    REQUIRE(got.hits[i].doc == expected.hits[i].doc);
    REQUIRE(got.hits[i].score == expected.hits[i].score);
  }
  REQUIRE(got.count == expected.count);
}

TEST_CASE("pruned and exhaustive evaluation give the same documents and scores") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const bool with_norms = GENERATE(true, true, false);
  const int delete_one_in = GENERATE(0, 10, 2);
  std::vector<Segment> segments;
  uint32_t base = 0;
  for (const codec::DocId max_doc : {6000u, 1u, 130u, 2000u}) {
    segments.push_back(MakeSegment(random, max_doc, with_norms, delete_one_in));
    segments.back().doc_base = base;
    base += max_doc;
  }
  Scoring scoring{{}, Bm25(1.0f, 3.0f, {base, base * 9ull})};
  for (int word = 0; word < kWords; ++word) {
    uint64_t doc_freq = 0;
    for (const Segment& segment : segments) {
      codec::TermEntry entry;
      if (segment.terms != nullptr && segment.terms->Find(Word(word), entry))
        doc_freq += entry.doc_freq;
    }
    const float boost = random.OneIn(4) ? 3.5f : 1.0f;
    scoring.of_word.emplace_back(boost, Idf(doc_freq, base), FieldTotals{base, base * 9ull});
  }
  for (int round = 0; round < 250; ++round) {
    const Node node = RandomQuery(random);
    INFO("round " << round << ", kind " << static_cast<int>(node.kind));
    const auto k = random.Pick<size_t>({1, 3, 10, 11, 33, 500, 20'000});
    const bool counted = random.OneIn(4);
    CheckSame(Search(node, segments, scoring, k, counted, false),
              Search(node, segments, scoring, k, counted, true));
    REQUIRE(Count(node, segments, scoring, false) == Count(node, segments, scoring, true));
  }
}

TEST_CASE("statistics that change do not leave old bounds behind") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  std::vector<Segment> segments;
  segments.push_back(MakeSegment(random, 5000, true, 0));
  for (const uint64_t mean : {2, 200, 9}) {
    Scoring scoring{{}, Bm25(1.0f, 3.0f, {5000, 5000 * mean})};
    for (int word = 0; word < kWords; ++word) {
      scoring.of_word.emplace_back(1.0f, 1.0f + static_cast<float>(word),
                                   FieldTotals{5000, 5000 * mean});
    }
    for (int round = 0; round < 60; ++round) {
      const Node node = RandomQuery(random);
      CheckSame(Search(node, segments, scoring, 10, false, false),
                Search(node, segments, scoring, 10, false, true));
    }
  }
}

// Wants nothing before a document.
class From : public LeafCollector {
 public:
  explicit From(DocId from) : from_(from) {}
  void Collect(std::span<const DocId> docs, std::span<const float>) override {
    docs_.insert(docs_.end(), docs.begin(), docs.end());
  }
  DocId NextCompetitive(DocId doc) override { return std::max(doc, from_); }
  const std::vector<DocId>& docs() const { return docs_; }

 private:
  const DocId from_;
  std::vector<DocId> docs_;
};

TEST_CASE("blocks before the first document that can compete are passed over") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const Segment segment = MakeSegment(random, 6000, true, 0);
  Scoring scoring{{}, Bm25(1.0f, 3.0f, {6000, 54000})};
  for (int word = 0; word < kWords; ++word) {
    scoring.of_word.emplace_back(1.0f, 1.0f, FieldTotals{6000, 54000});
  }
  const CancelToken never;
  const Node both{
      Node::Kind::kAll, 0, {{Node::Kind::kTerm, 0, {}, {}}, {Node::Kind::kTerm, 1, {}, {}}}, {}};
  for (const DocId from : {0u, 1u, 129u, 3000u, 5999u, codec::kNoMoreDocs}) {
    From some(from);
    From all(0);
    for (From* collector : {&some, &all}) {
      REQUIRE(Make(both, segment, scoring, ScoreMode::kNone)
                  ->NewBulkScorer(ScoreMode::kNone)
                  ->Score(nullptr, never, *collector)
                  .ok());
    }
    std::vector<DocId> wanted = all.docs();
    std::erase_if(wanted, [from](DocId doc) { return doc < from; });
    std::vector<DocId> got = some.docs();
    // At most a block of the rarer term has documents on both sides.
    REQUIRE(got.size() < wanted.size() + codec::kPostingsBlock);
    std::erase_if(got, [from](DocId doc) { return doc < from; });
    REQUIRE(got == wanted);
  }
}

TEST_CASE("terms behind damage are not counted, by themselves or with others") {
  test::Random random;
  const Segment segment = MakeSegment(random, 500, true, 0);
  const CancelToken never;
  codec::TermEntry sound;
  REQUIRE(segment.terms->Find(Word(0), sound));
  codec::TermEntry damaged;
  damaged.doc_freq = 1;
  damaged.postings_offset = codec::kDamagedPostings;
  for (const size_t others : {0, 1, 2}) {
    std::vector<SupplierPtr> any;
    for (size_t i = 0; i < others; ++i) any.push_back(NewTermSupplier(segment.terms, sound, {}));
    any.push_back(NewTermSupplier(segment.terms, damaged, {}));
    const SupplierPtr query =
        others == 0 ? std::move(any[0])
                    : NewDisjunctionSupplier(std::move(any), 1, ScoreMode::kNone, nullptr);
    REQUIRE(absl::IsDataLoss(query->Count(nullptr, never).status()));
  }
}

TEST_CASE("a cancelled search ends block by block too") {
  test::Random random;
  std::vector<Segment> segments;
  segments.push_back(MakeSegment(random, 5000, true, 0));
  Scoring scoring{{}, Bm25(1.0f, 3.0f, {5000, 45000})};
  for (int word = 0; word < kWords; ++word) {
    scoring.of_word.emplace_back(1.0f, 1.0f, FieldTotals{5000, 45000});
  }
  CancelToken token;
  token.Cancel();
  for (int round = 0; round < 20; ++round) {
    const SupplierPtr supplier =
        Make(RandomQuery(random), segments[0], scoring, ScoreMode::kScores);
    TopScoresCollector top(10, false);
    LeafCollector* leaf = top.StartSegment(index::SnapshotSegment(), -1).value();
    REQUIRE(absl::IsCancelled(
        supplier->NewBulkScorer(ScoreMode::kScores)->Score(nullptr, token, *leaf)));
  }
}

}  // namespace
}  // namespace curlew::search
