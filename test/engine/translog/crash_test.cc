// The machine fails or stops at every operation in turn. Whatever was acknowledged is replayed, in
// order, and nothing else than what was appended.
#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "test/engine/translog/log_fixture.h"

namespace curlew::translog {
namespace {

using store::UnsyncedFate;
using Operations = std::vector<OwnedOperation>;

struct Expected {
  Operations appended;      // in order; seq_no = position
  size_t acknowledged = 0;  // the first so many are durable
  size_t trimmed = 0;       // the first so many may be gone
};

// Appends, waits, rolls, trims, closes and opens again until the first error. The same for the same
// seed, up to the error.
void RunWorkload(const std::shared_ptr<store::Directory>& directory,
                 const std::shared_ptr<LogWriter>& writer, uint64_t seed, Expected& expected) {
  test::Random random(seed);
  const auto open = [&] { return Translog::Open(directory, writer, SmallOptions()); };
  auto log = open();
  if (!log.ok()) return;
  for (int step = 0; step < 25; ++step) {
    Ticket ticket = 0;
    for (int64_t n = random.Between(0, 4); n > 0; --n) {
      const auto seq_no = static_cast<int64_t>(expected.appended.size());
      OwnedOperation operation = RandomOperation(random, seq_no, random.OneIn(10) ? 5000 : 300);
      const auto appended = (*log)->Append(operation.View());
      if (!appended.ok()) return;
      expected.appended.push_back(std::move(operation));
      ticket = *appended;
    }
    if (ticket > 0 && random.OneIn(2)) {
      if (!(*log)->WaitDurable(ticket).ok()) return;
      expected.acknowledged = expected.appended.size();
    }
    if (random.OneIn(4)) {
      const auto generation = (*log)->Roll();
      if (!generation.ok()) return;
      expected.acknowledged = expected.appended.size();
      if (random.OneIn(2)) {
        expected.trimmed = expected.appended.size();
        // A trim that fails is no failure of the log.
        (*log)->TrimBefore(*generation).IgnoreError();
      }
    }
    if (random.OneIn(8)) {
      if (!(*log)->Close().ok()) return;
      expected.acknowledged = expected.appended.size();
      log = open();
      if (!log.ok()) return;
    }
  }
  if ((*log)->Close().ok()) expected.acknowledged = expected.appended.size();
}

// Opens the image and holds it against `expected`; then goes on with it.
void Check(const std::shared_ptr<store::Directory>& image, const std::shared_ptr<LogWriter>& writer,
           const Expected& expected) {
  Operations replayed;
  {
    auto log = OpenLog(image, SmallOptions(), writer);
    replayed = ReplayAll(*log);
    const size_t first =
        replayed.empty() ? expected.trimmed : static_cast<size_t>(replayed[0].seq_no);
    REQUIRE(first <= expected.trimmed);
    REQUIRE(first + replayed.size() >= expected.acknowledged);
    REQUIRE(first + replayed.size() <= expected.appended.size());
    for (size_t i = 0; i < replayed.size(); ++i) {
      REQUIRE(replayed[i] == expected.appended[first + i]);
    }
    OwnedOperation more;
    more.id = "more";
    const Ticket ticket = log->Append(more.View()).value();
    REQUIRE(log->WaitDurable(ticket).ok());
    replayed.push_back(more);
  }
  // Whatever has been replayed once is durable from then on.
  const auto again = store::CrashImage(*image, UnsyncedFate::kLose);
  REQUIRE(ReplayAll(*OpenLog(again, SmallOptions(), writer)) == replayed);
}

TEST_CASE("a failure or a stop at any operation loses nothing that was acknowledged") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const auto writer = std::make_shared<LogWriter>(std::chrono::milliseconds(2));
  const auto workload = static_cast<uint64_t>(random.Between(1, 1 << 30));
  for (const bool stop : {false, true}) {
    int64_t fail_at = 1;
    for (bool struck = true; struck; ++fail_at) {
      auto memory = store::NewMemoryDirectory();
      auto plan = std::make_shared<store::FaultPlan>();
      plan->fail_at = fail_at;
      plan->stop = stop;
      plan->torn = fail_at % 2 == 0;
      Expected expected;
      RunWorkload(store::NewFaultDirectory(memory, plan), writer, workload, expected);
      struck = plan->operations >= fail_at;
      CAPTURE(stop, fail_at);
      Check(store::CrashImage(*memory, UnsyncedFate::kKeep), writer, expected);
      Check(store::CrashImage(*memory, UnsyncedFate::kLose), writer, expected);
      for (uint64_t seed = 0; seed < 6; ++seed) {
        CAPTURE(seed);
        Check(store::CrashImage(*memory, UnsyncedFate::kScramble, seed), writer, expected);
      }
    }
    CHECK(fail_at > 100);
  }
}

TEST_CASE("a crash of the recovery after a crash loses nothing either") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const auto writer = std::make_shared<LogWriter>(std::chrono::milliseconds(2));
  for (int round = 0; round < 60; ++round) {
    auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    plan->fail_at = random.Between(1, 150);
    plan->stop = true;
    Expected expected;
    RunWorkload(store::NewFaultDirectory(memory, plan), writer,
                static_cast<uint64_t>(random.Between(1, 1 << 30)), expected);
    const auto fate = random.OneIn(2) ? UnsyncedFate::kScramble : UnsyncedFate::kKeep;
    const auto seed = random.engine()();
    int64_t fail_at = 1;
    for (bool struck = true; struck; ++fail_at) {
      auto image = store::CrashImage(*memory, fate, seed);
      auto second = std::make_shared<store::FaultPlan>();
      second->fail_at = fail_at;
      second->stop = true;
      auto log = Translog::Open(store::NewFaultDirectory(image, second), writer, SmallOptions());
      struck = second->operations >= fail_at;
      REQUIRE(log.ok() == !struck);
      CAPTURE(fail_at);
      Check(store::CrashImage(*image, UnsyncedFate::kLose), writer, expected);
      Check(store::CrashImage(*image, UnsyncedFate::kScramble, random.engine()()), writer,
            expected);
    }
  }
}

TEST_CASE("random workloads, random crashes") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const auto writer = std::make_shared<LogWriter>(std::chrono::milliseconds(2));
  for (int round = 0; round < 300; ++round) {
    auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    plan->fail_at = random.Between(1, 250);
    plan->stop = random.OneIn(2);
    plan->no_space = random.OneIn(2);
    Expected expected;
    RunWorkload(store::NewFaultDirectory(memory, plan), writer, random.engine()(), expected);
    Check(store::CrashImage(*memory, UnsyncedFate::kScramble, random.engine()()), writer, expected);
  }
}

}  // namespace
}  // namespace curlew::translog
