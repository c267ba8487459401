// Stored documents come back as they were added, from every codec.
#include "engine/codec/stored/stored.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "engine/codec/stored/stored_checker.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/store/memory_directory.h"
#include "engine/store/real_directory.h"
#include "test/engine/codec/stored_documents.h"
#include "test/support/random.h"
#include "test/support/temp_folder.h"

namespace curlew::codec {
namespace {

void RunBattery(store::Directory& directory, const StoredCodec& codec, size_t count,
                test::Random& random) {
  const std::vector<Document> documents = RandomDocuments(random, count);
  WriteDocuments(directory, codec, documents, PlanFor(codec, documents));
  const auto max_doc = static_cast<DocId>(count);
  const auto stored = codec.Open(directory, "_0", max_doc).value();
  REQUIRE(stored->codec() == codec.name());

  uint64_t raw = 0;
  for (DocId doc = 0; doc < max_doc; ++doc) {
    const Document& d = documents[doc];
    const size_t size = d.id.size() + d.routing.size() + d.source.size();
    if (stored->RecordBytes({&doc, 1}) != size) REQUIRE(stored->RecordBytes({&doc, 1}) == size);
    raw += size;
  }
  REQUIRE(stored->raw_bytes() == raw);
  REQUIRE(stored->stored_bytes() > 0);
  REQUIRE(stored->stored_bytes() <= directory.Size("_0.stored").value());

  // In order, then at random; the views of a batch stay good until the next one.
  std::vector<DocId> order(max_doc);
  std::iota(order.begin(), order.end(), 0);
  for (int round = 0; round < 2; ++round) {
    const auto cursor = stored->NewCursor();
    std::vector<StoredDocument> views;
    for (size_t at = 0; at < order.size(); at += views.size()) {
      views.resize(std::min(order.size() - at, static_cast<size_t>(random.Between(1, 40))));
      REQUIRE(cursor->ReadAll({&order[at], views.size()}, views.data()).ok());
      for (size_t i = 0; i < views.size(); ++i) {
        if (!Same(views[i], documents[order[at + i]])) FAIL("document " << order[at + i]);
      }
    }
    std::shuffle(order.begin(), order.end(), random.engine());
  }
  REQUIRE(stored->NewCursor()->Read(max_doc).status().code() == absl::StatusCode::kDataLoss);
  REQUIRE(CheckStored(directory, "_0", max_doc, std::string(codec.name())).empty());
  REQUIRE(codec.Open(directory, "_0", max_doc + 1).status().code() == absl::StatusCode::kDataLoss);
}

TEST_CASE("stored battery: documents of every size, in order and at random") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const std::string name = GENERATE("none", "lz4", "zstd", "zstd_no_dict");
  const size_t count = GENERATE(0, 1, 2, 127, 128, 129, 300, 4095, 4096, 4097, 65536);
  INFO(name << ", " << count << " documents");
  const auto directory = store::NewMemoryDirectory();
  RunBattery(*directory, *StoredCodec::Find(name), count, random);
}

TEST_CASE("stored documents are read from a real file as from memory") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const char* name : kStoredCodecs) {
    const test::TempFolder folder;
    RunBattery(*store::OpenRealDirectory(folder.path()).value(), *StoredCodec::Find(name), 500,
               random);
  }
}

TEST_CASE("codecs are found by name, and a file knows its codec") {
  for (const char* name : kStoredCodecs) REQUIRE(StoredCodec::Find(name)->name() == name);
  REQUIRE(StoredCodec::Find("") == nullptr);
  REQUIRE(StoredCodec::Find("lz5") == nullptr);

  const auto directory = store::NewMemoryDirectory();
  WriteDocuments(*directory, *StoredCodec::Find("none"), {{"1", "", "{}"}});
  for (const char* other : {"lz4", "zstd", "zstd_no_dict"}) {
    REQUIRE(StoredCodec::Find(other)->Open(*directory, "_0", 1).status().code() ==
            absl::StatusCode::kDataLoss);
  }
}

TEST_CASE("a cursor keeps few of the blocks that it inflated") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  constexpr size_t kDocs = 4000;
  constexpr size_t kSize = 10'000;
  constexpr size_t kBatch = 16;
  std::vector<Document> documents;
  for (size_t i = 0; i < kDocs; ++i) {
    // One of a hundred is larger than all that is kept.
    documents.push_back({std::to_string(i), "", std::string(i % 100 == 0 ? 700'000 : kSize, 'x')});
  }
  const auto directory = store::NewMemoryDirectory();
  const StoredCodec& codec = *StoredCodec::Find(GENERATE("lz4", "zstd", "zstd_no_dict"));
  WriteDocuments(*directory, codec, documents);
  const auto stored = codec.Open(*directory, "_0", kDocs).value();
  const auto cursor = stored->NewCursor();
  std::array<DocId, kBatch> docs;
  std::array<StoredDocument, kBatch> views;
  for (int round = 0; round < 200; ++round) {
    uint64_t wanted = 0;
    for (DocId& doc : docs) {
      doc = static_cast<DocId>(random.Between(0, kDocs - 1));
      wanted += 20'000 + documents[doc].source.size();  // more than its block holds
    }
    REQUIRE(cursor->ReadAll(docs, views.data()).ok());
    for (size_t i = 0; i < kBatch; ++i) {
      REQUIRE(views[i].id == documents[docs[i]].id);
      REQUIRE(views[i].source == documents[docs[i]].source);
    }
    REQUIRE(cursor->kept_bytes() <= StoredCursor::kKeptBytes + wanted);
  }
  // What fits is kept: reading it again from the same block inflates nothing more.
  REQUIRE(cursor->Read(1).ok());
  const uint64_t kept = cursor->kept_bytes();
  REQUIRE(kept <= StoredCursor::kKeptBytes + 20'000);
  REQUIRE(cursor->Read(1).ok());
  CHECK(cursor->kept_bytes() <= kept);
}

TEST_CASE("codecs make repetitive documents small, and none reads straight from the file") {
  std::vector<Document> documents;
  for (int i = 0; i < 2000; ++i) {
    documents.push_back({std::to_string(i), "", "{\"message\":\"the same words over and over\"}"});
  }
  const auto directory = store::NewMemoryDirectory();
  for (const char* name : {"lz4", "zstd", "zstd_no_dict"}) {
    WriteDocuments(*directory, *StoredCodec::Find(name), documents);
    const auto small = StoredCodec::Find(name)->Open(*directory, "_0", 2000).value();
    CHECK(small->stored_bytes() < small->raw_bytes() / 3);
  }

  WriteDocuments(*directory, *StoredCodec::Find("none"), documents);
  const auto plain = StoredCodec::Find("none")->Open(*directory, "_0", 2000).value();
  const auto first = plain->NewCursor()->Read(7).value();
  const auto second = plain->NewCursor()->Read(7).value();
  CHECK(first.source.data() == second.source.data());
  CHECK(first.source == documents[7].source);
}

}  // namespace
}  // namespace curlew::codec
