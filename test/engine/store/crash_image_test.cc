// What a crash leaves in the memory model.
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "test/support/random.h"

namespace curlew::store {
namespace {

using Strings = std::vector<std::string>;

std::string Read(Directory& directory, const std::string& name) {
  auto file = directory.Open(name);
  REQUIRE(file.ok());
  return std::string((*file)->view());
}

TEST_CASE("unsynced bytes and names survive kill -9 and not power loss") {
  auto directory = NewMemoryDirectory();
  auto file = directory->Create("f").value();
  REQUIRE(file->Append("synced").ok());
  REQUIRE(file->Sync().ok());
  REQUIRE(file->Append(" unsynced").ok());
  REQUIRE(file->Close().ok());

  CHECK(CrashImage(*directory, UnsyncedFate::kLose)->List().value().empty());
  REQUIRE(directory->SyncDirectory().ok());
  auto kept = CrashImage(*directory, UnsyncedFate::kKeep);
  CHECK(Read(*kept, "f") == "synced unsynced");
  auto lost = CrashImage(*directory, UnsyncedFate::kLose);
  CHECK(Read(*lost, "f") == "synced");
  // A second crash loses what the first one kept, until it is synced.
  CHECK(Read(*CrashImage(*kept, UnsyncedFate::kLose), "f") == "synced");
  REQUIRE(kept->SyncFile("f").ok());
  CHECK(Read(*CrashImage(*kept, UnsyncedFate::kLose), "f") == "synced unsynced");

  // The image is a copy: the two go separate ways.
  REQUIRE(lost->Delete("f").ok());
  CHECK(directory->Exists("f").value());
}

TEST_CASE("renames and deletions are undone unless the folder was synced") {
  auto directory = NewMemoryDirectory();
  REQUIRE(WriteAtomically(*directory, "a", "1").ok());
  REQUIRE(WriteAtomically(*directory, "b", "2").ok());
  REQUIRE(directory->Rename("a", "b").ok());
  CHECK(directory->List().value() == Strings{"b"});
  auto lost = CrashImage(*directory, UnsyncedFate::kLose);
  CHECK(lost->List().value() == Strings{"a", "b"});
  CHECK(Read(*lost, "b") == "2");
  REQUIRE(directory->SyncDirectory().ok());
  REQUIRE(directory->Delete("b").ok());
  lost = CrashImage(*directory, UnsyncedFate::kLose);
  CHECK(lost->List().value() == Strings{"b"});
  CHECK(Read(*lost, "b") == "1");
}

TEST_CASE("a preallocated log is durable, its name after the folder's sync") {
  auto directory = NewMemoryDirectory();
  auto log = directory->OpenLog("log", 1000).value();
  CHECK(CrashImage(*directory, UnsyncedFate::kLose)->List().value().empty());
  REQUIRE(directory->SyncDirectory().ok());
  REQUIRE(log->WriteAt(0, "one").ok());
  REQUIRE(log->DataSync().ok());
  REQUIRE(log->WriteAt(3, "two").ok());
  auto lost = CrashImage(*directory, UnsyncedFate::kLose);
  CHECK(Read(*lost, "log") == "one" + std::string(997, '\0'));
  CHECK(Read(*CrashImage(*directory, UnsyncedFate::kKeep), "log").substr(0, 7) ==
        std::string("onetwo\0", 7));
}

TEST_CASE("deleted folders come back after power loss unless the parent was synced") {
  auto directory = NewMemoryDirectory();
  auto sub = directory->Sub("s").value();
  REQUIRE(WriteAtomically(*sub, "f", "1").ok());
  REQUIRE(directory->DeleteSub("s").ok());
  CHECK(CrashImage(*directory, UnsyncedFate::kKeep)->ListSubs().value().empty());
  auto lost = CrashImage(*directory, UnsyncedFate::kLose);
  REQUIRE(lost->ListSubs().value() == Strings{"s"});
  CHECK(Read(*lost->Sub("s").value(), "f") == "1");
  REQUIRE(directory->SyncDirectory().ok());
  CHECK(CrashImage(*directory, UnsyncedFate::kLose)->ListSubs().value().empty());
}

TEST_CASE("scrambling is repeatable, and finds every fate of a write") {
  auto directory = NewMemoryDirectory();
  auto file = directory->Create("f").value();
  REQUIRE(file->Append("base").ok());
  REQUIRE(file->Sync().ok());
  REQUIRE(directory->SyncDirectory().ok());
  REQUIRE(file->Append(std::string(2000, 'x')).ok());
  REQUIRE(WriteAtomically(*directory, "other", "1").ok());
  REQUIRE(directory->Delete("other").ok());

  int kept = 0;
  int lost = 0;
  int holes = 0;
  int short_ends = 0;
  std::set<size_t> names;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    auto image = CrashImage(*directory, UnsyncedFate::kScramble, seed);
    const std::string content = Read(*image, "f");
    REQUIRE(content == Read(*CrashImage(*directory, UnsyncedFate::kScramble, seed), "f"));
    REQUIRE(content.substr(0, 4) == "base");
    names.insert(image->List().value().size());
    const std::string tail = content.substr(4);
    if (tail == std::string(2000, 'x')) {
      ++kept;
    } else if (tail.empty()) {
      ++lost;
    } else if (tail.find('\0') != std::string::npos) {
      ++holes;
    } else {
      REQUIRE(tail == std::string(tail.size(), 'x'));
      ++short_ends;
    }
  }
  CHECK(kept > 0);
  CHECK(lost > 0);
  CHECK(holes > 0);
  CHECK(short_ends > 0);
  CHECK(names == std::set<size_t>{1, 2});
}

TEST_CASE("WriteAtomically leaves the old or the new, wherever the machine stops") {
  for (const bool stop : {false, true}) {
    for (int64_t fail_at = 1;; ++fail_at) {
      auto memory = NewMemoryDirectory();
      REQUIRE(WriteAtomically(*memory, "f", "old content").ok());
      auto plan = std::make_shared<FaultPlan>();
      plan->fail_at = fail_at;
      plan->stop = stop;
      auto faulty = NewFaultDirectory(memory, plan);
      const absl::Status status = WriteAtomically(*faulty, "f", "new");
      for (const auto fate : {UnsyncedFate::kKeep, UnsyncedFate::kLose, UnsyncedFate::kScramble}) {
        for (uint64_t seed = 0; seed < (fate == UnsyncedFate::kScramble ? 20 : 1); ++seed) {
          const std::string content = Read(*CrashImage(*memory, fate, seed), "f");
          if (status.ok()) {
            REQUIRE(content == "new");
          } else {
            REQUIRE((content == "new" || content == "old content"));
          }
        }
      }
      if (!stop) CHECK(memory->List().value() == Strings{"f"});
      if (plan->operations < fail_at) {
        REQUIRE(status.ok());
        CHECK(fail_at > 5);
        break;
      }
      REQUIRE_FALSE(status.ok());
    }
  }
}

TEST_CASE("only the memory model has an image") {
  auto faulty = NewFaultDirectory(NewMemoryDirectory(), std::make_shared<FaultPlan>());
  CHECK(CrashImage(*faulty, UnsyncedFate::kKeep) == nullptr);
}

}  // namespace
}  // namespace curlew::store
