#include "engine/store/fault_directory.h"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "engine/store/memory_directory.h"

namespace curlew::store {
namespace {

struct Rig {
  std::shared_ptr<Directory> memory = NewMemoryDirectory();
  std::shared_ptr<FaultPlan> plan = std::make_shared<FaultPlan>();
  std::shared_ptr<Directory> faulty = NewFaultDirectory(memory, plan);
};

std::string Content(Directory& directory, const std::string& name) {
  return std::string(directory.Open(name).value()->view());
}

TEST_CASE("every call counts once and can be the one that fails") {
  // Each leaves what the next needs.
  using Call = std::function<absl::Status(Directory&)>;
  std::unique_ptr<OutputFile> file;
  std::unique_ptr<LogFile> log;
  const std::vector<Call> calls = {
      [&](Directory& d) {
        auto made = d.Create("f");
        if (made.ok()) file = *std::move(made);
        return made.status();
      },
      [&](Directory&) { return file->Append("abcd"); },
      [&](Directory&) { return file->Sync(); },
      [&](Directory&) { return file->Close(); },
      [&](Directory& d) { return d.SyncFile("f"); },
      [&](Directory& d) { return d.Open("f").status(); },
      [&](Directory& d) { return d.Exists("f").status(); },
      [&](Directory& d) { return d.Size("f").status(); },
      [&](Directory& d) { return d.List().status(); },
      [&](Directory& d) { return d.Rename("f", "g"); },
      [&](Directory& d) { return d.Delete("g"); },
      [&](Directory& d) { return d.SyncDirectory(); },
      [&](Directory& d) {
        auto made = d.OpenLog("log", 10);
        if (made.ok()) log = *std::move(made);
        return made.status();
      },
      [&](Directory&) { return log->WriteAt(0, "abcd"); },
      [&](Directory&) { return log->Reserve(100); },
      [&](Directory&) { return log->DataSync(); },
      [&](Directory&) { return log->Close(); },
      [&](Directory& d) { return d.Sub("s").status(); },
      [&](Directory& d) { return d.ListSubs().status(); },
      [&](Directory& d) { return d.DeleteSub("s"); },
  };
  for (size_t failing = 0; failing <= calls.size(); ++failing) {
    Rig rig;
    for (size_t i = 0; i < calls.size(); ++i) {
      if (i == failing) {
        rig.plan->fail_at = static_cast<int64_t>(i) + 1;
        CHECK(calls[i](*rig.faulty).code() == absl::StatusCode::kInternal);
        break;
      }
      REQUIRE(calls[i](*rig.faulty).ok());
      REQUIRE(rig.plan->operations == static_cast<int64_t>(i) + 1);
    }
  }
}

TEST_CASE("one failure passes, a stop does not") {
  Rig rig;
  rig.plan->fail_at = 2;
  CHECK(rig.faulty->Create("a").ok());
  CHECK_FALSE(rig.faulty->Create("b").ok());
  CHECK(rig.faulty->Create("c").ok());
  CHECK(rig.memory->List().value() == std::vector<std::string>{"a", "c"});

  Rig stopped;
  stopped.plan->fail_at = 2;
  stopped.plan->stop = true;
  auto file = stopped.faulty->Create("a").value();
  CHECK_FALSE(file->Append("abcd").ok());
  CHECK_FALSE(file->Append("efgh").ok());
  CHECK_FALSE(stopped.faulty->List().ok());
  CHECK(Content(*stopped.memory, "a") == "ab");
}

TEST_CASE("a failing write leaves its first half, if it is to be torn") {
  for (const bool torn : {true, false}) {
    Rig rig;
    rig.plan->torn = torn;
    auto file = rig.faulty->Create("f").value();
    auto log = rig.faulty->OpenLog("log", 4).value();
    rig.plan->fail_at = 3;
    CHECK_FALSE(file->Append("abcdef").ok());
    rig.plan->fail_at = 4;
    CHECK_FALSE(log->WriteAt(1, "xy").ok());
    rig.plan->fail_at = 5;
    CHECK_FALSE(log->Reserve(10).ok());
    CHECK(Content(*rig.memory, "f") == (torn ? "abc" : ""));
    CHECK(Content(*rig.memory, "log") ==
          (torn ? std::string("\0x\0\0\0\0\0", 7) : std::string(4, '\0')));
  }
}

TEST_CASE("a full disk has its own code") {
  Rig rig;
  rig.plan->fail_at = 1;
  rig.plan->no_space = true;
  CHECK(rig.faulty->Create("f").status().code() == absl::StatusCode::kResourceExhausted);
}

TEST_CASE("sub-folders share the plan") {
  Rig rig;
  auto sub = rig.faulty->Sub("s").value();
  rig.plan->fail_at = 2;
  CHECK_FALSE(sub->Create("f").ok());
  CHECK(sub->Create("f").ok());
  CHECK(rig.plan->operations == 3);
}

}  // namespace
}  // namespace curlew::store
