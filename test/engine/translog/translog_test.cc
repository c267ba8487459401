// What a translog keeps, in which order, and for how long.
#include "engine/translog/translog.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "engine/store/real_directory.h"
#include "test/engine/translog/log_fixture.h"
#include "test/support/temp_folder.h"

namespace curlew::translog {
namespace {

using Operations = std::vector<OwnedOperation>;

TEST_CASE("an empty folder gives an empty log") {
  auto directory = store::NewMemoryDirectory();
  for (int i = 0; i < 3; ++i) {
    auto log = OpenLog(directory);
    CHECK(ReplayAll(*log).empty());
    const TranslogStats stats = log->stats();
    CHECK(stats.operations == 0);
    CHECK(stats.bytes == 0);
    CHECK(stats.oldest_generation == 1);
    // Opening an empty log again and again leaves no files behind.
    CHECK(stats.generation == 1);
    CHECK(log->Close().ok());
    CHECK(log->Close().ok());
  }
  CHECK(directory->List().value() == std::vector<std::string>{"translog-1.log", "translog.ckp"});
}

TEST_CASE("tickets rise, and waiting for a later one covers the earlier ones") {
  auto memory = store::NewMemoryDirectory();
  auto plan = std::make_shared<store::FaultPlan>();
  auto log = OpenLog(store::NewFaultDirectory(memory, plan), TranslogOptions());
  test::Random random;
  Ticket last = 0;
  for (int i = 0; i < 100; ++i) {
    const Ticket ticket = log->Append(RandomOperation(random, i).View()).value();
    REQUIRE(ticket > last);
    last = ticket;
  }
  const int64_t before = plan->operations;
  REQUIRE(log->WaitDurable(last).ok());
  // One write and one sync for all hundred, and nothing for a ticket that is already durable.
  CHECK(plan->operations == before + 2);
  REQUIRE(log->WaitDurable(last - 50).ok());
  REQUIRE(log->WaitDurable(0).ok());
  CHECK(plan->operations == before + 2);
  CHECK_FALSE(log->WaitDurable(last + 1).ok());
}

TEST_CASE("what was waited for survives power loss, what was not is lost") {
  auto directory = store::NewMemoryDirectory();
  auto log = OpenLog(directory);
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Operations expected;
  Ticket ticket = 0;
  for (int i = 0; i < 5; ++i) {
    expected.push_back(RandomOperation(random, i));
    ticket = log->Append(expected.back().View()).value();
  }
  REQUIRE(log->WaitDurable(ticket).ok());
  REQUIRE(log->Append(RandomOperation(random, 5).View()).ok());
  auto image = store::CrashImage(*directory, store::UnsyncedFate::kLose);
  CHECK(ReplayAll(*OpenLog(image)) == expected);
}

struct RealModel {
  test::TempFolder folder;
  std::shared_ptr<store::Directory> directory = store::OpenRealDirectory(folder.path()).value();
  static constexpr int kSteps = 300;
};
struct MemoryModel {
  std::shared_ptr<store::Directory> directory = store::NewMemoryDirectory();
  static constexpr int kSteps = 3000;
};

TEMPLATE_TEST_CASE("random appending, rolling, trimming and reopening equal a model", "",
                   MemoryModel, RealModel) {
  TestType model;
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  auto writer = std::make_shared<LogWriter>();
  auto log = OpenLog(model.directory, SmallOptions(), writer);

  Operations all;                     // ever appended, by seq_no
  size_t kept_from = 0;               // what a trim has let go at most
  std::map<uint64_t, size_t> rolled;  // generation -> first operation that is in it
  const auto check_replay = [&] {
    const Operations replayed = ReplayAll(*log);
    const size_t first = replayed.empty() ? all.size() : static_cast<size_t>(replayed[0].seq_no);
    REQUIRE(first <= kept_from);
    REQUIRE(replayed == Operations(all.begin() + static_cast<std::ptrdiff_t>(first), all.end()));
    REQUIRE(log->stats().operations == replayed.size());
    if (!rolled.empty()) {
      const auto& [generation, from] = *rolled.rbegin();
      if (generation >= log->stats().oldest_generation) {
        REQUIRE(ReplayAll(*log, generation) ==
                Operations(all.begin() + static_cast<std::ptrdiff_t>(from), all.end()));
      }
    }
  };

  for (int step = 0; step < TestType::kSteps; ++step) {
    const int64_t what = random.Between(0, 99);
    if (what < 80) {
      all.push_back(
          RandomOperation(random, static_cast<int64_t>(all.size()), random.OneIn(30) ? 9000 : 200));
      const uint64_t bytes = log->stats().bytes;
      const Ticket ticket = log->Append(all.back().View()).value();
      REQUIRE(log->stats().bytes > bytes + all.back().source.size());
      if (random.OneIn(3)) REQUIRE(log->WaitDurable(ticket).ok());
    } else if (what < 88) {
      const uint64_t generation = log->Roll().value();
      REQUIRE(generation == log->stats().generation);
      REQUIRE(log->Roll().value() == generation);  // still empty
      rolled[generation] = all.size();
      // It is there, and so is all that was appended before it.
      REQUIRE(model.directory->Exists("translog-" + std::to_string(generation) + ".log").value());
    } else if (what < 93 && !rolled.empty()) {
      auto chosen = rolled.begin();
      std::advance(chosen, random.Between(0, static_cast<int64_t>(rolled.size()) - 1));
      REQUIRE(log->TrimBefore(chosen->first).ok());
      kept_from = std::max(kept_from, chosen->second);
      REQUIRE(log->stats().oldest_generation >= chosen->first);
    } else if (what < 97) {
      REQUIRE(log->Close().ok());
      log = OpenLog(model.directory, SmallOptions(), writer);
      check_replay();
    }
  }
  REQUIRE(log->Close().ok());
  log = OpenLog(model.directory, SmallOptions(), writer);
  check_replay();
  // No file is forgotten: the checkpoint and one per kept generation.
  const TranslogStats stats = log->stats();
  CHECK(model.directory->List().value().size() ==
        1 + stats.generation - stats.oldest_generation + 1);
}

TEST_CASE("a generation is closed at its size") {
  auto directory = store::NewMemoryDirectory();
  auto log = OpenLog(directory);
  OwnedOperation operation;
  operation.source = std::string(1500, 'x');
  for (int i = 0; i < 9; ++i) REQUIRE(log->Append(operation.View()).ok());
  CHECK(log->stats().generation == 4);
  REQUIRE(log->Close().ok());
  CHECK(directory->Size("translog-1.log").value() < 7000);
  CHECK(ReplayAll(*OpenLog(directory)).size() == 9);
}

TEST_CASE("replay starts where it is told, and stops at the visitor's error") {
  auto directory = store::NewMemoryDirectory();
  {
    auto log = OpenLog(directory);
    test::Random random;
    for (int i = 0; i < 3; ++i) {
      REQUIRE(log->Append(RandomOperation(random, i).View()).ok());
      REQUIRE(log->Roll().value() == static_cast<uint64_t>(i) + 2);
    }
    REQUIRE(log->TrimBefore(2).ok());
    REQUIRE(log->Close().ok());
  }
  auto log = OpenLog(directory);
  CHECK(ReplayAll(*log).size() == 2);
  CHECK(ReplayAll(*log, 2).size() == 2);
  CHECK(ReplayAll(*log, 3).size() == 1);
  CHECK(ReplayAll(*log, 4).empty());
  const auto ignore = [](const Operation&) { return absl::OkStatus(); };
  CHECK(log->Replay(1, ignore).code() == absl::StatusCode::kDataLoss);
  CHECK(log->Replay(5, ignore).code() == absl::StatusCode::kDataLoss);
  int seen = 0;
  CHECK(log->Replay(0,
                    [&](const Operation&) {
                      ++seen;
                      return absl::AbortedError("enough");
                    })
            .code() == absl::StatusCode::kAborted);
  CHECK(seen == 1);
  REQUIRE(log->Append(OwnedOperation().View()).ok());
  CHECK_FALSE(log->Replay(0, ignore).ok());
}

TEST_CASE("a closed log refuses, and trimming what does not exist is refused") {
  auto log = OpenLog(store::NewMemoryDirectory());
  const Ticket ticket = log->Append(OwnedOperation().View()).value();
  CHECK(log->TrimBefore(2).code() == absl::StatusCode::kInvalidArgument);
  CHECK(log->TrimBefore(0).ok());
  REQUIRE(log->Close().ok());
  CHECK(log->WaitDurable(ticket).ok());
  CHECK_FALSE(log->Append(OwnedOperation().View()).ok());
  CHECK_FALSE(log->Roll().ok());
  CHECK_FALSE(log->TrimBefore(1).ok());
}

TEST_CASE("after a failed sync everything fails with its error") {
  for (const char* what : {"write", "sync"}) {
    auto plan = std::make_shared<store::FaultPlan>();
    auto log =
        OpenLog(store::NewFaultDirectory(store::NewMemoryDirectory(), plan), TranslogOptions());
    const Ticket good = log->Append(OwnedOperation().View()).value();
    REQUIRE(log->WaitDurable(good).ok());
    const Ticket bad = log->Append(OwnedOperation().View()).value();
    plan->fail_at = plan->operations + (std::string(what) == "write" ? 1 : 2);
    const absl::Status status = log->WaitDurable(bad);
    CHECK_THAT(Message(status), Catch::Contains("injected") && Catch::Contains(what));
    const int64_t operations = plan->operations;
    CHECK(log->Append(OwnedOperation().View()).status() == status);
    CHECK(log->WaitDurable(bad) == status);
    CHECK(log->Roll().status() == status);
    CHECK(log->TrimBefore(1) == status);
    CHECK(log->Close() == status);
    CHECK(log->WaitDurable(good).ok());
    CHECK(plan->operations == operations);  // nothing has been tried any more
  }
}

TEST_CASE("a log may be dropped while the writer still has it") {
  auto directory = store::NewMemoryDirectory();
  OwnedOperation operation;
  operation.source = std::string(2 << 20, 'x');  // large enough to be written unasked
  for (int i = 0; i < 20; ++i) {
    auto log = OpenLog(store::NewMemoryDirectory());
    REQUIRE(log->Append(operation.View()).ok());
  }
  auto writer = std::make_shared<LogWriter>();
  auto log = OpenLog(directory, SmallOptions(), writer);
  REQUIRE(log->Append(operation.View()).ok());
  writer = nullptr;
  log = nullptr;  // the writer serves it before it ends
  CHECK(ReplayAll(*OpenLog(directory)).size() == 1);
}

}  // namespace
}  // namespace curlew::translog
