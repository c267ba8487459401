// The buffers of several shards stay within one bound together; and what a shard says of its
// memory and files.
#include "engine/index/buffer_budget.h"

#include <catch2/catch.hpp>

#include "engine/mapping/field.h"
#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

TEST_CASE("the largest buffer that can be written is, and only when there is too much") {
  const auto budget = std::make_shared<BufferBudget>(100);
  std::vector<std::string> written;
  bool b_can = true;
  const auto join = [&](const std::string& name, const bool& can) {
    return BufferBudget::Join(budget, [&written, &can, name] {
      written.push_back(name);
      return can;
    });
  };
  const bool yes = true;
  auto a = join("a", yes);
  auto b = join("b", b_can);
  auto c = join("c", yes);
  a->Set(40);
  b->Set(60);
  CHECK_FALSE(budget->Over());
  budget->Relieve();
  CHECK(written.empty());
  c->Set(10);
  CHECK(budget->used() == 110);
  CHECK(budget->Over());
  budget->Relieve();
  CHECK(written == std::vector<std::string>{"b"});
  b_can = false;
  budget->Relieve();
  CHECK(written == std::vector<std::string>{"b", "b", "a"});
  b->Set(5);
  CHECK(budget->used() == 55);
  a.reset();
  CHECK(budget->used() == 15);
  b.reset();
  c.reset();
  CHECK(budget->used() == 0);
}

TEST_CASE("shards keep to one bound together, and the idle one makes room") {
  constexpr uint64_t kLimit = 300 << 10;
  ShardWorld world;
  ShardWorld other_world;
  const auto budget = std::make_shared<BufferBudget>(kLimit);
  world.options.buffer_budget = budget;
  other_world.options.buffer_budget = budget;
  const auto idle_directory = store::NewMemoryDirectory();
  auto idle = world.Open(idle_directory);
  auto busy = other_world.Open(store::NewMemoryDirectory());
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  int count = 0;
  while (budget->used() < kLimit * 2 / 3) {
    ApplyOne(*idle, IndexOp("i" + std::to_string(count++), RandomDocument(random).Json()));
  }
  CHECK(idle->stats().buffer_bytes == budget->used());
  REQUIRE(idle->Refresh().ok());  // the rest comes from one that nobody refreshes
  CHECK(idle->stats().segments_count == 1);
  for (int i = 0; budget->used() < kLimit * 2 / 3; ++i) {
    ApplyOne(*idle, IndexOp("j" + std::to_string(i), RandomDocument(random).Json()));
  }
  for (int i = 0; i < 2000; ++i) {
    ApplyOne(*busy, IndexOp("b" + std::to_string(i), RandomDocument(random).Json()));
    REQUIRE(budget->used() <= kLimit);
  }
  // What it has written shows with its next refresh.
  CHECK(idle->stats().buffer_bytes < kLimit / 3);
  CHECK(idle->stats().segments_count == 1);
  REQUIRE(idle->Refresh().ok());
  CHECK(idle->stats().segments_count >= 2);
  REQUIRE(busy->Close(false).ok());
  REQUIRE(idle->Close(false).ok());
  CHECK(budget->used() == 0);

  // A start that finds a long log keeps to it, too.
  auto again = world.Open(idle_directory);
  CHECK(again->stats().buffer_bytes <= kLimit);
  CHECK(VisibleDocuments(*again).size() > static_cast<size_t>(count));
}

TEST_CASE("a shard that can write no more does not keep the others from making room") {
  constexpr uint64_t kLimit = 300 << 10;
  const auto budget = std::make_shared<BufferBudget>(kLimit);
  auto plan = std::make_shared<store::FaultPlan>();
  ShardWorld broken_world;
  ShardWorld world;
  broken_world.options.buffer_budget = budget;
  world.options.buffer_budget = budget;
  auto broken = broken_world.Open(store::NewFaultDirectory(store::NewMemoryDirectory(), plan));
  auto sound = world.Open(store::NewMemoryDirectory());
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int i = 0; budget->used() < kLimit * 3 / 4; ++i) {
    ApplyOne(*broken, IndexOp("a" + std::to_string(i), RandomDocument(random).Json()));
  }
  plan->stop = true;
  plan->fail_at = plan->operations + 1;
  const uint64_t held = broken->stats().buffer_bytes;
  for (int i = 0; i < 1000; ++i) {
    const auto result =
        ApplyOne(*sound, IndexOp("b" + std::to_string(i), RandomDocument(random).Json()));
    REQUIRE(result.status.ok());
    REQUIRE(sound->stats().buffer_bytes <= kLimit - held + (40 << 10));
  }
  CHECK_FALSE(broken->stats().failure.ok());
  CHECK(sound->stats().failure.ok());
}

TEST_CASE("a shard tells of its memory and its files") {
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  CHECK(shard->stats().open_files == 1);
  CHECK(shard->stats().mapped_files == 0);
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const uint64_t empty = shard->stats().buffer_bytes;
  for (int i = 0; i < 500; ++i) {
    ApplyOne(*shard, IndexOp("d" + std::to_string(i), RandomDocument(random).Json()));
  }
  CHECK(shard->stats().buffer_bytes > empty + 10000);
  REQUIRE(shard->Refresh().ok());
  ShardStats stats = shard->stats();
  CHECK(stats.buffer_bytes == empty);
  CHECK(stats.mapped_files == 6);
  CHECK(stats.mapped_bytes == stats.store_bytes);
  CHECK(stats.reader_heap_bytes == 0);

  // Live docs, then the order of the ids: four bytes a document, and every 64th id.
  ApplyOne(*shard, DeleteOp("d7"));
  REQUIRE(shard->Refresh().ok());
  CHECK(shard->stats().reader_heap_bytes == 64);
  auto held = shard->snapshot();
  REQUIRE(held->segments[0].reader->id_order(nullptr).ok());
  CHECK(shard->stats().reader_heap_bytes > 64 + 2000);

  // Bits of a term that half of the documents have.
  const codec::FieldTerms* flags = held->segments[0].reader->Terms("b");
  REQUIRE(flags != nullptr);
  codec::TermEntry entry;
  REQUIRE(flags->Find("T", entry));
  codec::PostingBlocks blocks;
  REQUIRE(flags->Blocks(entry, blocks));
  const uint64_t before = shard->stats().reader_heap_bytes;
  REQUIRE(flags->Bits(entry, blocks) != nullptr);
  CHECK(shard->stats().reader_heap_bytes >= before + 500 / 8);

  // What a search holds stays mapped.
  REQUIRE(shard->ForceMerge({1}).ok());
  stats = shard->stats();
  CHECK(stats.segments_count == 1);
  CHECK(stats.mapped_files == 12);
  CHECK(stats.mapped_bytes > stats.store_bytes);
  held.reset();
  CHECK(shard->stats().mapped_files == 6);
  CHECK(shard->stats().mapped_bytes == shard->stats().store_bytes);
  REQUIRE(shard->Close(true).ok());
  CHECK(shard->stats().open_files == 0);
}

}  // namespace
}  // namespace curlew::index
