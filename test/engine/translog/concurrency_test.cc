// Many threads on one log, many logs on one writer.
#include <atomic>
#include <future>
#include <map>
#include <thread>

#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "test/engine/translog/log_fixture.h"

namespace curlew::translog {
namespace {

// Appends `count` operations whose id is the thread's; their seq_no counts up from 0.
void AppendMany(Translog& log, const std::string& id, int count, test::Random random,
                std::atomic<int>& failures) {
  for (int i = 0; i < count; ++i) {
    OwnedOperation operation = RandomOperation(random, i, 100);
    operation.id = id;
    const auto ticket = log.Append(operation.View());
    if (!ticket.ok()) {
      ++failures;
      return;
    }
    if (random.OneIn(3) || i + 1 == count) {
      if (!log.WaitDurable(*ticket).ok()) {
        ++failures;
        return;
      }
    }
  }
}

// Every thread's operations are there, in its order.
void CheckOrder(Translog& log, size_t threads, int64_t count) {
  std::map<std::string, int64_t> next;
  for (const OwnedOperation& operation : ReplayAll(log)) {
    REQUIRE(operation.seq_no == next[operation.id]);
    ++next[operation.id];
  }
  REQUIRE(next.size() == threads);
  for (const auto& [id, n] : next) REQUIRE(n == count);
}

TEST_CASE("threads that append, wait and roll at the same time keep their order") {
  constexpr int kThreads = 6;
  constexpr int kCount = 300;
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  auto memory = store::NewMemoryDirectory();
  auto plan = std::make_shared<store::FaultPlan>();
  auto log = OpenLog(store::NewFaultDirectory(memory, plan));
  std::atomic<int> failures{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back(AppendMany, std::ref(*log), std::to_string(t), kCount,
                         test::Random(random.engine()()), std::ref(failures));
  }
  std::thread roller([&] {
    while (!done) {
      const auto generation = log->Roll();
      if (!generation.ok() || log->stats().generation < *generation) ++failures;
    }
  });
  for (std::thread& thread : threads) thread.join();
  done = true;
  roller.join();
  CHECK(failures == 0);
  CHECK(log->stats().operations == kThreads * kCount);
  auto image = store::CrashImage(*memory, store::UnsyncedFate::kLose);
  CheckOrder(*OpenLog(image), kThreads, kCount);
}

TEST_CASE("trimming goes along with appending") {
  auto memory = store::NewMemoryDirectory();
  auto log = OpenLog(memory);
  std::atomic<int> failures{0};
  std::thread appender(AppendMany, std::ref(*log), "a", 2000, test::Random(), std::ref(failures));
  for (int i = 0; i < 100; ++i) {
    const auto generation = log->Roll();
    if (!generation.ok() || !log->TrimBefore(*generation).ok()) ++failures;
  }
  appender.join();
  CHECK(failures == 0);
  REQUIRE(log->Close().ok());
  int64_t last = -1;
  for (const OwnedOperation& operation : ReplayAll(*OpenLog(memory))) {
    if (last >= 0) REQUIRE(operation.seq_no == last + 1);
    last = operation.seq_no;
  }
  CHECK((last == 1999 || last == -1));
}

TEST_CASE("one writer serves many logs") {
  constexpr int kLogs = 5;
  auto writer = std::make_shared<LogWriter>();
  std::vector<std::shared_ptr<store::Directory>> folders;
  std::vector<std::shared_ptr<Translog>> logs;
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int i = 0; i < kLogs; ++i) {
    folders.push_back(store::NewMemoryDirectory());
    logs.push_back(OpenLog(folders.back(), SmallOptions(), writer));
  }
  for (int i = 0; i < kLogs; ++i) {
    threads.emplace_back(AppendMany, std::ref(*logs[static_cast<size_t>(i)]), "x", 200,
                         test::Random(), std::ref(failures));
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  logs.clear();
  for (const auto& folder : folders) {
    CheckOrder(*OpenLog(store::CrashImage(*folder, store::UnsyncedFate::kLose)), 1, 200);
  }
}

TEST_CASE("a log that is dropped has let go of its files") {
  auto plan = std::make_shared<store::FaultPlan>();
  std::promise<void> reserving;
  std::promise<void> go_on;
  std::atomic<bool> first{true};
  plan->intercept = [&](std::string_view what, const std::string&) -> absl::Status {
    if (what == "reserve" && first.exchange(false)) {
      reserving.set_value();
      go_on.get_future().wait();
    }
    return absl::OkStatus();
  };
  auto memory = store::NewMemoryDirectory();
  auto log = OpenLog(store::NewFaultDirectory(memory, plan));
  OwnedOperation operation;
  operation.id = "1";
  operation.source = std::string(900, 'x');
  // Room for the next operations is the last thing that the writer makes: nobody waits for it.
  REQUIRE(log->WaitDurable(log->Append(operation.View()).value()).ok());
  REQUIRE(reserving.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready);
  auto dropped = std::async(std::launch::async, [&] { log = nullptr; });
  CHECK(dropped.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout);
  go_on.set_value();
  dropped.get();
  CHECK(ReplayAll(*OpenLog(memory)).size() == 1);
}

TEST_CASE("a failure reaches every waiter, and what was acknowledged before it is there") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (int round = 0; round < 30; ++round) {
    auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    auto log = OpenLog(store::NewFaultDirectory(memory, plan));
    plan->fail_at = plan->operations + random.Between(1, 40);
    plan->stop = true;
    constexpr int kThreads = 4;
    std::vector<int64_t> acknowledged(kThreads, -1);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        OwnedOperation operation;
        operation.id = std::to_string(t);
        // Ends only because the failure comes through.
        for (operation.seq_no = 0;; ++operation.seq_no) {
          const auto ticket = log->Append(operation.View());
          if (!ticket.ok() || !log->WaitDurable(*ticket).ok()) return;
          acknowledged[static_cast<size_t>(t)] = operation.seq_no;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::map<std::string, int64_t> last;
    auto image = store::CrashImage(*memory, store::UnsyncedFate::kScramble, random.engine()());
    for (const OwnedOperation& operation : ReplayAll(*OpenLog(image))) {
      REQUIRE(operation.seq_no == (last.count(operation.id) > 0 ? last[operation.id] + 1 : 0));
      last[operation.id] = operation.seq_no;
    }
    for (int t = 0; t < kThreads; ++t) {
      const auto found = last.find(std::to_string(t));
      REQUIRE((found == last.end() ? -1 : found->second) >= acknowledged[static_cast<size_t>(t)]);
    }
  }
}

}  // namespace
}  // namespace curlew::translog
