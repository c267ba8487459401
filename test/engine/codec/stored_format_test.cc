// Files of every version that was ever written are still read; and which segments get a dictionary.
#include <catch2/catch.hpp>
#include <string>

#include "engine/codec/stored/chunked_documents.h"
#include "engine/codec/stored/stored_checker.h"
#include "engine/codec/stored/zstd_dictionary.h"
#include "engine/store/memory_directory.h"
#include "engine/store/real_directory.h"
#include "test/engine/codec/stored_documents.h"

namespace curlew::codec {
namespace {

// What the files below test/data/stored hold.
std::vector<Document> RecordedDocuments() {
  std::vector<Document> documents;
  for (size_t i = 0; i < 40; ++i) {
    const std::string id = std::to_string(i);
    const std::string text(i * i % 97 * 10, static_cast<char>('a' + i % 26));
    documents.push_back({id, i % 3 == 0 ? "r" + std::to_string(i % 7) : "",
                         "{\"n\":" + id + ",\"t\":\"" + text + "\"}"});
    if (i == 17) documents.back().source = std::string(20000, 'x');
  }
  return documents;
}

TEST_CASE("files of every version are read") {
  const std::vector<Document> documents = RecordedDocuments();
  for (const std::string folder : {"zstd-1", "zstd-2", "zstd_no_dict-1", "lz4-1"}) {
    INFO(folder);
    const auto directory =
        store::OpenRealDirectory(std::string(CURLEW_SOURCE_DIR) + "/test/data/stored/" + folder)
            .value();
    const std::string name = folder.substr(0, folder.find('-'));
    const auto stored = StoredCodec::Find(name)->Open(*directory, "_0", 40).value();
    RequireDocuments(*stored, documents);
    CHECK(CheckStored(*directory, "_0", 40, name).empty());
    const auto& chunks = dynamic_cast<const ChunkedDocuments&>(*stored);
    CHECK(chunks.level() == (name == "lz4" ? 0 : 3));
    CHECK(chunks.dictionary().empty() == (folder != "zstd-2"));
  }
}

TEST_CASE("large segments of documents that are alike get a dictionary") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const StoredCodec& zstd = *StoredCodec::Find("zstd");
  const auto dictionary_of = [&](const std::vector<Document>& documents, StoredPlan plan) {
    const auto directory = store::NewMemoryDirectory();
    WriteDocuments(*directory, zstd, documents, plan);
    const auto stored = zstd.Open(*directory, "_0", static_cast<DocId>(documents.size())).value();
    RequireDocuments(*stored, documents);
    return std::pair(std::string(stored->dictionary()), stored->stored_bytes());
  };
  const std::vector<Document> alike = AlikeDocuments(random, 10 << 20);
  const StoredPlan plan = PlanFor(zstd, alike);
  CHECK(plan.samples.bytes.size() >= DictionarySampleBytes(plan.raw_bytes) / 2);
  const auto [dictionary, bytes] = dictionary_of(alike, plan);
  CHECK(dictionary.size() > 10'000);
  CHECK(dictionary.size() <= DictionaryBytes(plan.raw_bytes));
  const auto [none, bytes_without] = dictionary_of(alike, {});
  CHECK(none.empty());
  CHECK(bytes < bytes_without);

  // Nothing in common: it would save nothing.
  std::vector<Document> noise;
  for (int i = 0; i < 1100; ++i) {
    noise.push_back({std::to_string(i), "", random.Bytes(8'000, 10'000)});
  }
  CHECK(dictionary_of(noise, PlanFor(zstd, noise)).first.empty());

  // Small segments do not ask.
  CHECK(zstd.SampleBytes((8 << 20) - 1) == 0);
  CHECK(zstd.SampleBytes(8 << 20) > 0);
  CHECK(zstd.SampleBytes(uint64_t{1} << 40) == 64 * 16 * 1024);
  for (const char* other : {"none", "lz4", "zstd_no_dict"}) {
    CHECK(StoredCodec::Find(other)->SampleBytes(uint64_t{1} << 40) == 0);
  }
}

}  // namespace
}  // namespace curlew::codec
