// The checker accepts sound segments and names what is wrong with others.
#include "engine/codec/check.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "engine/codec/columns/column_writer.h"
#include "engine/codec/columns/columns_checker.h"
#include "engine/codec/norms/norms_checker.h"
#include "engine/codec/norms/norms_file.h"
#include "engine/codec/terms/inverted_checker.h"
#include "engine/codec/terms/inverted_writer.h"
#include "engine/store/memory_directory.h"
#include "engine/util/bytes.h"
#include "engine/util/crc32c.h"
#include "test/engine/codec/sample_segment.h"
#include "test/engine/codec/stored_documents.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

TEST_CASE("a sound segment has no problems") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const char* codec : kStoredCodecs) {
    const auto directory = store::NewMemoryDirectory();
    REQUIRE(WriteSampleSegment(*directory, "_0", 500, codec, random).ok());
    for (const store::FileProblem& problem : CheckSegmentFiles(*directory, "_0", 500, codec)) {
      FAIL_CHECK(problem.file << ": " << problem.what);
    }
    CHECK_FALSE(CheckSegmentFiles(*directory, "_0", 499, codec).empty());
    CHECK_FALSE(CheckSegmentFiles(*directory, "_0", 500, "lzw").empty());
    for (const char* suffix : {".terms", ".postings", ".norms", ".columns", ".points", ".stored"}) {
      REQUIRE(directory->Rename(std::string("_0") + suffix, "aside").ok());
      INFO(suffix);
      const auto problems = CheckSegmentFiles(*directory, "_0", 500, codec);
      REQUIRE(problems.size() == 1);
      CHECK(problems[0].file == std::string("_0") + suffix);
      REQUIRE(directory->Rename("aside", std::string("_0") + suffix).ok());
    }
  }
}

TEST_CASE("statistics that the postings do not bear out are reported") {
  const auto directory = store::NewMemoryDirectory();
  auto writer = InvertedWriter::Create(*directory, "_0").value();
  writer->StartField("f", IndexOptions::kDocs, {});
  writer->StartTerm("t");
  writer->AddPosting(1, 1, {});
  writer->FinishTerm();
  writer->FinishField(2);
  REQUIRE(writer->Finish().ok());
  const auto problems = CheckInverted(*directory, "_0", 3);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].what.find("statistics") != std::string::npos);

  // Document 1 has a term and no length; document 0 a length and no term.
  auto norms = NormsWriter::Create(*directory, "_0", 3).value();
  norms->AddField("f", std::vector<uint8_t>{5, 0, 0});
  REQUIRE(norms->Finish().ok());
  const auto lengths = CheckNorms(*directory, "_0", 3);
  REQUIRE(lengths.size() == 1);
  CHECK(lengths[0].what.find("2 documents") != std::string::npos);
}

TEST_CASE("a value that no document has is reported") {
  const auto directory = store::NewMemoryDirectory();
  auto writer = ColumnWriter::Create(*directory, "_0", 1).value();
  writer->StartOrdinals("o");
  writer->AddValue("a");
  writer->AddValue("b");
  writer->AddOrdinals(0, std::vector<uint32_t>{1});
  writer->FinishOrdinals();
  REQUIRE(writer->Finish().ok());
  const auto problems = CheckColumns(*directory, "_0", 1);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].what.find("no document has") != std::string::npos);
}

// A writer's bug would come with a good checksum: the structure has to be looked at.
TEST_CASE("changed postings, columns and dictionaries are found under a good checksum") {
  constexpr size_t kFooter = 4 + 8 + 4;
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const auto directory = store::NewMemoryDirectory();
  REQUIRE(WriteSampleSegment(*directory, "_0", 60, "none", random).ok());
  for (const char* name : {"_0.postings", "_0.terms", "_0.columns", "_0.points"}) {
    const std::string sound(directory->Open(name).value()->view());
    int found = 0;
    constexpr int kRounds = 100;
    for (int round = 0; round < kRounds; ++round) {
      std::string body = sound.substr(0, sound.size() - kFooter);
      const auto at =
          static_cast<size_t>(random.Between(30, static_cast<int64_t>(body.size()) - 1));
      body[at] = static_cast<char>(body[at] ^ (1 << random.Between(0, 7)));
      std::string changed = body + sound.substr(body.size(), kFooter - 4);
      PutFixed32(changed, Crc32c(body));
      auto file = directory->Create(name).value();
      REQUIRE(file->Append(changed).ok());
      REQUIRE(file->Close().ok());
      found += CheckSegmentFiles(*directory, "_0", 60, "none").empty() ? 0 : 1;
    }
    // Not every bit can be missed by its neighbours: another value in a column, or position in a
    // document, is as good as the one that was there.
    INFO(name);
    CHECK(found > kRounds / 4);
    auto file = directory->Create(name).value();
    REQUIRE(file->Append(sound).ok());
    REQUIRE(file->Close().ok());
  }
}

}  // namespace
}  // namespace curlew::codec
