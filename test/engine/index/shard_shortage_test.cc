// What is refused, put off or in conflict without being the end of the shard's writes.
#include <atomic>
#include <cerrno>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "engine/index/commit_point.h"
#include "engine/index/segment_files.h"
#include "engine/store/fault_directory.h"
#include "engine/store/shortage.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

bool OfSegment(const std::string& path) { return path.find("/_") != std::string::npos; }

// Files of segments that no snapshot has.
std::set<std::string> StrayFiles(const Shard& shard, store::Directory& directory) {
  std::set<std::string> stray;
  const auto snapshot = shard.snapshot();
  const auto files = directory.List();
  for (const std::string& file : *files) {
    const auto number = SegmentNumberOfFile(file);
    bool known = !number.has_value();
    for (const SnapshotSegment& segment : snapshot->segments) {
      known = known || SegmentNumberOfFile(segment.reader->info().name + ".") == number;
    }
    if (!known) stray.insert(file);
  }
  return stray;
}

TEST_CASE("a lack of descriptors or memory anywhere in a refresh ends nothing") {
  for (const int error : {EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT}) {
    for (int64_t fail_at = 1;; ++fail_at) {
      INFO("operation " << fail_at << ", errno " << error);
      auto memory = store::NewMemoryDirectory();
      auto plan = std::make_shared<store::FaultPlan>();
      std::atomic<int64_t> operations{-1};  // of segments, once counting
      plan->intercept = [&](std::string_view what, const std::string& path) -> absl::Status {
        if (!OfSegment(path) || operations < 0 || ++operations != fail_at) return absl::OkStatus();
        return IoError(std::string(what), error);
      };
      ShardWorld world;
      auto shard = world.Open(store::NewFaultDirectory(memory, plan));
      ApplyDurable(*shard, IndexOp("old", R"({"n":1})"));
      ApplyDurable(*shard, IndexOp("gone", R"({"n":1})"));
      REQUIRE(shard->Refresh().ok());
      ApplyDurable(*shard, IndexOp("a", R"({"n":1})"));
      ApplyDurable(*shard, IndexOp("b", R"({"n":1})"));
      ApplyDurable(*shard, IndexOp("old", R"({"n":2})"));
      operations = 0;
      const auto refreshed = shard->Refresh();
      const bool met = operations >= fail_at;
      operations = -1;
      REQUIRE(refreshed.ok() == !met);
      CHECK(StrayFiles(*shard, *memory).empty());
      // What is seen is the state of one moment, before or after.
      CHECK(VisibleDocuments(*shard)["old"] == (met ? R"({"n":1})" : R"({"n":2})"));
      // Documents that wait can be read, replaced and deleted.
      CHECK(shard->Get("a")->source == R"({"n":1})");
      CHECK(shard->Get("old")->source == R"({"n":2})");
      ApplyDurable(*shard, IndexOp("a", R"({"n":3})"));
      ApplyDurable(*shard, DeleteOp("b"));
      ApplyDurable(*shard, DeleteOp("gone"));
      CHECK(shard->Get("a")->source == R"({"n":3})");
      CHECK(!shard->Get("b")->found);
      const std::map<std::string, std::string> want = {{"a", R"({"n":3})"}, {"old", R"({"n":2})"}};
      REQUIRE(shard->Refresh().ok());
      CHECK(VisibleDocuments(*shard) == want);
      REQUIRE(shard->Flush().ok());
      CheckSegments(*shard, *memory);
      REQUIRE(shard->Close(false).ok());
      shard = world.Open(store::CrashImage(*memory, store::UnsyncedFate::kLose, 1));
      CHECK(VisibleDocuments(*shard) == want);
      if (!met) break;
    }
  }
}

// What the shard told, a word each.
struct Told {
  void operator()(ShardEvent event, const absl::Status& cause) {
    static constexpr const char* kNames[] = {"stopped", "short", "over", "merge"};
    std::lock_guard lock(mutex);
    events.emplace_back(kNames[static_cast<int>(event)]);
    CHECK(cause.ok() == (event == ShardEvent::kShortageOver));
  }
  std::vector<std::string> All() {
    std::lock_guard lock(mutex);
    return events;
  }

  std::mutex mutex;
  std::vector<std::string> events;
};

TEST_CASE("a shortage anywhere in a commit, or in its log, ends nothing") {
  for (const int error : {EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT}) {
    for (int64_t fail_at = 1;; ++fail_at) {
      INFO("operation " << fail_at << ", errno " << error);
      auto memory = store::NewMemoryDirectory();
      auto plan = std::make_shared<store::FaultPlan>();
      std::atomic<int64_t> operations{-1};
      plan->intercept = [&](std::string_view what, const std::string&) -> absl::Status {
        if (operations < 0 || ++operations != fail_at) return absl::OkStatus();
        return IoError(std::string(what), error);
      };
      ShardWorld world;
      Told told;
      world.options.on_event = std::ref(told);
      auto shard = world.Open(store::NewFaultDirectory(memory, plan));
      for (int i = 0; i < 9; ++i) ApplyDurable(*shard, IndexOp(std::to_string(i), R"({"n":1})"));
      REQUIRE(shard->Refresh().ok());
      ApplyDurable(*shard, DeleteOp("0"));
      operations = 0;
      const absl::Status flushed = shard->Flush();
      const bool met = operations >= fail_at;
      operations = -1;
      INFO(flushed);
      CHECK(shard->stats().failure.ok());
      REQUIRE(shard->Flush().ok());
      ApplyDurable(*shard, DeleteOp("1"));
      REQUIRE(shard->Flush().ok());
      const std::vector<std::string> events = told.All();
      CHECK(events.size() == (flushed.ok() ? 0 : 2));
      if (events.size() == 2) CHECK((events[0] == "short" && events[1] == "over"));
      REQUIRE(shard->Close(false).ok());
      for (const auto fate : {store::UnsyncedFate::kLose, store::UnsyncedFate::kScramble}) {
        ShardWorld after;
        auto recovered = after.Open(store::CrashImage(*memory, fate, 1));
        CHECK(VisibleDocuments(*recovered).size() == 7);
      }
      if (!met) break;
    }
  }
}

TEST_CASE("a crash after a commit that was put off finds one state or the other") {
  for (int64_t fail_at = 1;; ++fail_at) {
    INFO("operation " << fail_at);
    auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    std::atomic<int64_t> operations{-1};
    std::atomic<int64_t> stop_at{-1};
    plan->intercept = [&](std::string_view what, const std::string&) -> absl::Status {
      if (operations < 0) return absl::OkStatus();
      const int64_t now = ++operations;
      if (stop_at >= 0 && now >= stop_at) return IoError("stopped", EIO);
      return now == fail_at ? IoError(std::string(what), EMFILE) : absl::OkStatus();
    };
    ShardWorld world;
    auto shard = world.Open(store::NewFaultDirectory(memory, plan));
    for (int i = 0; i < 9; ++i) ApplyDurable(*shard, IndexOp(std::to_string(i), R"({"n":1})"));
    REQUIRE(shard->Flush().ok());
    ApplyDurable(*shard, DeleteOp("0"));
    operations = 0;
    const bool failed = !shard->Flush().ok();
    const bool met = operations >= fail_at;
    // The machine stops somewhere in the second attempt, with more deletions than the first had.
    if (failed) {
      // Refused for as long as the log is not written again.
      OperationResult result;
      ApplyOutcome outcome;
      do {
        const Operation deletion = DeleteOp("1");
        outcome = shard->Apply({&deletion, 1}, {&result, 1});
      } while (!result.status.ok());
      REQUIRE(shard->WaitDurable(outcome.ticket).ok());
      stop_at = operations + fail_at + 1;
      shard->Flush().IgnoreError();
      for (uint64_t seed = 0; seed < 8; ++seed) {
        ShardWorld after;
        auto image = store::CrashImage(*memory, store::UnsyncedFate::kScramble, seed);
        auto recovered = after.Open(image);
        CHECK(VisibleDocuments(*recovered).size() == 7);
        CheckSegments(*recovered, *image);
      }
    }
    if (!met) break;
  }
}

TEST_CASE("an fsync that failed ends the writes, and is told once") {
  size_t stopped = 0;
  for (int64_t fail_at = 1;; ++fail_at) {
    INFO("operation " << fail_at);
    auto plan = std::make_shared<store::FaultPlan>();
    std::atomic<int64_t> syncs{-1};
    plan->intercept = [&](std::string_view what, const std::string&) -> absl::Status {
      if (!what.starts_with("sync") || syncs < 0 || ++syncs != fail_at) return absl::OkStatus();
      return store::SyncError(std::string(what), ENOSPC);
    };
    ShardWorld world;
    Told told;
    world.options.on_event = std::ref(told);
    auto shard = world.Open(store::NewFaultDirectory(store::NewMemoryDirectory(), plan));
    ApplyDurable(*shard, IndexOp("a", R"({"n":1})"));
    syncs = 0;
    const bool flushed = shard->Flush().ok();
    const bool met = syncs >= fail_at;
    CHECK(flushed == !met);
    if (!met) break;
    ++stopped;
    CHECK(!shard->stats().failure.ok());
    CHECK(!ApplyOne(*shard, IndexOp("b", "{}")).status.ok());
    CHECK(!ApplyOne(*shard, DeleteOp("a")).status.ok());
    CHECK(!shard->Flush().ok());
    CHECK(told.All() == std::vector<std::string>{"stopped"});
    CHECK(shard->Get("a")->found);
  }
  CHECK(stopped > 4);
}

TEST_CASE("a commit that was put off is made when it can be") {
  auto memory = store::NewMemoryDirectory();
  auto plan = std::make_shared<store::FaultPlan>();
  std::atomic<bool> shortage{false};
  plan->intercept = [&](std::string_view what, const std::string& path) -> absl::Status {
    if (!shortage || path.find("segments_") == std::string::npos) return absl::OkStatus();
    return IoError(std::string(what), ENOSPC);
  };
  ShardWorld world;
  world.options.commit_pause = std::chrono::milliseconds(20);
  auto shard = world.Open(store::NewFaultDirectory(memory, plan));
  ApplyDurable(*shard, IndexOp("a", R"({"n":1})"));
  shortage = true;
  CHECK(!shard->Flush().ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const uint64_t before = shard->stats().flush_total;
  const std::vector<std::string> files = memory->List().value();
  for (const std::string& file : files) CHECK(!IsPendingCommitFile(file));
  shortage = false;
  while (shard->stats().flush_total == before) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(shard->stats().translog_operations == 0);
}

TEST_CASE("while the log cannot be written operations are refused before they are applied") {
  auto memory = store::NewMemoryDirectory();
  auto plan = std::make_shared<store::FaultPlan>();
  std::atomic<bool> shortage{false};
  plan->intercept = [&](std::string_view what, const std::string& path) -> absl::Status {
    if (!shortage || what != "write" || path.find("translog") == std::string::npos) {
      return absl::OkStatus();
    }
    return IoError(std::string(what), ENOSPC);
  };
  ShardWorld world;
  Told told;
  world.options.on_event = std::ref(told);
  world.options.translog.shortage_wait = std::chrono::milliseconds(50);
  auto shard = world.Open(store::NewFaultDirectory(memory, plan));
  ApplyDurable(*shard, IndexOp("a", R"({"n":1})"));
  shortage = true;
  OperationResult result;
  const Operation index = IndexOp("b", R"({"n":1})");
  const ApplyOutcome outcome = shard->Apply({&index, 1}, {&result, 1});
  REQUIRE(result.status.ok());
  CHECK(ErrorType(shard->WaitDurable(outcome.ticket)) == "translog_exception");
  const int64_t spent = shard->stats().max_seq_no;
  for (const Operation& operation :
       {IndexOp("c", "{}"), DeleteOp("a"), UpdateOp("a", R"({"n":2})")}) {
    const absl::Status status = ApplyOne(*shard, operation).status;
    CHECK(ErrorType(status) == "rejected_execution_exception");
    CHECK(DescribeError(status).rest_status == 429);
  }
  CHECK(shard->stats().max_seq_no == spent);
  CHECK(shard->stats().failure.ok());
  shortage = false;
  // Once it is tried again.
  while (!shard->WaitDurable(outcome.ticket).ok()) std::this_thread::yield();
  ApplyDurable(*shard, IndexOp("c", "{}"));
  CHECK(told.All() == std::vector<std::string>{"short", "over"});
  ShardWorld after;
  auto recovered = after.Open(store::CrashImage(*memory, store::UnsyncedFate::kLose, 1));
  CHECK(VisibleDocuments(*recovered).size() == 3);
}

TEST_CASE("a shortage that lasts refuses documents before memory runs out") {
  auto plan = std::make_shared<store::FaultPlan>();
  std::atomic<bool> shortage{true};
  plan->intercept = [&](std::string_view what, const std::string& path) -> absl::Status {
    if (!shortage.load() || !OfSegment(path) || what != "open") return absl::OkStatus();
    return IoError("open", EMFILE);
  };
  ShardWorld world;
  world.options.buffer_bytes = 40 << 10;
  auto shard = world.Open(store::NewFaultDirectory(store::NewMemoryDirectory(), plan));
  const std::string source = R"({"k":")" + std::string(2000, 'x') + R"("})";
  OperationResult refused;
  size_t taken = 0;
  while (taken < 1000) {
    refused = ApplyOne(*shard, IndexOp(std::to_string(taken), source));
    if (!refused.status.ok()) break;
    ++taken;
  }
  CHECK(ErrorType(refused.status) == "rejected_execution_exception");
  CHECK(taken > 5);
  CHECK(taken < 200);
  // Deletions take no room.
  CHECK(ApplyOne(*shard, DeleteOp("0")).status.ok());
  shortage = false;
  REQUIRE(shard->Refresh().ok());
  CHECK(VisibleDocuments(*shard).size() == taken - 1);
  CHECK(ApplyOne(*shard, IndexOp("more", source)).status.ok());
}

TEST_CASE("a segment whose writing fails leaves no files") {
  for (int64_t fail_at = 1;; ++fail_at) {
    auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    ShardWorld world;
    auto shard = world.Open(store::NewFaultDirectory(memory, plan));
    ApplyDurable(*shard, IndexOp("a", R"({"n":1})"));
    plan->fail_at = plan->operations + fail_at;
    const bool refreshed = shard->Refresh().ok();
    INFO("operation " << fail_at);
    CHECK(StrayFiles(*shard, *memory).empty());
    if (refreshed) break;
    CHECK(shard->Get("a")->found);
    // Not a shortage: no more writes.
    CHECK(!ApplyOne(*shard, IndexOp("b", "{}")).status.ok());
  }
}

TEST_CASE("an operation that is too large for the log fails alone") {
  ShardWorld world;
  world.options.translog.max_operation_bytes = 1000;
  auto shard = world.Open(store::NewMemoryDirectory());
  const std::string large = R"({"t":")" + std::string(1000, 'x') + R"("})";
  const std::string half = R"({"t":")" + std::string(600, 'x') + R"("})";
  CHECK(ErrorType(ApplyOne(*shard, IndexOp("a", large)).status) == "illegal_argument_exception");
  CHECK(ErrorType(ApplyOne(*shard, CreateOp("a", large)).status) == "illegal_argument_exception");
  CHECK(ErrorType(ApplyOne(*shard, DeleteOp(large)).status) == "illegal_argument_exception");
  // No number was spent.
  CHECK(ApplyDurable(*shard, IndexOp("a", half)).seq_no == 0);
  // The sum is too large, each part is not.
  const std::string other = R"({"k":")" + std::string(600, 'x') + R"("})";
  CHECK(ErrorType(ApplyOne(*shard, UpdateOp("a", other)).status) == "illegal_argument_exception");
  Operation upsert = UpdateOp("b", "{}");
  upsert.upsert = large;
  CHECK(ErrorType(ApplyOne(*shard, upsert).status) == "illegal_argument_exception");
  CHECK(ApplyDurable(*shard, IndexOp("b", "{}")).seq_no == 1);
  CHECK(shard->stats().local_checkpoint == 1);
  REQUIRE(shard->Flush().ok());
}

TEST_CASE("an update that meets a concurrent write is a conflict, unless it may try again") {
  for (const bool exists : {true, false}) {
    for (const int retries : {0, 1, 5}) {
      INFO("exists " << exists << ", retry_on_conflict " << retries);
      ShardWorld world;
      auto shard = world.Open(store::NewMemoryDirectory());
      if (exists) ApplyDurable(*shard, IndexOp("a", R"({"k":"one"})"));
      // Between the reading and the writing of the update.
      world.on_mapping_update = [&] {
        CHECK(ApplyOne(*shard, IndexOp("a", R"({"k":"two"})")).status.ok());
      };
      Operation update = UpdateOp("a", R"({"made_on_the_way":"x"})");
      update.doc_as_upsert = true;
      update.retry_on_conflict = retries;
      const OperationResult result = ApplyOne(*shard, update);
      if (retries == 0) {
        CHECK(ErrorType(result.status) == "version_conflict_engine_exception");
        CHECK(DescribeError(result.status).rest_status == 409);
        CHECK(shard->Get("a")->source == R"({"k":"two"})");
      } else {
        REQUIRE(result.status.ok());
        CHECK(shard->Get("a")->source == R"({"k":"two","made_on_the_way":"x"})");
      }
    }
  }
}

TEST_CASE("what an operation tells of other writes has to be durable first") {
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  OperationResult result;
  const Operation index = IndexOp("a", R"({"k":"one"})");
  const ApplyOutcome written = shard->Apply({&index, 1}, {&result, 1});
  REQUIRE(written.ticket > 0);
  Operation with_condition = DeleteOp("a");
  with_condition.if_seq_no = 7;
  for (const Operation& operation :
       {UpdateOp("a", R"({"k":"one"})"), CreateOp("a", "{}"), with_condition}) {
    const ApplyOutcome outcome = shard->Apply({&operation, 1}, {&result, 1});
    CHECK(!outcome.wrote);
    CHECK(outcome.ticket == written.ticket);
  }
}

TEST_CASE("reads are counted") {
  ShardWorld world;
  auto shard = world.Open(store::NewMemoryDirectory());
  ApplyOne(*shard, IndexOp("a", "{}"));
  CHECK(shard->stats().get_total == 0);
  CHECK(shard->Get("a")->found);
  CHECK(!shard->Get("b")->found);
  CHECK(shard->stats().get_total == 2);
}

}  // namespace
}  // namespace curlew::index
