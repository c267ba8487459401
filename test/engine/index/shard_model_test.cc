// Random operations on a shard next to a model of it, with refreshes, commits, merges and restarts
// at random moments.
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

// Applies one random operation to both and compares the results.
void RandomOperation(Shard& shard, Model& model, test::Random& random) {
  const std::string id = "d" + std::to_string(random.Between(0, 30));
  const auto live = model.live.find(id);
  const bool exists = live != model.live.end();
  const auto tombstone = model.tombstones.find(id);
  const TestDocument document = RandomDocument(random);
  const std::string json = document.Json();
  const std::string patch = "{\"n\":" + std::to_string(document.n) + "}";

  Operation operation;
  bool conflict = false;
  const int64_t kind = random.Between(0, 9);
  if (kind <= 4) {
    operation = IndexOp(id, json);
    if (exists && random.OneIn(4)) {
      // Half of the conditions are wrong.
      operation.if_seq_no = live->second.seq_no + random.Between(0, 1);
      operation.if_primary_term = 1;
      conflict = *operation.if_seq_no != live->second.seq_no;
    }
  } else if (kind == 5) {
    operation = CreateOp(id, json);
    conflict = exists;
  } else if (kind <= 7) {
    operation = DeleteOp(id);
  } else {
    operation = UpdateOp(id, patch);
    if (random.OneIn(2)) operation.upsert = json;
  }

  OperationResult result = ApplyOne(shard, operation);
  INFO("id " << id << " kind " << kind << " " << result.status);
  if (conflict) {
    REQUIRE(ErrorType(result.status) == "version_conflict_engine_exception");
    return;
  }
  if (operation.type == OpType::kUpdate && !exists && !operation.upsert.has_value()) {
    REQUIRE(ErrorType(result.status) == "document_missing_exception");
    return;
  }
  REQUIRE(result.status.ok());
  const int64_t before = exists                                ? live->second.version
                         : tombstone != model.tombstones.end() ? tombstone->second
                                                               : 0;
  if (operation.type == OpType::kUpdate && exists && live->second.document.n == document.n) {
    REQUIRE(result.kind == ResultKind::kNoop);
    REQUIRE(result.version == before);
    return;
  }
  // The version of an id that was deleted before a restart may count on or start over.
  if (before != -1) REQUIRE(result.version == before + 1);
  if (operation.type == OpType::kDelete) {
    REQUIRE(result.kind == (exists ? ResultKind::kDeleted : ResultKind::kNotFound));
    model.live.erase(id);
    model.tombstones[id] = result.version;
    return;
  }
  REQUIRE(result.kind == (exists ? ResultKind::kUpdated : ResultKind::kCreated));
  Model::Entry& entry = model.live[id];
  if (operation.type == OpType::kUpdate && exists) {
    entry.document.n = document.n;
  } else {
    entry.document = document;
  }
  entry.version = result.version;
  entry.seq_no = result.seq_no;
  model.tombstones.erase(id);
}

void RunModel(test::Random& random, int steps, uint64_t buffer_bytes) {
  ShardWorld world;
  world.options.buffer_bytes = buffer_bytes;
  const std::vector<std::string> codecs = {"none", "lz4", "zstd", "zstd_no_dict"};
  world.options.stored.codec = random.Pick(codecs);
  world.options.merged_stored.codec = random.Pick(codecs);
  world.options.merged_stored_threshold = 20000;
  auto directory = store::NewMemoryDirectory();
  auto shard = world.Open(directory);
  Model model;
  for (int step = 0; step < steps; ++step) {
    for (int64_t i = random.Between(1, 20); i > 0; --i) RandomOperation(*shard, model, random);
    CheckGets(*shard, model);
    switch (random.Between(0, 9)) {
      case 0:
      case 1:
      case 2:
        REQUIRE(shard->Refresh().ok());
        CheckVisible(*shard, model);
        break;
      case 3:
        REQUIRE(shard->Flush().ok());
        CheckVisible(*shard, model);
        break;
      case 4: {
        if (random.OneIn(3)) {
          ForceMergeOptions as_needed;
          as_needed.only_expunge_deletes = random.OneIn(2);
          REQUIRE(shard->ForceMerge(as_needed).ok());
          CheckVisible(*shard, model);
          CheckGets(*shard, model);
          break;
        }
        REQUIRE(shard->ForceMerge({static_cast<int>(random.Between(1, 3))}).ok());
        CheckVisible(*shard, model);
        CheckGets(*shard, model);
        for (const auto& segment : shard->snapshot()->segments) {
          REQUIRE(segment.live_docs == nullptr);
        }
        REQUIRE(shard->snapshot()->segments.size() <= 3);
        break;
      }
      case 5: {
        const int64_t max_seq_no = shard->stats().max_seq_no;
        REQUIRE(shard->Close(random.OneIn(2)).ok());
        CheckFolder(world, directory);
        shard = world.Open(directory);
        REQUIRE(shard->stats().max_seq_no == max_seq_no);
        REQUIRE(shard->stats().local_checkpoint == max_seq_no);
        for (auto& [id, version] : model.tombstones) version = -1;
        CheckVisible(*shard, model);
        break;
      }
      default:
        break;
    }
  }
  REQUIRE(shard->Refresh().ok());
  CheckVisible(*shard, model);
  CheckSegments(*shard, *directory);
  REQUIRE(shard->Close(true).ok());
  CheckFolder(world, directory);
}

TEST_CASE("a shard agrees with a model of it") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 6; ++round) RunModel(random, 60, 64 << 20);
}

TEST_CASE("a shard agrees with a model of it when its buffer overflows all the time") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 4; ++round) RunModel(random, 60, 40 << 10);
}

TEST_CASE("merges drop what is deleted from the statistics") {
  ShardWorld world;
  auto directory = store::NewMemoryDirectory();
  auto shard = world.Open(directory);
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int i = 0; i < 100; ++i) {
    TestDocument document = RandomDocument(random);
    document.k = "same";
    ApplyOne(*shard, IndexOp("d" + std::to_string(i), document.Json()));
    if (i % 30 == 0) REQUIRE(shard->Refresh().ok());
  }
  for (int i = 0; i < 40; ++i) ApplyOne(*shard, DeleteOp("d" + std::to_string(i)));
  REQUIRE(shard->Refresh().ok());
  auto doc_freq = [&] {
    uint32_t sum = 0;
    for (const auto& segment : shard->snapshot()->segments) {
      codec::TermEntry entry;
      const codec::FieldTerms* terms = segment.reader->Terms("k");
      if (terms != nullptr && terms->Find("same", entry)) sum += entry.doc_freq;
    }
    return sum;
  };
  REQUIRE(doc_freq() == 100);
  REQUIRE(CountTerm(*shard, "k", "same") == 60);
  REQUIRE(shard->ForceMerge({1}).ok());
  REQUIRE(doc_freq() == 60);
  REQUIRE(CountTerm(*shard, "k", "same") == 60);
  REQUIRE(shard->snapshot()->segments.size() == 1);
  REQUIRE(shard->snapshot()->segments[0].reader->Terms("k")->stats().doc_count == 60);
  CheckSegments(*shard, *directory);
}

}  // namespace
}  // namespace curlew::index
