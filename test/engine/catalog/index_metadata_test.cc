// The file that makes an index exist.
#include "engine/catalog/index_metadata.h"

#include <catch2/catch.hpp>

#include "engine/store/fault_directory.h"
#include "engine/util/bytes.h"
#include "engine/util/crc32c.h"
#include "test/engine/catalog/catalog_fixture.h"
#include "test/support/random.h"

namespace curlew::catalog {
namespace {

IndexMetadata Sample() {
  IndexMetadata metadata;
  metadata.name = "books";
  metadata.uuid = "ABCDEFGHIJKLMNOPQRSTUV";
  metadata.created_millis = 1'700'000'000'123;
  metadata.settings = {{"index.number_of_shards", "3"}, {"index.refresh_interval", "-1"}};
  metadata.mapping_json = R"({"properties":{"t":{"type":"text"}}})";
  return metadata;
}

bool Same(const IndexMetadata& a, const IndexMetadata& b) {
  return a.name == b.name && a.uuid == b.uuid && a.created_millis == b.created_millis &&
         a.settings == b.settings && a.mapping_json == b.mapping_json;
}

void Put(store::Directory& directory, std::string_view content) {
  REQUIRE(store::WriteAtomically(directory, IndexMetadata::kFileName, content).ok());
}

std::string FileOf(const IndexMetadata& metadata) {
  const auto directory = store::NewMemoryDirectory();
  REQUIRE(metadata.Write(*directory).ok());
  return std::string(directory->Open(IndexMetadata::kFileName).value()->view());
}

TEST_CASE("metadata comes back as it was written") {
  const auto directory = store::NewMemoryDirectory();
  for (const IndexMetadata& metadata : {Sample(), IndexMetadata{}}) {
    REQUIRE(metadata.Write(*directory).ok());
    const auto read = IndexMetadata::Read(*directory);
    REQUIRE(read.ok());
    CHECK(Same(*read, metadata));
  }
}

TEST_CASE("every damaged or cut metadata file is corruption that names it") {
  const std::string whole = FileOf(Sample());
  const auto directory = store::NewMemoryDirectory();
  const auto check = [&](const std::string& content) {
    Put(*directory, content);
    const auto read = IndexMetadata::Read(*directory);
    REQUIRE(!read.ok());
    REQUIRE(read.status().code() == absl::StatusCode::kDataLoss);
    REQUIRE(Reason(read.status()).find(IndexMetadata::kFileName) != std::string::npos);
  };
  for (size_t length = 0; length < whole.size(); ++length) {
    INFO("cut to " << length);
    check(whole.substr(0, length));
  }
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    INFO("bit " << bit);
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    check(damaged);
  }
  check(whole + "x");
}

TEST_CASE("metadata of another release is refused by its number") {
  std::string content = FileOf(Sample());
  content.resize(content.size() - 4);
  content[8] = 2;
  PutFixed32(content, Crc32c(content));
  const auto directory = store::NewMemoryDirectory();
  Put(*directory, content);
  CHECK(Reason(IndexMetadata::Read(*directory).status()).find("version 2") != std::string::npos);
}

TEST_CASE("nonsense with a right checksum never does harm") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const std::string whole = FileOf(Sample());
  const auto directory = store::NewMemoryDirectory();
  for (int round = 0; round < 2000; ++round) {
    std::string content = whole.substr(0, whole.size() - 4);
    for (int64_t i = random.Between(1, 4); i > 0; --i) {
      content[static_cast<size_t>(random.Between(12, content.size() - 1))] =
          static_cast<char>(random.Between(0, 255));
    }
    if (random.OneIn(3)) content.resize(static_cast<size_t>(random.Between(12, content.size())));
    PutFixed32(content, Crc32c(content));
    Put(*directory, content);
    const auto read = IndexMetadata::Read(*directory);
    if (!read.ok()) REQUIRE(read.status().code() == absl::StatusCode::kDataLoss);
  }
}

TEST_CASE("a write of metadata cut anywhere leaves the old or the new") {
  IndexMetadata old = Sample(), changed = Sample();
  changed.mapping_json = R"({"properties":{"n":{"type":"long"}}})";
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int64_t fail_at = 1;; ++fail_at) {
    const auto memory = store::NewMemoryDirectory();
    REQUIRE(old.Write(*memory).ok());
    auto plan = std::make_shared<store::FaultPlan>();
    plan->stop = true;
    plan->fail_at = fail_at;
    const bool written = changed.Write(*store::NewFaultDirectory(memory, plan)).ok();
    for (const auto fate :
         {store::UnsyncedFate::kKeep, store::UnsyncedFate::kLose, store::UnsyncedFate::kScramble}) {
      const auto after =
          store::CrashImage(*memory, fate, static_cast<uint64_t>(random.Between(0, 1 << 30)));
      const auto read = IndexMetadata::Read(*after);
      INFO("operation " << fail_at << ": " << read.status());
      REQUIRE(read.ok());
      REQUIRE((Same(*read, changed) || (!written && Same(*read, old))));
    }
    if (written) break;
  }
}

}  // namespace
}  // namespace curlew::catalog
