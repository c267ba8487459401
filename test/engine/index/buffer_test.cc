// The parts of the RAM buffer by themselves.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "engine/index/buffer/arena.h"
#include "engine/index/buffer/byte_stream.h"
#include "engine/index/buffer/ram_buffer.h"
#include "engine/index/buffer/term_hash.h"
#include "engine/index/checkpoint_tracker.h"
#include "test/support/random.h"

namespace curlew::index {
namespace {

TEST_CASE("a term is found again whatever its length") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Arena arena;
  TermHash hash(arena);
  std::map<std::string, uint32_t> model;
  CHECK(hash.Find("nothing") == nullptr);
  for (int i = 0; i < 20000; ++i) {
    std::string term = random.OneIn(50) ? random.Bytes(0, 3000) : random.Bytes(0, 3);
    // Terms that differ behind a common start, in their length, or in zeros only.
    if (random.OneIn(2)) term = "prefix_1" + term;
    if (random.OneIn(4)) term.append(static_cast<size_t>(random.Between(0, 5)), '\0');
    const auto [it, added] = model.emplace(term, static_cast<uint32_t>(model.size()));
    REQUIRE((hash.Find(term) == nullptr) == added);
    REQUIRE(hash.FindOrAdd(term) == it->second);
  }
  REQUIRE(hash.terms().size() == model.size());
  for (const auto& [term, number] : model) {
    REQUIRE(hash.terms()[number].bytes() == term);
    REQUIRE(hash.Find(term) == &hash.terms()[number]);
  }
}

TEST_CASE("a stream gives back what was put in, at every length") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Arena arena;
  struct Written {
    ByteStream stream;
    std::vector<uint32_t> values;
  };
  // Many at once, so that their chunks lie between each other's.
  std::vector<Written> all(300);
  for (int i = 0; i < 60000; ++i) {
    Written& target = all[random.OneIn(3) ? 0 : static_cast<size_t>(random.Between(0, 299))];
    const auto value = static_cast<uint32_t>(random.engine()() >> random.Between(32, 63));
    target.stream.PutVarint(arena, value);
    target.values.push_back(value);
  }
  for (const Written& w : all) {
    ByteStreamReader reader(w.stream);
    for (const uint32_t value : w.values) {
      REQUIRE(!reader.AtEnd());
      REQUIRE(reader.Varint() == value);
    }
    REQUIRE(reader.AtEnd());
  }
  CHECK(ByteStreamReader(ByteStream{}).AtEnd());
}

TEST_CASE("an arena's pieces keep their bytes, and it counts what it holds") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Arena arena;
  CHECK(arena.allocated() == 0);
  std::vector<std::pair<std::string, std::string_view>> pieces;
  uint64_t bytes = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string piece = random.Bytes(0, random.OneIn(100) ? 500000 : 100);
    bytes += piece.size();
    const std::string_view copy = arena.Copy(piece);
    pieces.emplace_back(std::move(piece), copy);
  }
  for (const auto& [piece, copy] : pieces) REQUIRE(piece == copy);
  CHECK(arena.allocated() >= bytes);
  CHECK(arena.allocated() < bytes * 2);
}

TEST_CASE("the buffer counts the memory it takes") {
  auto mapping = mapping::Mapping::Parse(
      R"({"properties":{"t":{"type":"text"},"k":{"type":"keyword"},"n":{"type":"long"}}})",
      analysis::AnalyzerRegistry::BuiltIn(), {});
  REQUIRE(mapping.ok());
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  RamBuffer buffer;
  const uint64_t empty = buffer.memory();
  CHECK(empty < 10000);
  mapping::DocumentParser parser;
  mapping::ParsedDocument document;
  TokenStreams streams;
  uint64_t last = empty;
  uint64_t source_bytes = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string id = std::to_string(i);
    const std::string source = "{\"t\":\"" + random.Word(1, 9) + " " + random.Word(1, 9) +
                               "\",\"k\":\"" + random.Word(1, 2) + "\",\"n\":" + id + "}";
    REQUIRE(parser.Parse(source, **mapping, {}, document).ok());
    REQUIRE(buffer.Add({id, "", source}, {i, 1, 1}, document, *mapping, streams) ==
            static_cast<codec::DocId>(i));
    source_bytes += source.size();
    REQUIRE(buffer.memory() >= last);
    last = buffer.memory();
  }
  CHECK(last > source_bytes * 2);
  CHECK(last < source_bytes * 30);
  CHECK(buffer.FindId("17") == 17u);
  CHECK(!buffer.FindId("3000").has_value());
  CHECK(buffer.CopyLiveDocs() == nullptr);
  CHECK(buffer.Delete(17));
  CHECK(!buffer.Delete(17));
  CHECK(!buffer.Live(17));
  CHECK(buffer.CopyLiveDocs()->deleted_count() == 1);
}

TEST_CASE("the checkpoint moves when no number is missing") {
  CheckpointTracker tracker;
  CHECK(tracker.Next() == 0);
  tracker.MarkProcessed(0);
  CHECK(tracker.checkpoint() == 0);
  tracker.MarkProcessed(3);
  tracker.MarkProcessed(2);
  CHECK(tracker.checkpoint() == 0);
  CHECK(tracker.Processed(2));
  CHECK(!tracker.Processed(1));
  tracker.MarkProcessed(1);
  CHECK(tracker.checkpoint() == 3);
  CHECK(tracker.max_seq_no() == 3);
  CHECK(tracker.Next() == 4);
}

}  // namespace
}  // namespace curlew::index
