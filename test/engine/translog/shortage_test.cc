// A lack of descriptors, memory or room is waited out; a sync that failed is not.
#include <atomic>
#include <cerrno>
#include <thread>

#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "engine/store/shortage.h"
#include "engine/util/error.h"
#include "test/engine/translog/log_fixture.h"

namespace curlew::translog {
namespace {

struct Rig {
  Rig() {
    plan->intercept = [this](std::string_view what, const std::string& path) -> absl::Status {
      if (!counting) return absl::OkStatus();
      ++operations;
      if (short_of == 0 && operations != fail_at) return absl::OkStatus();
      const int errno_value = short_of != 0 ? short_of.load() : error.load();
      met = true;
      return fsync && what.starts_with("sync")
                 ? store::SyncError(std::string(what) + " " + path, errno_value)
                 : IoError(std::string(what) + " " + path, errno_value);
    };
  }

  std::shared_ptr<store::Directory> memory = store::NewMemoryDirectory();
  std::shared_ptr<store::FaultPlan> plan = std::make_shared<store::FaultPlan>();
  std::atomic<bool> counting{false};
  std::atomic<int64_t> operations{0};
  std::atomic<int64_t> fail_at{0};
  std::atomic<int> error{0};
  std::atomic<int> short_of{0};    // every operation fails so, until it is 0 again
  std::atomic<bool> fsync{false};  // what fails of a sync is the fsync itself
  std::atomic<bool> met{false};
  std::shared_ptr<LogWriter> writer = std::make_shared<LogWriter>(std::chrono::milliseconds(2));
};

// Three generations, each with operations that are waited for.
absl::Status Fill(Translog& log, test::Random& random, std::vector<OwnedOperation>& acknowledged) {
  for (int round = 0; round < 3; ++round) {
    std::vector<OwnedOperation> operations;
    Ticket ticket = 0;
    for (int i = 0; i < 4; ++i) {
      operations.push_back(RandomOperation(
          random, static_cast<int64_t>(acknowledged.size() + operations.size()), 900));
      CURLEW_ASSIGN_OR_RETURN(ticket, log.Append(operations.back().View()));
    }
    CURLEW_RETURN_IF_ERROR(log.WaitDurable(ticket));
    acknowledged.insert(acknowledged.end(), operations.begin(), operations.end());
    absl::StatusOr<uint64_t> rolled = log.Roll();
    // It is the caller who tries that again.
    if (!rolled.ok() && store::IsShortage(rolled.status())) rolled = log.Roll();
    CURLEW_RETURN_IF_ERROR(rolled.status());
  }
  return absl::OkStatus();
}

TEST_CASE("a shortage at any operation of the log passes, and nothing is lost") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const int error : {EMFILE, ENOSPC}) {
    for (int64_t fail_at = 1;; ++fail_at) {
      INFO("operation " << fail_at << ", errno " << error);
      Rig rig;
      auto log =
          OpenLog(store::NewFaultDirectory(rig.memory, rig.plan), SmallOptions(), rig.writer);
      rig.fail_at = fail_at;
      rig.error = error;
      rig.counting = true;
      std::vector<OwnedOperation> acknowledged;
      const absl::Status status = Fill(*log, random, acknowledged);
      INFO(status);
      REQUIRE(status.ok());
      CHECK(acknowledged.size() == 12);
      const auto image = store::CrashImage(*rig.memory, store::UnsyncedFate::kLose);
      CHECK(ReplayAll(*OpenLog(image)) == acknowledged);
      rig.counting = false;
      REQUIRE(log->Close().ok());
      if (!rig.met) break;
    }
  }
}

TEST_CASE("an fsync that failed is not tried again, whatever it failed of") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  size_t failed = 0;
  for (int64_t fail_at = 1;; ++fail_at) {
    INFO("operation " << fail_at);
    Rig rig;
    auto log = OpenLog(store::NewFaultDirectory(rig.memory, rig.plan), SmallOptions(), rig.writer);
    rig.fail_at = fail_at;
    rig.error = ENOSPC;
    rig.fsync = true;
    rig.counting = true;
    std::vector<OwnedOperation> acknowledged;
    const absl::Status status = Fill(*log, random, acknowledged);
    if (!rig.met) break;
    if (!status.ok()) {
      ++failed;
      CHECK(store::IsSyncError(status));
      const int64_t operations = rig.operations;
      CHECK(log->Roll().status() == status);
      CHECK(rig.operations == operations);
    }
    const auto image = store::CrashImage(*rig.memory, store::UnsyncedFate::kLose);
    const auto found = ReplayAll(*OpenLog(image));
    REQUIRE(found.size() >= acknowledged.size());
    CHECK(std::equal(acknowledged.begin(), acknowledged.end(), found.begin()));
  }
  CHECK(failed > 3);
}

TEST_CASE("a shortage that lasts is told, and ends without a trace") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Rig rig;
  TranslogOptions options = SmallOptions();
  options.shortage_wait = std::chrono::milliseconds(100);
  auto log = OpenLog(store::NewFaultDirectory(rig.memory, rig.plan), options, rig.writer);
  CHECK(log->shortage().ok());
  std::vector<OwnedOperation> operations;
  const auto append = [&] {
    operations.push_back(RandomOperation(random, static_cast<int64_t>(operations.size()), 900));
    return log->Append(operations.back().View()).value();
  };
  const Ticket good = append();
  REQUIRE(log->WaitDurable(good).ok());
  rig.counting = true;
  rig.short_of = ENOSPC;
  const Ticket late = append();
  const absl::Status waited = log->WaitDurable(late);
  CHECK(DescribeError(waited).type == "translog_exception");
  CHECK(DescribeError(waited).rest_status == 503);
  CHECK(store::IsShortage(log->shortage()));
  CHECK(store::IsShortage(log->Roll().status()));
  CHECK(log->status().ok());
  CHECK(log->WaitDurable(good).ok());
  // Over more than one generation.
  for (int i = 0; i < 20; ++i) append();
  CHECK(!log->WaitDurable(log->last_ticket()).ok());
  rig.short_of = 0;
  // Nobody has to ask for it.
  while (!log->shortage().ok()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE(log->WaitDurable(log->last_ticket()).ok());
  REQUIRE(log->Roll().ok());
  CHECK(ReplayAll(*OpenLog(store::CrashImage(*rig.memory, store::UnsyncedFate::kLose))) ==
        operations);
}

TEST_CASE("a log is closed, and its writer ends, in a shortage, too") {
  for (const bool close : {true, false}) {
    Rig rig;
    auto log = OpenLog(store::NewFaultDirectory(rig.memory, rig.plan), SmallOptions(), rig.writer);
    rig.counting = true;
    rig.short_of = EMFILE;
    REQUIRE(log->Append(OwnedOperation().View()).ok());
    CHECK(!log->Roll().ok());
    if (close) CHECK(store::IsShortage(log->Close()));
    log = nullptr;
    rig.writer = nullptr;
  }
}

}  // namespace
}  // namespace curlew::translog
