// What earlier builds have written can be read: every fixture in test/data/formats is checked,
// opened, and has the documents and gives the answers that it had when it was written.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/catalog/catalog.h"
#include "engine/catalog/check_folder.h"
#include "engine/store/real_directory.h"
#include "test/engine/catalog/catalog_fixture.h"
#include "test/engine/catalog/format_world.h"
#include "test/support/temp_folder.h"

namespace curlew::catalog {
namespace {

namespace fs = std::filesystem;

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void CheckSound(const std::string& data) {
  const auto check = CheckFolder(data);
  INFO(check.status());
  REQUIRE(check.ok());
  CHECK(check->indexes.size() == 3);
  std::vector<store::FileProblem> problems = check->problems;
  for (const IndexCheck& index : check->indexes) {
    store::AppendProblems(problems, index.problems);
    for (const auto& [number, shard] : index.shards) {
      CHECK(shard.translog.remarks.empty());
      store::AppendProblems(problems, shard.problems);
      store::AppendProblems(problems, shard.translog.problems);
      for (const auto& segment : shard.segments) {
        store::AppendProblems(problems, segment.problems);
      }
    }
  }
  for (const store::FileProblem& problem : problems) {
    FAIL_CHECK(problem.file << ": " << problem.what);
  }
}

void CheckAnswers(const Catalog& catalog, const Answers& answers) {
  for (const auto& [key, expected] : answers) {
    INFO(key.first << ": " << key.second);
    const auto index = catalog.Get(key.first);
    REQUIRE(index.ok());
    const auto answer = Search(**index, key.second);
    INFO(answer.status());
    REQUIRE(answer.ok());
    CHECK(answer->total == expected.total);
    REQUIRE(answer->hits.size() == expected.hits.size());
    for (size_t i = 0; i < expected.hits.size(); ++i) {
      CHECK(answer->hits[i].first == expected.hits[i].first);
      CHECK(answer->hits[i].second == Approx(expected.hits[i].second).epsilon(1e-6));
    }
  }
}

void CheckDocuments(const Catalog& catalog, const KnownDocuments& known) {
  KnownDocuments found;
  for (const char* name : {"plain", "sharded", "packed"}) {
    const auto index = catalog.Get(name);
    INFO(index.status());
    REQUIRE(index.ok());
    const auto documents = ReadWorld(**index);
    INFO(documents.status());
    REQUIRE(documents.ok());
    found.insert(documents->begin(), documents->end());
  }
  for (const auto& [key, document] : known) {
    INFO(key.first << "/" << key.second);
    const auto it = found.find(key);
    REQUIRE(it != found.end());
    CHECK(it->second == document);
  }
  REQUIRE(found.size() == known.size());
}

// Both the files as they are and what a merge makes of them.
void CheckFixture(const fs::path& fixture) {
  INFO(fixture.string());
  const test::TempFolder copy;
  fs::copy(fixture / "data", copy.path(), fs::copy_options::recursive);
  const KnownDocuments known = ParseDocuments(ReadText(fixture / kDocumentsFile));
  const Answers answers = ParseAnswers(ReadText(fixture / kSearchesFile));
  REQUIRE(known.size() > 400);
  REQUIRE(answers.size() >= 60);
  CheckSound(copy.path());
  {
    CatalogWorld world(store::OpenRealDirectory(copy.path()).value());
    REQUIRE(world.catalog->failed().empty());
    CheckDocuments(*world.catalog, known);
    CheckAnswers(*world.catalog, answers);
    for (const std::string& name : world.Names()) {
      const auto index = world.catalog->Get(name).value();
      for (const auto& shard : index->shards()) REQUIRE(shard->ForceMerge({1}).ok());
    }
    CheckDocuments(*world.catalog, known);
    REQUIRE(world.catalog->Close().ok());
  }
  CheckSound(copy.path());
}

TEST_CASE("fixtures of all formats that were ever released are read") {
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(CURLEW_SOURCE_DIR "/test/data/formats")) {
    if (!entry.is_directory()) continue;
    ++count;
    CheckFixture(entry.path());
  }
  CHECK(count >= 1);
}

TEST_CASE("what the writer of fixtures writes today is read") {
  const test::TempFolder folder;
  const std::string data = folder.path() + "/data";
  const auto known = WriteWorld(data);
  INFO(known.status());
  REQUIRE(known.ok());
  CHECK(ParseDocuments(DocumentsText(*known)) == *known);
  CheckSound(data);
  const auto check = CheckFolder(data);
  uint64_t logged = 0;
  for (const IndexCheck& index : check->indexes) {
    for (const auto& shard : index.shards) logged += shard.check.translog.operations;
  }
  CHECK(logged == 36);  // 18 for each of two indexes, one of them refused and one a deletion
  CatalogWorld world(store::OpenRealDirectory(data).value());
  CheckDocuments(*world.catalog, *known);
}

}  // namespace
}  // namespace curlew::catalog
