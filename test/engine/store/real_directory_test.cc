// What only the real file system has: locks, parents, foreign entries.
#include "engine/store/real_directory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "test/support/temp_folder.h"

namespace curlew::store {
namespace {

TEST_CASE("a folder is created with its parents and opened again") {
  test::TempFolder temp;
  const std::string path = temp.path() + "/x/y/z";
  REQUIRE(OpenRealDirectory(path).ok());
  CHECK(std::filesystem::is_directory(path));
  REQUIRE(OpenRealDirectory(path).ok());
  REQUIRE(OpenRealDirectory(path + "/").ok());

  std::ofstream(temp.path() + "/file") << "x";
  CHECK_FALSE(OpenRealDirectory(temp.path() + "/file").ok());
  CHECK_FALSE(OpenRealDirectory(temp.path() + "/file/below").ok());
  CHECK_FALSE(OpenRealDirectory("").ok());
  // Where the kernel says that there is no parent, although there is.
  CHECK_FALSE(OpenRealDirectory("/proc/no-such-folder/below").ok());
}

TEST_CASE("only plain files are listed, only folders are subs") {
  test::TempFolder temp;
  std::ofstream(temp.path() + "/b") << "x";
  std::ofstream(temp.path() + "/a") << "x";
  std::filesystem::create_directory(temp.path() + "/folder");
  std::filesystem::create_symlink("a", temp.path() + "/link");
  REQUIRE(mkfifo((temp.path() + "/pipe").c_str(), 0600) == 0);
  const auto directory = OpenRealDirectory(temp.path()).value();
  CHECK(directory->List().value() == std::vector<std::string>{"a", "b"});
  CHECK(directory->ListSubs().value() == std::vector<std::string>{"folder"});
  CHECK_FALSE(directory->Exists("folder").value());
}

TEST_CASE("deleting a folder does not follow links out of it") {
  test::TempFolder temp;
  std::filesystem::create_directory(temp.path() + "/outside");
  std::ofstream(temp.path() + "/outside/keep") << "x";
  const auto directory = OpenRealDirectory(temp.path() + "/data").value();
  REQUIRE(directory->Sub("s").ok());
  std::filesystem::create_symlink(temp.path() + "/outside", temp.path() + "/data/s/link");
  REQUIRE(directory->DeleteSub("s").ok());
  CHECK(std::filesystem::exists(temp.path() + "/outside/keep"));
}

TEST_CASE("a data folder is locked once") {
  test::TempFolder temp;
  auto first = FolderLock::Acquire(temp.path() + "/data");
  REQUIRE(first.ok());
  const auto second = FolderLock::Acquire(temp.path() + "/data");
  REQUIRE_FALSE(second.ok());
  CHECK_THAT(std::string(second.status().message().data(), second.status().message().size()),
             Catch::Contains("node.lock"));
  CHECK(FolderLock::Acquire(temp.path() + "/other").ok());
  first->reset();
  CHECK(FolderLock::Acquire(temp.path() + "/data").ok());
}

TEST_CASE("a file that may not be written is an error, not a crash") {
  if (geteuid() == 0) {
    WARN("runs as root, which may write everywhere: /proc stands in");
    const auto directory = OpenRealDirectory("/proc/self");
    REQUIRE(directory.ok());
    CHECK_FALSE((*directory)->Create("no-such-entry").ok());
    CHECK_FALSE((*directory)->OpenLog("no-such-entry", 100).ok());
    return;
  }
  test::TempFolder temp;
  const auto directory = OpenRealDirectory(temp.path()).value();
  REQUIRE(chmod(temp.path().c_str(), 0500) == 0);
  CHECK_FALSE(directory->Create("f").ok());
  CHECK_FALSE(directory->OpenLog("f", 100).ok());
  REQUIRE(chmod(temp.path().c_str(), 0700) == 0);
}

}  // namespace
}  // namespace curlew::store
