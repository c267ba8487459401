#include "test/engine/search/search_world.h"

#include <algorithm>
#include <cmath>

#include "engine/analysis/registry.h"
#include "engine/codec/columns/numbers.h"
#include "engine/codec/norms/norms.h"
#include "engine/search/query/bool_query.h"
#include "engine/search/query/constant_score_query.h"
#include "engine/search/query/exists_query.h"
#include "engine/search/query/ids_query.h"
#include "engine/search/query/match_all_query.h"
#include "engine/search/query/match_query.h"
#include "engine/search/query/range_query.h"
#include "engine/search/query/term_query.h"
#include "engine/search/query/terms_query.h"
#include "test/support/asserting_scorer.h"

namespace curlew::search {
namespace {

using test::FakeDocument;
using test::Random;

constexpr const char* kMapping = R"({"properties": {
  "t": {"type": "text"}, "u": {"type": "text", "norms": false},
  "k": {"type": "keyword"}, "kd": {"type": "keyword", "index": false},
  "kt": {"type": "keyword", "doc_values": false},
  "n": {"type": "integer"}, "d": {"type": "double"}, "f": {"type": "float"},
  "b": {"type": "boolean"}}})";

// Common words first: half of all places hold the first two.
std::string RandomWord(Random& random) {
  static const std::vector<std::string> kWords = {"ash",   "birch", "cedar", "dill",
                                                  "elder", "fir",   "gorse", "hazel"};
  const double at = random.Unit();
  return kWords[static_cast<size_t>(at * at * at * static_cast<double>(kWords.size()))];
}

std::string RandomTag(Random& random) { return "tag" + std::to_string(random.Between(0, 12)); }

FakeDocument RandomDocument(Random& random, uint32_t number, bool deletions) {
  FakeDocument document;
  document.id = "id" + std::to_string(number);
  document.source = R"({"number":)" + std::to_string(number) + "}";
  for (const char* field : {"t", "u"}) {
    if (random.OneIn(6)) continue;
    auto& tokens = document.text[field];
    for (int64_t i = random.Between(0, random.OneIn(20) ? 120 : 9); i > 0; --i) {
      tokens.push_back(RandomWord(random));
    }
  }
  for (const char* field : {"k", "kd", "kt"}) {
    for (int64_t i = random.Between(0, 2); i > 0; --i) {
      document.keywords[field].push_back(RandomTag(random));
    }
  }
  for (int64_t i = random.Between(0, 2); i > 0; --i) {
    document.numbers["n"].push_back(random.Between(-20, 20));
  }
  if (!random.OneIn(3)) {
    document.numbers["d"] = {
        codec::DoubleToSortable(static_cast<double>(random.Between(-8, 8)) / 4)};
  }
  for (int64_t i = random.Between(0, 3); i > 0; --i) {
    document.numbers["f"].push_back(
        codec::FloatToSortable(static_cast<float>(random.Between(-8, 8)) / 8));
  }
  if (!random.OneIn(4)) document.numbers["b"] = {random.Between(0, 1)};
  document.deleted = deletions && random.OneIn(10);
  return document;
}

uint32_t CountWord(const FakeDocument& document, const std::string& field,
                   const std::string& word) {
  const auto it = document.text.find(field);
  if (it == document.text.end()) return 0;
  return static_cast<uint32_t>(std::count(it->second.begin(), it->second.end(), word));
}

const std::vector<std::string>& TagsOf(const FakeDocument& document, const std::string& field) {
  static const std::vector<std::string> kNone;
  const auto it = document.keywords.find(field);
  return it == document.keywords.end() ? kNone : it->second;
}

const std::vector<int64_t>& NumbersOf(const FakeDocument& document, const std::string& field) {
  static const std::vector<int64_t> kNone;
  const auto it = document.numbers.find(field);
  return it == document.numbers.end() ? kNone : it->second;
}

template <typename List, typename Wanted>
bool AnyIn(const List& list, const Wanted& wanted) {
  return std::any_of(list.begin(), list.end(), [&wanted](const auto& value) {
    return std::find(wanted.begin(), wanted.end(), value) != wanted.end();
  });
}

bool Exists(const FakeDocument& document, const std::string& field) {
  const auto text = document.text.find(field);
  if (text != document.text.end()) return !text->second.empty();
  return !TagsOf(document, field).empty() || !NumbersOf(document, field).empty();
}

std::optional<float> If(bool matches, float score) {
  return matches ? std::optional(score) : std::nullopt;
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

QueryPtr MakeLeaf(const Spec& spec) {
  using Kind = Spec::Kind;
  switch (spec.kind) {
    case Kind::kAll:
      return NewMatchAllQuery(spec.boost);
    case Kind::kNone:
      return NewMatchNoneQuery();
    case Kind::kWord:
    case Kind::kTag:
      return NewTermQuery({spec.field, spec.words[0], false, spec.boost});
    case Kind::kNumber:
      return NewTermQuery({"n", spec.numbers[0], false, spec.boost});
    case Kind::kFlag:
      return NewTermQuery({"b", spec.numbers[0] != 0, false, spec.boost});
    case Kind::kTags: {
      TermsQueryOptions options{spec.field, {}, spec.boost};
      for (const std::string& word : spec.words) options.values.emplace_back(word);
      return NewTermsQuery(std::move(options));
    }
    case Kind::kNumbers: {
      TermsQueryOptions options{"n", {}, spec.boost};
      for (const int64_t number : spec.numbers) options.values.emplace_back(number);
      return NewTermsQuery(std::move(options));
    }
    case Kind::kMatch: {
      MatchQueryOptions options;
      options.field = spec.field;
      options.query = Join(spec.words);
      options.op = spec.all_words ? Operator::kAnd : Operator::kOr;
      if (spec.min_should) options.minimum_should_match = std::to_string(*spec.min_should);
      options.boost = spec.boost;
      return NewMatchQuery(std::move(options));
    }
    case Kind::kPhrase: {
      MatchPhraseQueryOptions options;
      options.field = spec.field;
      options.query = Join(spec.words);
      options.boost = spec.boost;
      return NewMatchPhraseQuery(std::move(options));
    }
    case Kind::kRange: {
      RangeQueryOptions options;
      options.field = "n";
      options.lower = mapping::RangeBound{spec.low, true};
      options.upper = mapping::RangeBound{spec.high, false};
      options.boost = spec.boost;
      return NewRangeQuery(std::move(options));
    }
    case Kind::kTagRange: {
      RangeQueryOptions options;
      options.field = spec.field;
      options.lower = mapping::RangeBound{spec.words[0], false};
      options.upper = mapping::RangeBound{spec.words[1], true};
      options.boost = spec.boost;
      return NewRangeQuery(std::move(options));
    }
    case Kind::kExists:
      return NewExistsQuery(spec.field, spec.boost);
    case Kind::kIds:
      return NewIdsQuery(spec.words, spec.boost);
    default:
      return nullptr;
  }
}

}  // namespace

QueryPtr MakeQuery(const Spec& spec, bool watched) {
  QueryPtr query;
  if (spec.kind == Spec::Kind::kConstant) {
    query = NewConstantScoreQuery(MakeQuery(spec.must[0], watched), spec.boost);
  } else if (spec.kind == Spec::Kind::kBool) {
    BoolQueryOptions options;
    for (const Spec& clause : spec.must) options.must.push_back(MakeQuery(clause, watched));
    for (const Spec& clause : spec.must_not) options.must_not.push_back(MakeQuery(clause, watched));
    for (const Spec& clause : spec.should) options.should.push_back(MakeQuery(clause, watched));
    for (const Spec& clause : spec.filter) options.filter.push_back(MakeQuery(clause, watched));
    if (spec.min_should) options.minimum_should_match = std::to_string(*spec.min_should);
    options.boost = spec.boost;
    query = NewBoolQuery(std::move(options));
  } else {
    query = MakeLeaf(spec);
  }
  return watched ? std::make_shared<test::AssertingQuery>(query) : query;
}

SearchWorld::SearchWorld(Random& random, int max_segment_docs) {
  auto mapping = mapping::Mapping::Parse(kMapping, analysis::AnalyzerRegistry::BuiltIn(), {});
  REQUIRE(mapping.ok());
  mapping_ = *mapping;
  uint32_t number = 0;
  segments_.resize(static_cast<size_t>(random.Between(1, 4)));
  for (auto& segment : segments_) {
    const bool deletions = random.OneIn(2);
    for (int64_t i = random.Between(1, max_segment_docs); i > 0; --i) {
      segment.push_back(RandomDocument(random, number++, deletions));
    }
    for (const FakeDocument& document : segment) documents_.push_back(&document);
  }
  snapshot_ = test::MakeFakeSnapshot(segments_, *mapping_);
}

ShardContext SearchWorld::context() const {
  ShardContext context;
  context.index = "world";
  context.mapping = mapping_;
  context.snapshot = snapshot_;
  context.analyzers = &analysis::AnalyzerRegistry::BuiltIn();
  return context;
}

std::map<uint32_t, float> SearchWorld::Matches(const Spec& spec) const {
  std::map<uint32_t, float> matches;
  for (uint32_t doc = 0; doc < documents_.size(); ++doc) {
    if (documents_[doc]->deleted) continue;
    if (const std::optional<float> score = Eval(spec, *documents_[doc])) matches[doc] = *score;
  }
  return matches;
}

std::optional<float> SearchWorld::Eval(const Spec& spec, const FakeDocument& document) const {
  using Kind = Spec::Kind;
  switch (spec.kind) {
    case Kind::kAll:
      return spec.boost;
    case Kind::kNone:
      return std::nullopt;
    case Kind::kWord: {
      const uint32_t freq = CountWord(document, spec.field, spec.words[0]);
      if (freq == 0) return std::nullopt;
      return Bm25(spec.field, spec.boost, Idf(spec.field, spec.words[0]), freq, document);
    }
    case Kind::kTag:
    case Kind::kTags:
      return If(AnyIn(TagsOf(document, spec.field), spec.words), spec.boost);
    case Kind::kNumber:
    case Kind::kNumbers:
      return If(AnyIn(NumbersOf(document, "n"), spec.numbers), spec.boost);
    case Kind::kFlag: {
      if (!AnyIn(NumbersOf(document, "b"), spec.numbers)) return std::nullopt;
      uint64_t having = 0, equal = 0;
      for (const FakeDocument* other : documents_) {
        having += NumbersOf(*other, "b").empty() ? 0 : 1;
        equal += AnyIn(NumbersOf(*other, "b"), spec.numbers) ? 1 : 0;
      }
      const float idf = static_cast<float>(std::log(
          1 + (static_cast<double>(having - equal) + 0.5) / (static_cast<double>(equal) + 0.5)));
      const float weight = spec.boost * idf;
      return weight - weight / (1.0f + 1.0f / (1.2f * ((1.0f - 0.75f) + 0.75f)));
    }
    case Kind::kMatch:
      return EvalMatch(spec, document);
    case Kind::kPhrase:
      return EvalPhrase(spec, document);
    case Kind::kRange: {
      const auto& numbers = NumbersOf(document, "n");
      return If(std::any_of(numbers.begin(), numbers.end(),
                            [&](int64_t n) { return n >= spec.low && n < spec.high; }),
                spec.boost);
    }
    case Kind::kTagRange: {
      const auto& tags = TagsOf(document, spec.field);
      return If(std::any_of(tags.begin(), tags.end(),
                            [&](const std::string& tag) {
                              return tag > spec.words[0] && tag <= spec.words[1];
                            }),
                spec.boost);
    }
    case Kind::kExists:
      return If(Exists(document, spec.field), spec.boost);
    case Kind::kIds:
      return If(AnyIn(std::vector<std::string>{document.id}, spec.words), spec.boost);
    case Kind::kConstant:
      return If(Eval(spec.must[0], document).has_value(), spec.boost);
    case Kind::kBool:
      return EvalBool(spec, document);
  }
  return std::nullopt;
}

std::optional<float> SearchWorld::EvalBool(const Spec& spec, const FakeDocument& document) const {
  const auto size = static_cast<int>(spec.should.size());
  if (spec.must.empty() && spec.filter.empty() && spec.should.empty() && spec.must_not.empty()) {
    return spec.boost;
  }
  int wanted = spec.min_should.value_or(0);
  if (wanted < 0) wanted = std::max(0, size + wanted);
  if (spec.must.empty() && spec.filter.empty() && size > 0) wanted = std::max(wanted, 1);
  double must = 0, should = 0;
  for (const Spec& clause : spec.must) {
    const std::optional<float> score = Eval(clause, document);
    if (!score) return std::nullopt;
    must += *score;
  }
  for (const Spec& clause : spec.filter) {
    if (!Eval(clause, document)) return std::nullopt;
  }
  for (const Spec& clause : spec.must_not) {
    if (Eval(clause, document)) return std::nullopt;
  }
  int matching = 0;
  for (const Spec& clause : spec.should) {
    if (const std::optional<float> score = Eval(clause, document)) {
      should += *score;
      ++matching;
    }
  }
  if (matching < wanted) return std::nullopt;
  float score = static_cast<float>(must);
  if (matching > 0) score += static_cast<float>(should);
  return spec.boost == 1.0f ? score : score * spec.boost;
}

std::optional<float> SearchWorld::EvalMatch(const Spec& spec, const FakeDocument& document) const {
  Spec tree;
  tree.kind = Spec::Kind::kBool;
  for (const std::string& word : spec.words) {
    Spec clause;
    clause.kind = Spec::Kind::kWord;
    clause.field = spec.field;
    clause.words = {word};
    clause.boost = spec.boost;
    if (spec.words.size() == 1) return Eval(clause, document);
    (spec.all_words ? tree.must : tree.should).push_back(clause);
  }
  tree.min_should = spec.min_should;
  return EvalBool(tree, document);
}

std::optional<float> SearchWorld::EvalPhrase(const Spec& spec, const FakeDocument& document) const {
  const auto it = document.text.find(spec.field);
  if (it == document.text.end()) return std::nullopt;
  const std::vector<std::string>& tokens = it->second;
  uint32_t freq = 0;
  for (size_t start = 0; start + spec.words.size() <= tokens.size(); ++start) {
    freq += std::equal(spec.words.begin(), spec.words.end(),
                       tokens.begin() + static_cast<std::ptrdiff_t>(start))
                ? 1
                : 0;
  }
  if (freq == 0) return std::nullopt;
  double idf = 0;
  for (const std::string& word : spec.words) idf += Idf(spec.field, word);
  return Bm25(spec.field, spec.boost, static_cast<float>(idf), freq, document);
}

float SearchWorld::Idf(const std::string& field, const std::string& word) const {
  double count = 0, with_word = 0;
  for (const FakeDocument* document : documents_) {
    count += Exists(*document, field) ? 1 : 0;
    with_word += CountWord(*document, field, word) > 0 ? 1 : 0;
  }
  return static_cast<float>(std::log(1 + (count - with_word + 0.5) / (with_word + 0.5)));
}

float SearchWorld::Bm25(const std::string& field, float boost, float idf, uint32_t freq,
                        const FakeDocument& document) const {
  double count = 0, length = 0;
  for (const FakeDocument* other : documents_) {
    const auto it = other->text.find(field);
    if (it == other->text.end() || it->second.empty()) continue;
    count += 1;
    length += static_cast<double>(it->second.size());
  }
  const auto average = static_cast<float>(length / count);
  float own = 1;
  if (mapping_->Find(field)->norms) {
    own = static_cast<float>(codec::DecodeNorm(
        codec::EncodeNorm(static_cast<uint32_t>(document.text.at(field).size()))));
  }
  const float inverse = 1.0f / (1.2f * ((1.0f - 0.75f) + 0.75f * own / average));
  const float weight = boost * idf;
  return weight - weight / (1.0f + static_cast<float>(freq) * inverse);
}

Spec SearchWorld::RandomSpec(Random& random, int depth) const {
  using Kind = Spec::Kind;
  static const std::vector<std::string> kTexts = {"t", "u"};
  static const std::vector<std::string> kTagFields = {"k", "kd", "kt"};
  static const std::vector<std::string> kFields = {"t", "u", "k", "kd", "kt", "n", "d", "b"};
  Spec spec;
  spec.boost = random.OneIn(3) ? static_cast<float>(random.Between(0, 12)) / 4 : 1.0f;
  spec.kind =
      depth > 0 && !random.OneIn(4) ? Kind::kBool : static_cast<Kind>(random.Between(0, 14));
  if (depth == 0 && spec.kind == Kind::kConstant) spec.kind = Kind::kWord;
  const bool text =
      spec.kind == Kind::kWord || spec.kind == Kind::kMatch || spec.kind == Kind::kPhrase;
  spec.field = text ? random.Pick(kTexts) : random.Pick(kTagFields);
  if (spec.kind == Kind::kExists) spec.field = random.Pick(kFields);
  const int64_t count = spec.kind == Kind::kPhrase ? random.Between(1, 3) : random.Between(1, 5);
  for (int64_t i = 0; i < count; ++i) {
    spec.words.push_back(text ? RandomWord(random) : RandomTag(random));
    if (spec.kind == Kind::kIds) {
      spec.words.back() = "id" + std::to_string(random.Between(0, max_doc()));
    }
    spec.numbers.push_back(spec.kind == Kind::kFlag ? random.Between(0, 1)
                                                    : random.Between(-22, 22));
  }
  if (spec.kind == Kind::kFlag || spec.kind == Kind::kNumber) spec.numbers.resize(1);
  if (spec.kind == Kind::kTag) spec.words.resize(1);
  if (spec.kind == Kind::kTagRange) {
    spec.words.resize(1);
    spec.words.push_back(RandomTag(random));
  }
  spec.low = random.Between(-25, 20);
  spec.high = spec.low + random.Between(0, 50);
  spec.all_words = random.OneIn(3);
  if (spec.kind == Kind::kConstant) spec.must.push_back(RandomSpec(random, depth - 1));
  if (spec.kind == Kind::kBool) {
    for (auto* list : {&spec.must, &spec.must_not, &spec.should, &spec.filter}) {
      if (random.OneIn(2)) continue;
      const int64_t most = list == &spec.should ? 4 : 2;
      for (int64_t i = random.Between(1, most); i > 0; --i) {
        list->push_back(RandomSpec(random, depth - 1));
      }
    }
  }
  if (random.OneIn(3)) spec.min_should = static_cast<int>(random.Between(-2, 4));
  return spec;
}

}  // namespace curlew::search
