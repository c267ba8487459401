#include "test/engine/catalog/format_world.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>

#include "engine/catalog/bulk.h"
#include "engine/catalog/catalog.h"
#include "engine/search/coordinator.h"
#include "engine/search/query/bool_query.h"
#include "engine/search/query/exists_query.h"
#include "engine/search/query/match_query.h"
#include "engine/search/query/range_query.h"
#include "engine/search/query/term_query.h"
#include "engine/store/real_directory.h"
#include "engine/util/error.h"
#include "test/support/temp_folder.h"

namespace curlew::catalog {
namespace {

constexpr char kMappings[] = R"({"properties": {
  "title": {"type": "text"},
  "body": {"type": "text", "index_options": "freqs", "norms": false},
  "marks": {"type": "text", "index_options": "docs"},
  "tag": {"type": "keyword"}, "tags": {"type": "keyword"},
  "shelf": {"type": "keyword", "index": false}, "code": {"type": "keyword", "doc_values": false},
  "n": {"type": "integer"}, "many": {"type": "long"}, "same": {"type": "short"},
  "step": {"type": "long"}, "price": {"type": "double"}, "part": {"type": "float"},
  "flag": {"type": "boolean"}, "when": {"type": "date"},
  "inner": {"properties": {"name": {"type": "keyword"}}}}})";

struct IndexKind {
  const char* name;
  const char* settings;
  int documents;
};
constexpr IndexKind kIndexes[] = {
    {"plain", R"("index.codec": "hybrid")", 300},
    {"sharded", R"("index.codec": "default", "index.number_of_shards": 2)", 120},
    {"packed", R"("index.codec": "best_compression")", 120}};

// Numbers that look random and are the same everywhere.
class Sequence {
 public:
  explicit Sequence(uint64_t seed) : state_(seed * 2654435761 + 1) {}
  uint64_t Below(uint64_t limit) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 33) % limit;
  }

 private:
  uint64_t state_;
};

std::string Words(Sequence& sequence, uint64_t count) {
  static const char* const kWords[] = {"red",   "green", "blue",  "small", "large", "old",
                                       "stone", "river", "night", "bird",  "song",  "road"};
  std::string text = "every";  // in all of them: several blocks of postings
  for (; count > 0; --count) {
    // The first ones are the most frequent.
    text += std::string(" ") + kWords[std::min(sequence.Below(12), sequence.Below(12))];
  }
  return text;
}

std::string Source(int i, int edition) {
  Sequence sequence(static_cast<uint64_t>(i * 10 + edition));
  std::string source = fmt::format(
      R"({{"title":"{}","body":"{}","marks":"{}","tag":"t{}","n":{},"same":7,"step":{})",
      Words(sequence, 1 + sequence.Below(6)), Words(sequence, 3), Words(sequence, 2), i % 13,
      static_cast<int>(sequence.Below(2000)) - 1000, 1000000 + 60000 * i);
  if (i % 3 != 0) {
    source += fmt::format(R"(,"tags":["a{}","b{}"],"many":[{},{}],"shelf":"s{}")", i % 5, i % 2,
                          sequence.Below(50), sequence.Below(1000000), i % 9);
  }
  if (i % 4 != 0) {
    source += fmt::format(R"(,"price":{}.25,"part":{}.5,"flag":{},"when":"20{:02}-0{}-11")",
                          sequence.Below(900), sequence.Below(100), i % 8 < 4 ? "true" : "false",
                          sequence.Below(30), 1 + sequence.Below(9));
  }
  if (i % 50 == 0) source += fmt::format(R"(,"code":"c{}","inner":{{"name":"i{}"}})", i, i % 7);
  return source + "}";
}

// Applies operations one at a time and keeps what was acknowledged.
class Writer {
 public:
  Writer(Catalog& catalog, KnownDocuments& known) : catalog_(catalog), known_(known) {}

  absl::Status Index(const std::string& index, int i, int edition) {
    const std::string id = fmt::format("d{}", i);
    const std::string routing = i % 10 == 9 ? fmt::format("r{}", i % 4) : "";
    const std::string source = Source(i, edition);
    CURLEW_ASSIGN_OR_RETURN(const auto result,
                            Apply(index, index::OpType::kIndex, id, routing, source));
    known_[{index, id}] = {routing, result.version, result.seq_no, source};
    return absl::OkStatus();
  }
  absl::Status Delete(const std::string& index, int i) {
    const std::string id = fmt::format("d{}", i);
    const std::string routing = i % 10 == 9 ? fmt::format("r{}", i % 4) : "";
    known_.erase({index, id});
    return Apply(index, index::OpType::kDelete, id, routing, "").status();
  }
  // A document that is refused only when it has its number: the log says so.
  absl::Status Refused(const std::string& index) {
    const std::string source = fmt::format(R"({{"tag":"{}"}})", std::string(40000, 'x'));
    const auto result = Apply(index, index::OpType::kIndex, "refused", "", source);
    return result.ok() ? absl::InternalError("a term of 40,000 bytes was taken") : absl::OkStatus();
  }

 private:
  absl::StatusOr<index::OperationResult> Apply(const std::string& index, index::OpType type,
                                               const std::string& id, const std::string& routing,
                                               const std::string& source) {
    BulkItem item;
    item.index = index;
    item.operation.type = type;
    item.operation.id = id;
    item.operation.routing = routing;
    item.operation.source = source;
    BulkItemResult result;
    ExecuteBulk(catalog_, {&item, 1}, RefreshPolicy::kNone, {&result, 1}, [] {});
    CURLEW_RETURN_IF_ERROR(result.result.status);
    return result.result;
  }

  Catalog& catalog_;
  KnownDocuments& known_;
};

absl::Status ForShards(const Index& index, const std::function<absl::Status(index::Shard&)>& call) {
  for (const auto& shard : index.shards()) CURLEW_RETURN_IF_ERROR(call(*shard));
  return absl::OkStatus();
}

absl::Status WriteIndex(Catalog& catalog, const IndexKind& kind, KnownDocuments& known) {
  CURLEW_ASSIGN_OR_RETURN(
      const auto index,
      catalog.Create(kind.name, fmt::format(R"({{"settings": {{"index.refresh_interval": "-1", {}}},
                                     "mappings": {}}})",
                                            kind.settings, kMappings)));
  const std::string name = kind.name;
  Writer writer(catalog, known);
  const auto flush = [](index::Shard& shard) { return shard.Flush(); };
  // Two segments, in the first of which documents are replaced and deleted.
  for (int i = 0; i < kind.documents; ++i) CURLEW_RETURN_IF_ERROR(writer.Index(name, i, 0));
  CURLEW_RETURN_IF_ERROR(ForShards(*index, flush));
  for (int i = 0; i < kind.documents; i += 6) CURLEW_RETURN_IF_ERROR(writer.Index(name, i, 1));
  for (int i = 1; i < kind.documents; i += 17) CURLEW_RETURN_IF_ERROR(writer.Delete(name, i));
  CURLEW_RETURN_IF_ERROR(ForShards(*index, flush));
  if (name == "packed") {
    CURLEW_RETURN_IF_ERROR(
        ForShards(*index, [](index::Shard& shard) { return shard.ForceMerge({1}); }));
    CURLEW_RETURN_IF_ERROR(ForShards(*index, flush));
    return absl::OkStatus();
  }
  // Merges that are due are done and committed: what is copied then is at rest.
  CURLEW_RETURN_IF_ERROR(
      ForShards(*index, [](index::Shard& shard) { return shard.ForceMerge({}); }));
  CURLEW_RETURN_IF_ERROR(ForShards(*index, flush));
  // And what only the log has.
  for (int i = 0; i < 10; ++i) CURLEW_RETURN_IF_ERROR(writer.Index(name, 1000 + i, 0));
  for (int i = 2; i < 8; ++i) CURLEW_RETURN_IF_ERROR(writer.Index(name, i, 2));
  CURLEW_RETURN_IF_ERROR(writer.Refused(name));
  return writer.Delete(name, 8);
}

search::QueryPtr Match(const char* field, const char* text, search::Operator op) {
  search::MatchQueryOptions options;
  options.field = field;
  options.query = std::string(text);
  options.op = op;
  return search::NewMatchQuery(std::move(options));
}

search::QueryPtr Phrase(const char* field, const char* text) {
  search::MatchPhraseQueryOptions options;
  options.field = field;
  options.query = std::string(text);
  return search::NewMatchPhraseQuery(std::move(options));
}

search::QueryPtr Term(const char* field, mapping::QueryValue value) {
  search::TermQueryOptions options;
  options.field = field;
  options.value = std::move(value);
  return search::NewTermQuery(std::move(options));
}

search::QueryPtr Range(const char* field, mapping::QueryValue low, mapping::QueryValue high) {
  search::RangeQueryOptions options;
  options.field = field;
  options.lower = mapping::RangeBound{std::move(low), true};
  options.upper = mapping::RangeBound{std::move(high), false};
  return search::NewRangeQuery(std::move(options));
}

search::SortKey By(const char* field, bool descending) {
  search::SortKey key;
  key.field = field;
  key.descending = descending;
  return key;
}

struct NamedSearch {
  std::string name;
  search::QueryPtr query;
  std::vector<search::SortKey> sort;
};

const std::vector<NamedSearch>& Searches() {
  using search::Operator;
  const auto both = [] {
    search::BoolQueryOptions options;
    options.must = {Match("title", "night bird", Operator::kOr)};
    options.filter = {Range("n", int64_t{-500}, int64_t{500})};
    options.must_not = {Term("tag", std::string("t3"))};
    return search::NewBoolQuery(std::move(options));
  };
  static const std::vector<NamedSearch> searches = {
      {"all", nullptr, {}},
      {"all by step", nullptr, {By("step", true)}},
      {"all by tag", nullptr, {By("tag", false), By("n", false)}},
      {"all by price", nullptr, {By("price", true), By("n", true)}},
      {"every word", Match("title", "every", Operator::kOr), {}},
      {"some words", Match("title", "river song green", Operator::kOr), {}},
      {"all words", Match("title", "red green stone", Operator::kAnd), {}},
      {"phrase", Phrase("title", "red green"), {}},
      {"frequencies", Match("body", "large old", Operator::kOr), {}},
      {"documents", Match("marks", "bird blue", Operator::kOr), {}},
      {"keyword", Term("tag", std::string("t4")), {}},
      {"keywords", Term("tags", std::string("b1")), {}},
      {"keyword column", Term("shelf", std::string("s7")), {}},
      {"keyword terms", Term("code", std::string("c50")), {}},
      {"inner", Term("inner.name", std::string("i1")), {}},
      {"number", Term("same", int64_t{7}), {}},
      {"range", Range("n", int64_t{-100}, int64_t{300}), {}},
      {"range of several", Range("many", int64_t{10}, int64_t{20}), {}},
      {"range of fractions", Range("price", 100.0, 200.5), {}},
      {"range of dates", Range("when", std::string("2010-01-01"), std::string("2015-06-01")), {}},
      {"flag", Term("flag", true), {}},
      {"exists", search::NewExistsQuery("part"), {}},
      {"bool", both(), {}}};
  return searches;
}

struct Collector : search::HitOutput, search::HitVisitor {
  void Begin(size_t) override {}
  search::HitVisitor& part(size_t) override { return *this; }
  void OnStart(uint64_t) override {}
  bool OnHits(std::span<const search::Hit> hits) override {
    for (const search::Hit& hit : hits) {
      answer.hits.emplace_back(std::string(hit.id), std::isnan(hit.score) ? 0 : hit.score);
      documents[{std::string(hit.index), std::string(hit.id)}] = {
          std::string(hit.routing), hit.version.value_or(-1), hit.seq_no.value_or(-1),
          std::string(hit.source.value_or(""))};
    }
    return true;
  }
  Answer answer;
  KnownDocuments documents;
};

absl::StatusOr<Collector> Run(const Index& index, const search::QueryPtr& query,
                              const std::vector<search::SortKey>& sort, int64_t size) {
  search::SearchRequest request;
  request.query = query;
  request.sort = sort;
  request.size = size;
  request.track_total_hits = search::kTrackTotalHitsExactly;
  request.version = true;
  request.seq_no_primary_term = true;
  const auto shards = index.OpenSearches(0);
  const CancelToken cancel;
  CURLEW_ASSIGN_OR_RETURN(const auto found,
                          search::RunQueryPhase(request, shards, /*allow_partial=*/false, cancel));
  Collector collector;
  CURLEW_RETURN_IF_ERROR(
      search::RunFetchPhase(request, found, shards, cancel, /*pool=*/nullptr, collector));
  collector.answer.total = found.total.value;
  return collector;
}

std::vector<std::string> Split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

}  // namespace

absl::StatusOr<KnownDocuments> WriteWorld(const std::string& data) {
  const test::TempFolder folder;
  CURLEW_ASSIGN_OR_RETURN(auto directory, store::OpenRealDirectory(folder.path()));
  ThreadPool pool("background", 2, 1000);
  KnownDocuments known;
  CURLEW_ASSIGN_OR_RETURN(const auto catalog, Catalog::Open(std::move(directory), {}, &pool));
  for (const IndexKind& kind : kIndexes) {
    CURLEW_RETURN_IF_ERROR(WriteIndex(*catalog, kind, known));
  }
  // While it is open: to close it would be to commit all.
  std::filesystem::copy(folder.path(), data, std::filesystem::copy_options::recursive);
  return known;
}

const std::vector<std::string>& SearchNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const NamedSearch& search : Searches()) all.push_back(search.name);
    return all;
  }();
  return names;
}

absl::StatusOr<Answer> Search(const Index& index, std::string_view name) {
  for (const NamedSearch& search : Searches()) {
    if (search.name != name) continue;
    CURLEW_ASSIGN_OR_RETURN(Collector found, Run(index, search.query, search.sort, 20));
    return std::move(found.answer);
  }
  return absl::NotFoundError(fmt::format("no search [{}]", name));
}

absl::StatusOr<KnownDocuments> ReadWorld(const Index& index) {
  CURLEW_ASSIGN_OR_RETURN(Collector found, Run(index, nullptr, {}, 10000));
  return std::move(found.documents);
}

std::string DocumentsText(const KnownDocuments& documents) {
  std::string text;
  for (const auto& [key, document] : documents) {
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", key.first, key.second, document.routing,
                        document.version, document.seq_no, document.source);
  }
  return text;
}

KnownDocuments ParseDocuments(const std::string& text) {
  KnownDocuments documents;
  for (const std::string& line : Split(text, '\n')) {
    const auto parts = Split(line, '\t');
    documents[{parts.at(0), parts.at(1)}] = {parts.at(2), std::stoll(parts.at(3)),
                                             std::stoll(parts.at(4)), parts.at(5)};
  }
  return documents;
}

std::string AnswersText(const Answers& answers) {
  std::string text;
  for (const auto& [key, answer] : answers) {
    text += fmt::format("{}\t{}\t{}\t", key.first, key.second, answer.total);
    for (const auto& [id, score] : answer.hits) text += fmt::format("{}={} ", id, score);
    text += "\n";
  }
  return text;
}

Answers ParseAnswers(const std::string& text) {
  Answers answers;
  for (const std::string& line : Split(text, '\n')) {
    const auto parts = Split(line, '\t');
    Answer& answer = answers[{parts.at(0), parts.at(1)}];
    answer.total = std::stoll(parts.at(2));
    if (parts.size() < 4) continue;  // no hits
    for (const std::string& hit : Split(parts[3], ' ')) {
      const auto halves = Split(hit, '=');
      answer.hits.emplace_back(halves.at(0), std::strtod(halves.at(1).c_str(), nullptr));
    }
  }
  return answers;
}

}  // namespace curlew::catalog
