// A folder opened for reading only shows what is there and refuses every change.
#include "engine/store/read_only_directory.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "engine/store/file_problems.h"
#include "engine/store/memory_directory.h"
#include "engine/store/real_directory.h"
#include "test/support/temp_folder.h"

namespace curlew::store {
namespace {

TEST_CASE("a read-only folder shows everything and changes nothing") {
  const auto target = NewMemoryDirectory();
  REQUIRE(WriteAtomically(*target, "a", "content").ok());
  const auto sub = target->Sub("sub").value();
  REQUIRE(WriteAtomically(*sub, "b", "").ok());
  const auto directory = NewReadOnlyDirectory(target);
  CHECK(directory->path() == target->path());
  CHECK(directory->List().value() == std::vector<std::string>{"a"});
  CHECK(directory->ListSubs().value() == std::vector<std::string>{"sub"});
  CHECK(directory->Open("a").value()->view() == "content");
  CHECK(directory->Size("a").value() == 7);
  CHECK(directory->Exists("a").value());
  CHECK_FALSE(directory->Exists("c").value());

  const auto inner = directory->Sub("sub");
  REQUIRE(inner.ok());
  CHECK((*inner)->List().value() == std::vector<std::string>{"b"});
  CHECK(absl::IsPermissionDenied((*inner)->Delete("b")));
  CHECK(absl::IsNotFound(directory->Sub("other").status()));
  CHECK(absl::IsPermissionDenied(directory->Create("c").status()));
  CHECK(absl::IsPermissionDenied(directory->OpenLog("a", 10).status()));
  CHECK(absl::IsPermissionDenied(directory->Rename("a", "c")));
  CHECK(absl::IsPermissionDenied(directory->Delete("a")));
  CHECK(absl::IsPermissionDenied(directory->SyncFile("a")));
  CHECK(absl::IsPermissionDenied(directory->SyncDirectory()));
  CHECK(absl::IsPermissionDenied(directory->DeleteSub("sub")));
  CHECK(target->List().value() == std::vector<std::string>{"a"});
  CHECK(target->ListSubs().value() == std::vector<std::string>{"sub"});
  CHECK(target->Open("a").value()->view() == "content");
}

TEST_CASE("a folder that is not there is not made to be read") {
  test::TempFolder temp;
  CHECK(absl::IsNotFound(OpenReadOnlyDirectory(temp.path() + "/none").status()));
  CHECK(OpenReadOnlyDirectory(temp.path()).ok());
  CHECK(std::filesystem::is_empty(temp.path()));
}

TEST_CASE("a shared lock keeps servers out, needs its file, and makes none") {
  test::TempFolder temp;
  auto none = FolderLock::AcquireShared(temp.path());
  REQUIRE(none.ok());
  CHECK(*none == nullptr);
  CHECK(std::filesystem::is_empty(temp.path()));
  {
    const auto server = FolderLock::Acquire(temp.path());
    REQUIRE(server.ok());
    CHECK_FALSE(FolderLock::AcquireShared(temp.path()).ok());
  }
  auto first = FolderLock::AcquireShared(temp.path());
  const auto second = FolderLock::AcquireShared(temp.path());
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  REQUIRE(*second != nullptr);
  CHECK_FALSE(FolderLock::Acquire(temp.path()).ok());
}

TEST_CASE("problems of a file are cut at some, and say how many there are") {
  const auto directory = NewMemoryDirectory();
  FileProblems few("a");
  CHECK(few.empty());
  few.AddError(*directory, absl::DataLossError("[" + directory->path() + "/a]: torn"));
  few.AddError(*directory, absl::DataLossError("a: odd"));
  CHECK(std::move(few).Take() == std::vector<FileProblem>{{"a", "torn"}, {"a", "odd"}});
  FileProblems many("b");
  for (int i = 0; i < 1000; ++i) many.Add("wrong");
  const std::vector<FileProblem> taken = std::move(many).Take();
  REQUIRE(taken.size() == FileProblems::kMost + 1);
  CHECK(taken.back().what == "and 980 more of this file");
}

}  // namespace
}  // namespace curlew::store
