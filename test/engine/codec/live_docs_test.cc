// Deletions survive a round trip, generation by generation.
#include "engine/codec/live_docs/live_docs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "engine/codec/live_docs/live_docs_checker.h"
#include "engine/codec/live_docs/live_docs_file.h"
#include "engine/store/memory_directory.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

TEST_CASE("live docs come back as they were written") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const DocId max_doc = GENERATE(0, 1, 2, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097, 65536);
  const auto directory = store::NewMemoryDirectory();
  LiveDocs live_docs(max_doc);
  std::vector<bool> model(max_doc, true);
  // Nothing deleted, then more and more, then everything.
  for (uint64_t generation = 1; generation <= 4; ++generation) {
    for (DocId doc = 0; doc < max_doc; ++doc) {
      if (generation == 4 || (generation > 1 && random.OneIn(10))) {
        if (live_docs.Delete(doc) != model[doc]) FAIL("document " << doc << " deleted twice");
        model[doc] = false;
      }
    }
    REQUIRE(WriteLiveDocs(*directory, "_a", generation, live_docs).ok());
    const auto read = ReadLiveDocs(*directory, "_a", generation, max_doc).value();
    REQUIRE(read->max_doc() == max_doc);
    REQUIRE(read->words() == live_docs.words());
    REQUIRE(read->live_count() == std::count(model.begin(), model.end(), true));
    REQUIRE(read->live_count() + read->deleted_count() == max_doc);
    for (DocId doc = 0; doc < max_doc; ++doc) {
      if (read->Live(doc) != model[doc]) FAIL("document " << doc);
    }
    REQUIRE(CheckLiveDocs(*directory, "_a", generation, max_doc).empty());
  }
  // Earlier generations are files of their own.
  REQUIRE(ReadLiveDocs(*directory, "_a", 1, max_doc).value()->deleted_count() == 0);
}

TEST_CASE("live docs of another segment, generation or size are refused") {
  const auto directory = store::NewMemoryDirectory();
  REQUIRE(LiveDocsFileName("_a", 12) == "_a_12.live");
  REQUIRE(WriteLiveDocs(*directory, "_a", 12, LiveDocs(100)).ok());
  REQUIRE(ReadLiveDocs(*directory, "_a", 12, 100).ok());
  REQUIRE(ReadLiveDocs(*directory, "_a", 12, 101).status().code() == absl::StatusCode::kDataLoss);
  REQUIRE(ReadLiveDocs(*directory, "_a", 11, 100).status().code() == absl::StatusCode::kNotFound);
  REQUIRE_FALSE(CheckLiveDocs(*directory, "_a", 12, 99).empty());

  REQUIRE(directory->Rename("_a_12.live", "_a_13.live").ok());
  REQUIRE(ReadLiveDocs(*directory, "_a", 13, 100).status().code() == absl::StatusCode::kDataLoss);
  REQUIRE(directory->Rename("_a_13.live", "_b_12.live").ok());
  REQUIRE(ReadLiveDocs(*directory, "_b", 12, 100).status().code() == absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace curlew::codec
