#include "test/engine/index/shard_fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/codec/check.h"
#include "engine/codec/norms/norms.h"
#include "engine/index/check/check_shard.h"
#include "engine/store/read_only_directory.h"

namespace curlew::index {

ShardWorld::ShardWorld(std::string_view mapping_json) : mapping(mapping_json) {
  options.index = "test";
  options.refresh_interval = std::chrono::milliseconds(-1);
  options.translog.preallocate_bytes = 64 << 10;
}

absl::StatusOr<std::unique_ptr<Shard>> ShardWorld::TryOpen(
    std::shared_ptr<store::Directory> directory) {
  auto parsed = mapping::Mapping::Parse(mapping, analysis::AnalyzerRegistry::BuiltIn(), {});
  REQUIRE(parsed.ok());
  mapper = std::make_unique<mapping::MapperService>(*parsed, mapping::MappingLimits{},
                                                    analysis::AnalyzerRegistry::BuiltIn(),
                                                    [this](const std::string& json) {
                                                      mapping = json;
                                                      if (on_mapping_update) on_mapping_update();
                                                      return absl::OkStatus();
                                                    });
  return Shard::Open(std::move(directory), options, mapper.get(), writer, &pool);
}

std::unique_ptr<Shard> ShardWorld::Open(std::shared_ptr<store::Directory> directory) {
  auto shard = TryOpen(std::move(directory));
  INFO(shard.status());
  REQUIRE(shard.ok());
  return *std::move(shard);
}

std::string TestDocument::Json() const {
  std::string list;
  for (const std::string& tag : tags) list += fmt::format("{}\"{}\"", list.empty() ? "" : ",", tag);
  return fmt::format(R"({{"k":"{}","tags":[{}],"t":"{}","n":{},"b":{}}})", k, list, t, n, b);
}

TestDocument RandomDocument(test::Random& random) {
  TestDocument document;
  document.k = "k" + std::to_string(random.Between(0, 5));
  for (int64_t i = random.Between(0, 3); i > 0; --i) {
    document.tags.push_back("tag" + std::to_string(random.Between(0, 9)));
  }
  for (int64_t i = random.Between(0, random.OneIn(20) ? 300 : 8); i > 0; --i) {
    if (!document.t.empty()) document.t += ' ';
    document.t += random.OneIn(3) ? random.Word(1, 3) : "w" + std::to_string(random.Between(0, 7));
  }
  document.n = random.Between(-1000, 1000);
  document.b = random.OneIn(2);
  return document;
}

Operation IndexOp(std::string_view id, std::string_view source) {
  Operation operation;
  operation.id = id;
  operation.source = source;
  return operation;
}

Operation CreateOp(std::string_view id, std::string_view source) {
  Operation operation = IndexOp(id, source);
  operation.type = OpType::kCreate;
  return operation;
}

Operation DeleteOp(std::string_view id) {
  Operation operation;
  operation.type = OpType::kDelete;
  operation.id = id;
  return operation;
}

Operation UpdateOp(std::string_view id, std::string_view doc) {
  Operation operation;
  operation.type = OpType::kUpdate;
  operation.id = id;
  operation.doc = doc;
  return operation;
}

OperationResult ApplyOne(Shard& shard, const Operation& operation) {
  OperationResult result;
  shard.Apply({&operation, 1}, {&result, 1});
  return result;
}

OperationResult ApplyDurable(Shard& shard, const Operation& operation) {
  OperationResult result;
  const ApplyOutcome outcome = shard.Apply({&operation, 1}, {&result, 1});
  INFO(result.status);
  REQUIRE(result.status.ok());
  if (outcome.wrote) REQUIRE(shard.WaitDurable(outcome.ticket).ok());
  return result;
}

std::string ErrorType(const absl::Status& status) { return DescribeError(status).type; }

std::map<std::string, std::string> VisibleDocuments(const Shard& shard) {
  std::map<std::string, std::string> documents;
  const auto snapshot = shard.snapshot();
  for (const SnapshotSegment& segment : snapshot->segments) {
    const auto cursor = segment.reader->stored().NewCursor();
    for (codec::DocId doc = 0; doc < segment.reader->max_doc(); ++doc) {
      if (!segment.Live(doc)) continue;
      const auto stored = cursor->Read(doc);
      REQUIRE(stored.ok());
      const bool added =
          documents.emplace(std::string(stored->id), std::string(stored->source)).second;
      INFO("twice: " << stored->id);
      REQUIRE(added);
    }
  }
  return documents;
}

size_t CountTerm(const Shard& shard, std::string_view field, std::string_view term) {
  size_t count = 0;
  const auto snapshot = shard.snapshot();
  for (const SnapshotSegment& segment : snapshot->segments) {
    const codec::FieldTerms* terms = segment.reader->Terms(field);
    codec::TermEntry entry;
    if (terms == nullptr || !terms->Find(term, entry)) continue;
    const auto postings = terms->OpenPostings(entry);
    for (auto doc = postings->Next(); doc != codec::kNoMoreDocs; doc = postings->Next()) {
      count += segment.Live(doc);
    }
  }
  return count;
}

void CheckGets(Shard& shard, const Model& model) {
  for (const auto& [id, entry] : model.live) {
    const auto got = shard.Get(id);
    INFO("id " << id);
    REQUIRE(got.ok());
    REQUIRE(got->found);
    REQUIRE(got->source == entry.document.Json());
    REQUIRE(got->version == entry.version);
    REQUIRE(got->seq_no == entry.seq_no);
  }
  for (const auto& [id, version] : model.tombstones) {
    const auto got = shard.Get(id);
    REQUIRE(got.ok());
    REQUIRE(!got->found);
  }
}

namespace {

// All there is of one document in the index, next to what it should be.
struct Indexed {
  std::multiset<std::string> k, tags_terms, tags_column, b;
  std::vector<std::string> words;  // by position
  std::vector<int64_t> n, n_points, seq_no, version;
  uint8_t norm = 0;
};

void CollectTerms(
    const SnapshotSegment& segment, std::string_view field,
    const std::function<void(codec::DocId, const std::string&, std::span<const uint32_t>)>& visit) {
  const codec::FieldTerms* terms = segment.reader->Terms(field);
  if (terms == nullptr) return;
  const auto iterator = terms->Iterate();
  while (iterator->Next()) {
    const std::string term(iterator->term());
    const auto postings = terms->OpenPostings(iterator->entry());
    for (auto doc = postings->Next(); doc != codec::kNoMoreDocs; doc = postings->Next()) {
      visit(doc, term, postings->positions());
    }
    REQUIRE(!postings->corrupt());
  }
}

std::vector<Indexed> CollectSegment(const SnapshotSegment& segment) {
  std::vector<Indexed> all(segment.reader->max_doc());
  CollectTerms(segment, "k", [&](auto doc, auto& term, auto) { all[doc].k.insert(term); });
  CollectTerms(segment, "tags",
               [&](auto doc, auto& term, auto) { all[doc].tags_terms.insert(term); });
  CollectTerms(segment, "b", [&](auto doc, auto& term, auto) { all[doc].b.insert(term); });
  CollectTerms(segment, "t", [&](auto doc, auto& term, auto positions) {
    for (const uint32_t position : positions) {
      if (all[doc].words.size() <= position) all[doc].words.resize(position + 1);
      REQUIRE(all[doc].words[position].empty());
      all[doc].words[position] = term;
    }
  });
  codec::ColumnScratch scratch;
  const codec::OrdinalColumn* tags = segment.reader->Ordinals("tags");
  const codec::NumericColumn* n = segment.reader->Numeric("n");
  const codec::NumericColumn* seq_no = segment.reader->Numeric("_seq_no");
  const codec::NumericColumn* version = segment.reader->Numeric("_version");
  if (const codec::NumberPoints* points = segment.reader->Points("n")) {
    std::array<codec::DocId, codec::kPointsPerLeaf> docs;
    std::array<int64_t, codec::kPointsPerLeaf> values;
    for (uint64_t at = 0; at < points->value_count();) {
      const uint32_t count = points->Read(at, points->value_count(), docs.data(), values.data());
      for (uint32_t i = 0; i < count; ++i) all[docs[i]].n_points.push_back(values[i]);
      at += count;
    }
  }
  const codec::Norms* norms = segment.reader->NormsOf("t");
  for (codec::DocId doc = 0; doc < all.size(); ++doc) {
    if (tags != nullptr) {
      for (const uint32_t o : tags->Ordinals(doc, scratch))
        all[doc].tags_column.emplace(tags->Value(o));
    }
    for (const auto& [column, values] :
         {std::pair{n, &all[doc].n}, std::pair{seq_no, &all[doc].seq_no},
          std::pair{version, &all[doc].version}}) {
      if (column == nullptr) continue;
      const auto of_doc = column->Values(doc, scratch);
      values->assign(of_doc.begin(), of_doc.end());
    }
    if (norms != nullptr) all[doc].norm = norms->bytes()[doc];
  }
  return all;
}

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find(' ', i), text.size());
    words.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

}  // namespace

void CheckVisible(const Shard& shard, const Model& model) {
  const auto snapshot = shard.snapshot();
  std::set<std::string> seen;
  for (const SnapshotSegment& segment : snapshot->segments) {
    const std::vector<Indexed> all = CollectSegment(segment);
    const auto cursor = segment.reader->stored().NewCursor();
    for (codec::DocId doc = 0; doc < all.size(); ++doc) {
      if (!segment.Live(doc)) continue;
      const auto stored = cursor->Read(doc);
      REQUIRE(stored.ok());
      const std::string id(stored->id);
      INFO("id " << id << " in " << segment.reader->info().name);
      REQUIRE(seen.insert(id).second);
      const auto it = model.live.find(id);
      REQUIRE(it != model.live.end());
      const TestDocument& want = it->second.document;
      const Indexed& have = all[doc];
      CHECK(stored->source == want.Json());
      CHECK(have.k == std::multiset<std::string>{want.k});
      const std::set<std::string> tags(want.tags.begin(), want.tags.end());
      CHECK(have.tags_terms == std::multiset<std::string>(tags.begin(), tags.end()));
      CHECK(have.tags_column == have.tags_terms);
      CHECK(have.b == std::multiset<std::string>{want.b ? "T" : "F"});
      CHECK(have.words == Words(want.t));
      CHECK(have.norm == codec::EncodeNorm(static_cast<uint32_t>(Words(want.t).size())));
      CHECK(have.n == std::vector<int64_t>{want.n});
      CHECK(have.n_points == have.n);
      CHECK(have.seq_no == std::vector<int64_t>{it->second.seq_no});
      REQUIRE(have.version == std::vector<int64_t>{it->second.version});
    }
  }
  REQUIRE(seen.size() == model.live.size());
}

void CheckSegments(const Shard& shard, store::Directory& directory) {
  const auto snapshot = shard.snapshot();
  for (const SnapshotSegment& segment : snapshot->segments) {
    const SegmentInfo& info = segment.reader->info();
    for (const store::FileProblem& problem :
         codec::CheckSegmentFiles(directory, info.name, info.max_doc, info.stored_codec)) {
      FAIL_CHECK(problem.file << ": " << problem.what);
    }
  }
}

void CheckFolder(const ShardWorld& world, std::shared_ptr<store::Directory> directory) {
  const auto mapping =
      mapping::Mapping::Parse(world.mapping, analysis::AnalyzerRegistry::BuiltIn(), {});
  REQUIRE(mapping.ok());
  ShardPlace place;
  place.mapping = mapping->get();
  const ShardCheck check = CheckShard(store::NewReadOnlyDirectory(std::move(directory)), place);
  std::vector<store::FileProblem> problems = check.problems;
  for (const SegmentCheck& segment : check.segments) {
    store::AppendProblems(problems, segment.problems);
  }
  store::AppendProblems(problems, check.translog.problems);
  for (const store::FileProblem& problem : problems) {
    FAIL_CHECK(problem.file << ": " << problem.what);
  }
}

}  // namespace curlew::index
