// Merging stored documents: the same documents come out whatever the codecs, the deletions and the
// order; chunks that stay whole are copied; what passes is trained on.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "engine/codec/stored/chunked_documents.h"
#include "engine/codec/stored/chunked_writer.h"
#include "engine/codec/stored/stored_checker.h"
#include "engine/codec/stored/stored_codecs.h"
#include "engine/codec/stored/stored_merge.h"
#include "engine/codec/stored/zstd_chunks.h"
#include "engine/codec/stored/zstd_dictionary.h"
#include "engine/store/memory_directory.h"
#include "engine/util/error.h"
#include "test/engine/codec/stored_documents.h"
#include "test/support/random.h"

namespace curlew::codec {
namespace {

// One segment: its documents, which of them live, and where.
struct Part {
  std::vector<Document> documents;
  std::vector<bool> live;
  std::unique_ptr<StoredDocuments> stored;
  std::shared_ptr<store::Directory> directory = store::NewMemoryDirectory();

  void Open(const StoredCodec& codec) {
    stored = codec.Open(*directory, "_0", static_cast<DocId>(documents.size())).value();
  }
  const ChunkedDocuments& chunks() const { return dynamic_cast<const ChunkedDocuments&>(*stored); }
};

absl::Status Merge(
    const std::vector<const Part*>& parts, const StoredFormat& format, Part& out,
    const std::function<absl::Status()>& check = [] { return absl::OkStatus(); }) {
  std::vector<std::vector<DocId>> maps;
  DocId next = 0;
  out.documents.clear();
  for (const Part* part : parts) {
    std::vector<DocId> map(part->documents.size(), kNoMoreDocs);
    for (size_t i = 0; i < map.size(); ++i) {
      if (!part->live[i]) continue;
      map[i] = next++;
      out.documents.push_back(part->documents[i]);
    }
    maps.push_back(std::move(map));
  }
  std::vector<StoredMergeInput> inputs;
  for (size_t i = 0; i < parts.size(); ++i) inputs.push_back({parts[i]->stored.get(), maps[i]});
  CURLEW_RETURN_IF_ERROR(MergeStoredDocuments(*out.directory, "_0", format, inputs, check));
  out.live.assign(out.documents.size(), true);
  out.Open(*StoredCodec::Find(format.codec));
  return absl::OkStatus();
}

void RequireSound(const Part& part, const std::string& codec) {
  RequireDocuments(*part.stored, part.documents);
  REQUIRE(
      CheckStored(*part.directory, "_0", static_cast<DocId>(part.documents.size()), codec).empty());
}

std::string AnyCodec(test::Random& random) {
  return kStoredCodecs[static_cast<size_t>(random.Between(0, 3))];
}

StoredFormat AnyFormat(test::Random& random) {
  return {AnyCodec(random), random.OneIn(4) ? static_cast<int>(random.Between(1, 6)) : 3};
}

Part AnyPart(test::Random& random) {
  Part part;
  part.documents = RandomDocuments(random, static_cast<size_t>(random.Between(1, 400)));
  const int dead = static_cast<int>(random.Pick<int64_t>({0, 0, 1, 3, 100}));
  for (size_t i = 0; i < part.documents.size(); ++i) {
    part.live.push_back(dead == 0 || (dead == 1 ? random.OneIn(10) : !random.OneIn(dead)));
  }
  const StoredFormat format = AnyFormat(random);
  StoredPlan plan;
  plan.level = format.level;
  if (random.OneIn(2)) plan.dictionary = SmallDictionary();
  const StoredCodec& codec = *StoredCodec::Find(format.codec);
  WriteDocuments(*part.directory, codec, part.documents, plan);
  part.Open(codec);
  return part;
}

TEST_CASE("merges of any codecs and deletions, in any order, keep the documents") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 25; ++round) {
    std::vector<Part> parts;
    for (int64_t n = random.Between(1, 6); n > 0; --n) parts.push_back(AnyPart(random));
    std::vector<const Part*> order;
    for (const Part& part : parts) order.push_back(&part);

    const StoredFormat format = AnyFormat(random);
    Part at_once;
    REQUIRE(Merge(order, format, at_once).ok());
    RequireSound(at_once, format.codec);

    // In two steps with another codec in between, and deletions before the second.
    Part first;
    const size_t cut = static_cast<size_t>(random.Between(1, static_cast<int64_t>(order.size())));
    const StoredFormat between = AnyFormat(random);
    REQUIRE(
        Merge({order.begin(), order.begin() + static_cast<ptrdiff_t>(cut)}, between, first).ok());
    std::vector<const Part*> rest = {&first};
    rest.insert(rest.end(), order.begin() + static_cast<ptrdiff_t>(cut), order.end());
    Part in_two;
    REQUIRE(Merge(rest, format, in_two).ok());
    RequireDocuments(*in_two.stored, at_once.documents);
    for (size_t i = 0; i < first.live.size(); ++i) first.live[i] = !random.OneIn(3);
    std::shuffle(rest.begin(), rest.end(), random.engine());
    Part again;
    REQUIRE(Merge(rest, AnyFormat(random), again).ok());
    RequireSound(again, std::string(again.stored->codec()));
  }
}

// Chunks that the codec's own writer would not make: what equals them was copied.
Part StrangeChunks(test::Random& random, size_t bytes) {
  Part part;
  part.documents = AlikeDocuments(random, bytes);
  part.live.assign(part.documents.size(), true);
  const store::FileFormat format{"stored.zstd_no_dict", 1, 1};
  auto out = store::CheckedWriter::Create(*part.directory, "_0.stored", format, "_0").value();
  ChunkSettings settings;
  settings.codec = "zstd_no_dict";
  settings.level = 3;
  ChunkedWriter writer(std::move(out), settings, NewZstdCompressor(-20, {}).value());
  for (const Document& d : part.documents) writer.Add({d.id, d.routing, d.source});
  REQUIRE(writer.Finish().ok());
  part.Open(ZstdNoDictCodec());
  return part;
}

std::vector<std::string_view> ChunksOf(const Part& part) {
  std::vector<std::string_view> chunks;
  for (DocId doc = 0; doc < part.documents.size(); doc = part.stored->ChunkEnd(doc)) {
    chunks.push_back(part.chunks().ChunkOf(doc)->compressed);
  }
  return chunks;
}

size_t Copied(const Part& from, const Part& to) {
  const auto there = ChunksOf(from);
  size_t copied = 0;
  for (const std::string_view chunk : ChunksOf(to)) {
    copied += std::count(there.begin(), there.end(), chunk);
  }
  return copied;
}

TEST_CASE("chunks that stay whole are copied, the others compressed again") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Part part = StrangeChunks(random, 4 << 20);
  const size_t chunks = ChunksOf(part).size();
  REQUIRE(chunks > 200);
  Part merged;
  REQUIRE(Merge({&part}, {"zstd_no_dict", 3}, merged).ok());
  RequireSound(merged, "zstd_no_dict");
  // But for the last, which is small.
  CHECK(Copied(part, merged) >= chunks - 1);

  // Another codec or level: none.
  REQUIRE(Merge({&part}, {"zstd_no_dict", 4}, merged).ok());
  CHECK(Copied(part, merged) == 0);
  RequireSound(merged, "zstd_no_dict");
  REQUIRE(Merge({&part}, {"zstd", 3}, merged).ok());
  CHECK(Copied(part, merged) == 0);

  // One document less costs its chunk, and those that the shift would leave small.
  for (size_t i = part.documents.size() / 2; i < part.documents.size(); i += 1000) {
    part.live[i] = false;
  }
  REQUIRE(Merge({&part}, {"zstd_no_dict", 3}, merged).ok());
  RequireSound(merged, "zstd_no_dict");
  CHECK(Copied(part, merged) < chunks);
  CHECK(Copied(part, merged) > chunks / 2);
}

TEST_CASE("chunks of a shared dictionary are copied with it") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Part large;
  large.documents = AlikeDocuments(random, 10 << 20);
  large.live.assign(large.documents.size(), true);
  WriteDocuments(*large.directory, ZstdCodec(), large.documents,
                 PlanFor(ZstdCodec(), large.documents));
  large.Open(ZstdCodec());
  REQUIRE(!large.stored->dictionary().empty());
  Part small;
  small.documents = AlikeDocuments(random, 1 << 20);
  small.live.assign(small.documents.size(), true);
  WriteDocuments(*small.directory, ZstdCodec(), small.documents);
  small.Open(ZstdCodec());
  REQUIRE(small.stored->dictionary().empty());

  Part merged;
  REQUIRE(Merge({&small, &large}, {"zstd", 3}, merged).ok());
  CHECK(merged.stored->dictionary() == large.stored->dictionary());
  RequireSound(merged, "zstd");

  // Most of it is deleted, and what is left is too small for a dictionary.
  for (size_t i = 0; i < large.live.size(); ++i) large.live[i] = i % 10 == 0;
  REQUIRE(Merge({&small, &large}, {"zstd", 3}, merged).ok());
  CHECK(merged.stored->dictionary().empty());
  RequireSound(merged, "zstd");
}

TEST_CASE("a merge of many small segments leaves no small chunks") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const std::vector<std::pair<std::string, size_t>> codecs = {{"lz4", kMostChunkBytes},
                                                              {"zstd_no_dict", kPlainChunkBytes}};
  for (const auto& [codec, chunk_bytes] : codecs) {
    std::vector<Part> parts(100);
    std::vector<const Part*> order;
    uint64_t raw = 0;
    for (Part& part : parts) {
      part.documents = AlikeDocuments(random, 20'000);
      part.live.assign(part.documents.size(), true);
      WriteDocuments(*part.directory, *StoredCodec::Find(codec), part.documents);
      part.Open(*StoredCodec::Find(codec));
      raw += part.stored->raw_bytes();
      order.push_back(&part);
    }
    Part merged;
    REQUIRE(Merge(order, {codec, 3}, merged).ok());
    RequireSound(merged, codec);
    CHECK(ChunksOf(merged).size() <= raw / chunk_bytes * 11 / 10 + 1);
  }
}

TEST_CASE("no document takes inflating more than 16 KiB, unless it is larger itself") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 20; ++round) {
    std::vector<Part> parts;
    for (int i = 0; i < 3; ++i) parts.push_back(AnyPart(random));
    Part merged;
    const std::string codec = random.OneIn(2) ? "lz4" : random.OneIn(2) ? "zstd" : "zstd_no_dict";
    REQUIRE(Merge({&parts[0], &parts[1], &parts[2]}, {codec, 3}, merged).ok());
    for (DocId doc = 0; doc < merged.documents.size(); ++doc) {
      const auto chunk = merged.chunks().ChunkOf(doc).value();
      const uint64_t most = std::max<uint64_t>(kMostChunkBytes, merged.documents[doc].size());
      if (chunk.raw_size > most) FAIL("document " << doc << ": " << chunk.raw_size);
    }
  }
}

TEST_CASE("a merge of stored documents ends when it is told to") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Part part = StrangeChunks(random, 1 << 20);
  int left = 3;
  Part merged;
  const absl::Status status = Merge({&part}, {"zstd_no_dict", 3}, merged,
                                    [&] { return --left > 0 ? absl::OkStatus() : Cancelled(); });
  CHECK(status.code() == absl::StatusCode::kCancelled);
  CHECK(left == 0);
  CHECK(Merge({&part}, {"lz5", 3}, merged).code() == absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace curlew::codec
