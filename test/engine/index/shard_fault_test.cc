// A failure or a stop at every single operation on the disk, and what a crash then leaves: all that
// was acknowledged is there after the restart, and nothing that was never written.
#include "engine/index/commit_point.h"
#include "engine/store/fault_directory.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

constexpr int kSteps = 20;

using State = std::map<std::string, std::string>;

// What became of a run: the state after each operation in order, and how many of these the shard
// has acknowledged.
struct Run {
  std::vector<State> states{State{}};
  size_t acknowledged = 0;
  bool opened = false;
};

// The same operations for the same seed, until the first error.
Run RunScenario(ShardWorld& world, std::shared_ptr<store::Directory> directory, uint64_t seed) {
  test::Random random(seed);
  Run run;
  auto opened = world.TryOpen(directory);
  if (!opened.ok()) return run;
  run.opened = true;
  std::unique_ptr<Shard> shard = *std::move(opened);
  for (int step = 0; step < kSteps; ++step) {
    const std::string id = "d" + std::to_string(random.Between(0, 9));
    const std::string json = RandomDocument(random).Json();
    State next = run.states.back();
    Operation operation;
    if (random.OneIn(4)) {
      operation = DeleteOp(id);
      next.erase(id);
    } else {
      operation = IndexOp(id, json);
      next[id] = json;
    }
    OperationResult result;
    const ApplyOutcome outcome = shard->Apply({&operation, 1}, {&result, 1});
    if (!result.status.ok()) break;
    run.states.push_back(std::move(next));
    if (random.OneIn(2)) {
      if (!shard->WaitDurable(outcome.ticket).ok()) break;
      run.acknowledged = run.states.size() - 1;
    }
    absl::Status status;
    switch (random.Between(0, 9)) {
      case 0:
      case 1:
        status = shard->Refresh().status();
        break;
      case 2:
        status = shard->Flush();
        if (status.ok()) run.acknowledged = run.states.size() - 1;
        break;
      case 3:
        status = shard->ForceMerge({1});
        break;
      default:
        break;
    }
    // Searches go on whatever happens to writes.
    VisibleDocuments(*shard);
    if (!status.ok()) break;
  }
  if (shard->Close(random.OneIn(2)).ok()) run.acknowledged = run.states.size() - 1;
  return run;
}

void CheckRecovery(const ShardWorld& before, const Run& run,
                   std::shared_ptr<store::Directory> image) {
  ShardWorld world(before.mapping);
  // Before its first commit point it may be anything.
  if (!ListCommits(*image).value().empty()) CheckFolder(world, image);
  auto shard = world.Open(image);
  const State found = VisibleDocuments(*shard);
  bool matches = false;
  for (size_t i = run.acknowledged; i < run.states.size() && !matches; ++i) {
    matches = found == run.states[i];
  }
  REQUIRE(matches);
  CheckSegments(*shard, *image);
  // It takes writes again, and they last.
  ApplyDurable(*shard, IndexOp("after", R"({"k":"after"})"));
  REQUIRE(shard->Close(true).ok());
  shard = world.Open(image);
  REQUIRE(VisibleDocuments(*shard).size() == found.size() + 1);
}

void SweepFaults(bool stop, bool no_space) {
  test::Random random;
  const uint64_t seed = random.engine()();
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int64_t fail_at = 1;; ++fail_at) {
    auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    plan->fail_at = fail_at;
    plan->stop = stop;
    plan->no_space = no_space;
    ShardWorld world;
    world.options.translog.generation_bytes = 2000;
    const Run run = RunScenario(world, store::NewFaultDirectory(memory, plan), seed);
    INFO("operation " << fail_at << ", stop " << stop << ", scenario seed " << seed);
    if (plan->operations < fail_at) {
      REQUIRE(run.states.size() == kSteps + 1);
      REQUIRE(fail_at > 100);
      break;
    }
    const auto fate = static_cast<store::UnsyncedFate>(random.Between(0, 2));
    INFO("fate " << static_cast<int>(fate));
    CheckRecovery(world, run, store::CrashImage(*memory, fate, random.engine()()));
  }
}

TEST_CASE("the machine stops at every operation in turn") { SweepFaults(true, false); }
TEST_CASE("every operation in turn fails") { SweepFaults(false, false); }
TEST_CASE("every operation in turn finds the disk full") { SweepFaults(false, true); }

TEST_CASE("the power goes at random moments") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 30; ++round) {
    auto memory = store::NewMemoryDirectory();
    ShardWorld world;
    world.options.translog.generation_bytes = 4000;
    world.options.buffer_bytes = random.OneIn(2) ? 30 << 10 : 64 << 20;
    auto shard = world.Open(memory);
    std::vector<State> states{State{}};
    size_t acknowledged = 0;
    for (int64_t step = random.Between(1, 120); step > 0; --step) {
      const std::string id = "d" + std::to_string(random.Between(0, 20));
      const std::string json = RandomDocument(random).Json();
      State next = states.back();
      const bool remove = random.OneIn(4);
      remove ? (void)next.erase(id) : (void)(next[id] = json);
      const Operation operation = remove ? DeleteOp(id) : IndexOp(id, json);
      OperationResult result;
      const ApplyOutcome outcome = shard->Apply({&operation, 1}, {&result, 1});
      REQUIRE(result.status.ok());
      states.push_back(std::move(next));
      if (random.OneIn(3)) {
        REQUIRE(shard->WaitDurable(outcome.ticket).ok());
        acknowledged = states.size() - 1;
      }
      if (random.OneIn(15)) REQUIRE(shard->Refresh().ok());
      if (random.OneIn(25)) REQUIRE(shard->Flush().ok());
      if (random.OneIn(40)) REQUIRE(shard->ForceMerge({1}).ok());
    }
    const auto fate = static_cast<store::UnsyncedFate>(random.Between(0, 2));
    auto image = store::CrashImage(*memory, fate, random.engine()());
    ShardWorld after(world.mapping);
    CheckFolder(after, image);
    auto recovered = after.Open(image);
    const State found = VisibleDocuments(*recovered);
    bool matches = false;
    for (size_t i = acknowledged; i < states.size() && !matches; ++i) matches = found == states[i];
    INFO("fate " << static_cast<int>(fate));
    REQUIRE(matches);
    CheckSegments(*recovered, *image);
  }
}

}  // namespace
}  // namespace curlew::index
