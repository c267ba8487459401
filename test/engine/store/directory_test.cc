// The contract of Directory, held against every model of it.
#include "engine/store/directory.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/store/fault_directory.h"
#include "engine/store/memory_directory.h"
#include "engine/store/real_directory.h"
#include "test/support/random.h"
#include "test/support/temp_folder.h"

namespace curlew::store {
namespace {

using Strings = std::vector<std::string>;

struct RealModel {
  test::TempFolder folder;
  std::shared_ptr<Directory> directory = OpenRealDirectory(folder.path() + "/a/b").value();
};
struct MemoryModel {
  std::shared_ptr<Directory> directory = NewMemoryDirectory();
};
struct FaultModel {
  std::shared_ptr<Directory> directory =
      NewFaultDirectory(NewMemoryDirectory(), std::make_shared<FaultPlan>());
};

void Write(Directory& directory, const std::string& name, const std::string& content) {
  auto file = directory.Create(name);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(content).ok());
  REQUIRE((*file)->Close().ok());
}

std::string Read(Directory& directory, const std::string& name) {
  auto file = directory.Open(name);
  REQUIRE(file.ok());
  return std::string((*file)->view());
}

TEMPLATE_TEST_CASE("files are written front to back and read whole", "", RealModel, MemoryModel,
                   FaultModel) {
  TestType model;
  Directory& directory = *model.directory;
  auto file = directory.Create("f").value();
  CHECK(file->size() == 0);
  REQUIRE(file->Append("abc").ok());
  REQUIRE(file->Append("").ok());
  REQUIRE(file->Append(std::string(100000, 'x')).ok());
  CHECK(file->size() == 100003);
  REQUIRE(file->Sync().ok());
  REQUIRE(file->Append("end").ok());
  REQUIRE(file->Close().ok());
  CHECK_FALSE(file->Append("late").ok());
  CHECK(Read(directory, "f") == "abc" + std::string(100000, 'x') + "end");
  CHECK(directory.Size("f").value() == 100006);
  CHECK(directory.SyncFile("f").ok());
  CHECK(directory.SyncDirectory().ok());

  Write(directory, "empty", "");
  CHECK(Read(directory, "empty").empty());
  CHECK(directory.Size("empty").value() == 0);
}

TEMPLATE_TEST_CASE("a view outlives replacing, renaming over and deleting", "", RealModel,
                   MemoryModel, FaultModel) {
  TestType model;
  Directory& directory = *model.directory;
  Write(directory, "f", std::string(10000, '1'));
  const auto first = directory.Open("f").value();
  Write(directory, "f", "2");
  const auto second = directory.Open("f").value();
  Write(directory, "g", "3");
  REQUIRE(directory.Rename("g", "f").ok());
  const auto third = directory.Open("f").value();
  REQUIRE(directory.Delete("f").ok());
  CHECK(first->view() == std::string(10000, '1'));
  CHECK(second->view() == "2");
  CHECK(third->view() == "3");
}

TEMPLATE_TEST_CASE("names, sizes and lists follow what was done", "", RealModel, MemoryModel,
                   FaultModel) {
  TestType model;
  Directory& directory = *model.directory;
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  std::map<std::string, std::string> expected;
  const Strings names = {"a", "b", "c.tmp", "d", "\xc3\xa4"};
  for (int step = 0; step < 300; ++step) {
    const std::string name = random.Pick(names);
    const std::string other = random.Pick(names);
    switch (random.Between(0, 3)) {
      case 0: {
        const std::string content = random.Bytes(0, 300);
        Write(directory, name, content);
        expected[name] = content;
        break;
      }
      case 1: {
        const absl::Status status = directory.Rename(name, other);
        REQUIRE(status.ok() == (expected.count(name) > 0));
        if (status.ok() && name != other) {
          expected[other] = expected[name];
          expected.erase(name);
        }
        break;
      }
      case 2:
        REQUIRE(directory.Delete(name).ok() == (expected.erase(name) > 0));
        break;
      default:
        REQUIRE(WriteAtomically(directory, name, other).ok());
        expected[name] = other;
    }
    Strings listed;
    for (const auto& [key, content] : expected) {
      listed.push_back(key);
      REQUIRE(Read(directory, key) == content);
      REQUIRE(directory.Size(key).value() == content.size());
    }
    REQUIRE(directory.List().value() == listed);
    REQUIRE(directory.Exists(name).value() == (expected.count(name) > 0));
  }
}

TEMPLATE_TEST_CASE("a missing file is kNotFound and named", "", RealModel, MemoryModel,
                   FaultModel) {
  TestType model;
  Directory& directory = *model.directory;
  for (const absl::Status& status :
       {directory.Open("lost").status(), directory.Size("lost").status(),
        directory.Rename("lost", "x"), directory.Delete("lost"), directory.SyncFile("lost")}) {
    CHECK(status.code() == absl::StatusCode::kNotFound);
    const std::string message(status.message().data(), status.message().size());
    CHECK_THAT(message, Catch::Contains("lost"));
  }
  CHECK_FALSE(directory.Exists("lost").value());
}

TEMPLATE_TEST_CASE("names that are no names are refused", "", RealModel, MemoryModel, FaultModel) {
  TestType model;
  Directory& directory = *model.directory;
  Write(directory, "f", "");
  const Strings bad = {
      "", ".", "..", "a/b", "/", "../f", std::string("a\0b", 3), std::string(256, 'x')};
  for (const std::string& name : bad) {
    CHECK_FALSE(directory.Create(name).ok());
    CHECK_FALSE(directory.Open(name).ok());
    CHECK_FALSE(directory.OpenLog(name, 1).ok());
    CHECK_FALSE(directory.Rename("f", name).ok());
    CHECK_FALSE(directory.Rename(name, "f").ok());
    CHECK_FALSE(directory.Delete(name).ok());
    CHECK_FALSE(directory.Exists(name).ok());
    CHECK_FALSE(directory.Size(name).ok());
    CHECK_FALSE(directory.SyncFile(name).ok());
    CHECK_FALSE(directory.Sub(name).ok());
    CHECK_FALSE(directory.DeleteSub(name).ok());
  }
  CHECK(directory.List().value() == Strings{"f"});
}

TEMPLATE_TEST_CASE("folders below", "", RealModel, MemoryModel, FaultModel) {
  TestType model;
  Directory& directory = *model.directory;
  CHECK(directory.ListSubs().value().empty());
  auto sub = directory.Sub("s").value();
  auto deep = sub->Sub("deep").value();
  Write(*sub, "f", "1");
  Write(*deep, "g", "2");
  Write(directory, "top", "3");
  CHECK(directory.Sub("r").ok());
  CHECK(directory.ListSubs().value() == Strings{"r", "s"});
  CHECK(directory.List().value() == Strings{"top"});
  CHECK(sub->List().value() == Strings{"f"});
  CHECK(sub->path() == directory.path() + "/s");
  // Another handle of the same folder sees the same.
  CHECK(Read(*directory.Sub("s").value()->Sub("deep").value(), "g") == "2");
  REQUIRE(directory.DeleteSub("s").ok());
  REQUIRE(directory.DeleteSub("s").ok());
  CHECK(directory.ListSubs().value() == Strings{"r"});
  CHECK(directory.Sub("s").value()->List().value().empty());
}

TEMPLATE_TEST_CASE("log files are zeros, written anywhere, and grow", "", RealModel, MemoryModel,
                   FaultModel) {
  TestType model;
  Directory& directory = *model.directory;
  auto log = directory.OpenLog("log", 5000).value();
  CHECK(log->allocated() == 5000);
  CHECK(Read(directory, "log") == std::string(5000, '\0'));
  REQUIRE(log->WriteAt(10, "abc").ok());
  REQUIRE(log->WriteAt(9000, "").ok());
  CHECK(log->allocated() == 5000);
  REQUIRE(log->WriteAt(4999, "tail").ok());
  CHECK(log->allocated() == 5003);
  REQUIRE(log->DataSync().ok());
  REQUIRE(log->Reserve(100).ok());
  CHECK(log->allocated() == 5003);
  REQUIRE(log->Reserve(200000).ok());
  CHECK(log->allocated() == 200000);
  std::string expected(200000, '\0');
  expected.replace(10, 3, "abc");
  expected.replace(4999, 4, "tail");
  CHECK(Read(directory, "log") == expected);
  REQUIRE(log->Close().ok());
  CHECK_FALSE(log->WriteAt(0, "x").ok());

  // Opening again changes nothing.
  auto again = directory.OpenLog("log", 1 << 20).value();
  CHECK(again->allocated() == 200000);
  REQUIRE(again->WriteAt(300000, "far").ok());
  CHECK(again->allocated() == 300003);
  expected.resize(300000, '\0');
  CHECK(Read(directory, "log") == expected + "far");
  REQUIRE(again->DataSync().ok());
}

TEMPLATE_TEST_CASE("log writes at random offsets equal a string", "", RealModel, MemoryModel,
                   FaultModel) {
  TestType model;
  Directory& directory = *model.directory;
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  auto log = directory.OpenLog("log", 100).value();
  std::string expected(100, '\0');
  for (int step = 0; step < 200; ++step) {
    const auto at = static_cast<uint64_t>(random.Between(0, 3000));
    const std::string data = random.Bytes(0, 200);
    REQUIRE(log->WriteAt(at, data).ok());
    if (!data.empty() && expected.size() < at + data.size()) expected.resize(at + data.size());
    if (!data.empty()) expected.replace(at, data.size(), data);
    if (random.OneIn(5)) REQUIRE(log->DataSync().ok());
    REQUIRE(log->allocated() == expected.size());
  }
  CHECK(Read(directory, "log") == expected);
}

}  // namespace
}  // namespace curlew::store
