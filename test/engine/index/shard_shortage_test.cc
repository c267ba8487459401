// What is refused, put off or in conflict without being the end of the shard's writes.
#include <atomic>
#include <cerrno>
#include <set>

#include "engine/index/segment_files.h"
#include "engine/store/fault_directory.h"
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

TEST_CASE("a lack of descriptors in a commit ends nothing") {
  for (int64_t fail_at = 1;; ++fail_at) {
    INFO("operation " << fail_at);
    auto memory = store::NewMemoryDirectory();
    auto plan = std::make_shared<store::FaultPlan>();
    std::atomic<int64_t> operations{-1};
    plan->intercept = [&](std::string_view what, const std::string& path) -> absl::Status {
      if (path.find("translog") != std::string::npos || operations < 0) return absl::OkStatus();
      if (++operations != fail_at) return absl::OkStatus();
      return IoError(std::string(what), EMFILE);
    };
    ShardWorld world;
    auto shard = world.Open(store::NewFaultDirectory(memory, plan));
    for (int i = 0; i < 9; ++i) ApplyDurable(*shard, IndexOp(std::to_string(i), R"({"n":1})"));
    REQUIRE(shard->Refresh().ok());
    ApplyDurable(*shard, DeleteOp("0"));
    operations = 0;
    const absl::Status flushed = shard->Flush();
    const bool met = operations >= fail_at;
    operations = -1;
    INFO(flushed);
    ApplyDurable(*shard, DeleteOp("1"));
    REQUIRE(shard->Flush().ok());
    REQUIRE(shard->Close(false).ok());
    shard = world.Open(store::CrashImage(*memory, store::UnsyncedFate::kLose, 1));
    CHECK(VisibleDocuments(*shard).size() == 7);
    if (!met) break;
  }
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
