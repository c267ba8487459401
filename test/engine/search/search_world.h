// Random documents in several segments, random queries over them, and what the queries must give,
// found by looking at every document.
#ifndef CURLEW_TEST_ENGINE_SEARCH_SEARCH_WORLD_H_
#define CURLEW_TEST_ENGINE_SEARCH_SEARCH_WORLD_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/search/query/query.h"
#include "engine/search/shard_search.h"
#include "test/support/fake_segment.h"
#include "test/support/random.h"

namespace curlew::search {

// A query as the brute force understands it; MakeQuery gives the engine's.
struct Spec {
  enum class Kind {
    kAll,
    kNone,
    kWord,      // term on text field `field`
    kTag,       // term on keyword field `field`
    kNumber,    // term on "n"
    kFlag,      // term on "b"
    kTags,      // terms on `field`
    kNumbers,   // terms on "n"
    kMatch,     // `words` on `field`
    kPhrase,    // `words` on `field`
    kRange,     // `low` to `high` on "n"
    kTagRange,  // words[0] to words[1] on `field`
    kExists,
    kIds,
    kConstant,  // must[0]
    kBool,
  };
  Kind kind = Kind::kAll;
  std::string field;
  std::vector<std::string> words;
  std::vector<int64_t> numbers;
  int64_t low = 0;
  int64_t high = 0;
  bool all_words = false;  // match: operator and
  std::optional<int> min_should;
  float boost = 1;
  std::vector<Spec> must, must_not, should, filter;
};

// Owns mapping and snapshot. Text in "t" and "u" (without norms), keywords in "k", "kd" (a column
// only) and "kt" (terms only), numbers in "n" (integer, several values), "d" (double) and "f"
// (float), a flag in "b".
class SearchWorld {
 public:
  SearchWorld(test::Random& random, int max_segment_docs);

  ShardContext context() const;
  // Live documents in order that match, with their scores.
  std::map<uint32_t, float> Matches(const Spec& spec) const;
  const test::FakeDocument& document(uint32_t doc) const { return *documents_[doc]; }
  uint32_t max_doc() const { return static_cast<uint32_t>(documents_.size()); }

  Spec RandomSpec(test::Random& random, int depth) const;

 private:
  std::optional<float> Eval(const Spec& spec, const test::FakeDocument& document) const;
  std::optional<float> EvalBool(const Spec& spec, const test::FakeDocument& document) const;
  std::optional<float> EvalMatch(const Spec& spec, const test::FakeDocument& document) const;
  std::optional<float> EvalPhrase(const Spec& spec, const test::FakeDocument& document) const;
  float Idf(const std::string& field, const std::string& word) const;
  float Bm25(const std::string& field, float boost, float idf, uint32_t freq,
             const test::FakeDocument& document) const;

  std::vector<std::vector<test::FakeDocument>> segments_;
  std::vector<const test::FakeDocument*> documents_;
  std::shared_ptr<const mapping::Mapping> mapping_;
  std::shared_ptr<const index::Snapshot> snapshot_;
};

// `watched`: an AssertingQuery around every node.
QueryPtr MakeQuery(const Spec& spec, bool watched);

}  // namespace curlew::search

#endif  // CURLEW_TEST_ENGINE_SEARCH_SEARCH_WORLD_H_
