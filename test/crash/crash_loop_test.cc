// Kill -9 at random moments under load, again and again on the same folder: everything that was
// acknowledged is there, and nothing that was not written.
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "engine/codec/check.h"
#include "engine/index/check/check_shard.h"
#include "engine/store/real_directory.h"
#include "test/crash/crash_shard.h"
#include "test/crash/expected.h"
#include "test/support/random.h"
#include "test/support/temp_folder.h"

extern char** environ;

namespace curlew::index {
namespace {

using test::CrashDocument;
using test::Expected;

// Runs the writer for a while, kills it, returns what it said.
std::string RunAndKill(const std::string& folder, uint64_t seed, std::chrono::milliseconds life) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::string program = CURLEW_CRASH_WRITER;
  std::string path = folder;
  std::string number = std::to_string(seed);
  char* arguments[] = {program.data(), path.data(), number.data(), nullptr};
  pid_t child = 0;
  REQUIRE(::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);

  std::string said;
  const auto end = std::chrono::steady_clock::now() + life;
  bool killed = false;
  for (char buffer[65536];;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (!killed && left.count() <= 0) {
      ::kill(child, SIGKILL);
      killed = true;
    }
    pollfd waiting{ends[0], POLLIN, 0};
    if (::poll(&waiting, 1, killed ? -1 : static_cast<int>(left.count()) + 1) == 0) continue;
    const ssize_t count = ::read(ends[0], buffer, sizeof(buffer));
    if (count <= 0) break;
    said.append(buffer, static_cast<size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  INFO(said.substr(said.size() > 300 ? said.size() - 300 : 0));
  REQUIRE(WIFSIGNALED(status));  // it did not end by itself: no operation failed
  return said;
}

void Follow(const std::string& said, Expected expected[2]) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (lines.eof()) break;  // without its end: not whole
    std::istringstream words(line);
    char kind;
    int thread;
    std::string id;
    words >> kind >> thread;
    Expected& e = expected[thread];
    if (kind == 'A') {
      e.Acknowledge();
      continue;
    }
    if (kind == 'R') {
      for (int64_t version, seq_no; words >> version >> seq_no;) e.Resolve(version, seq_no);
      continue;
    }
    words >> id;
    if (kind == 'D') {
      e.Announce(id, std::nullopt);
      continue;
    }
    CrashDocument document;
    if (kind == 'U' && e.Now(id) != nullptr) document.members = e.Now(id)->members;
    std::string n, text, member, value;
    words >> n;
    document.Set("n", n);
    if (kind == 'U') {
      words >> member >> value;
      document.Set(member, value);
    } else {
      words >> text;
      document.Set("t", "\"" + text + "\"");
    }
    e.Announce(id, std::move(document));
  }
}

// Reads the state of each thread's ids out of the shard, by what is stored and by its columns, and
// compares.
void Verify(const std::string& folder, Expected expected[2], bool check_files) {
  CrashShard around;
  auto directory = store::OpenRealDirectory(folder);
  REQUIRE(directory.ok());
  if (check_files) {
    const ShardCheck left = CheckShard((*directory)->Sub("0").value(), {});
    REQUIRE(left.problem_count() == 0);
  }
  auto shard = around.Open(*directory);
  INFO(shard.status());
  REQUIRE(shard.ok());
  std::map<std::string, test::FoundDocument> found[2];
  std::set<int64_t> seq_nos;
  const auto snapshot = (*shard)->snapshot();
  for (const SnapshotSegment& segment : snapshot->segments) {
    const auto cursor = segment.reader->stored().NewCursor();
    for (codec::DocId doc = 0; doc < segment.reader->max_doc(); ++doc) {
      if (!segment.Live(doc)) continue;
      const auto stored = cursor->Read(doc);
      REQUIRE(stored.ok());
      const std::string id(stored->id);
      const auto number = [&](const std::string& field) {
        const codec::NumericColumn* column = segment.reader->Numeric(field);
        REQUIRE(column != nullptr);
        codec::ColumnScratch scratch;
        const auto values = column->Values(doc, scratch);
        REQUIRE(values.size() == 1);
        return values[0];
      };
      const test::FoundDocument document{std::string(stored->source), number("_version"),
                                         number("_seq_no")};
      INFO("twice: " << id);
      REQUIRE(found[id[0] - '0'].emplace(id, document).second);
      REQUIRE(seq_nos.insert(document.seq_no).second);
      // The index says what the source says, and the mapping knows every member.
      std::istringstream members(document.source);
      std::string member;
      while (std::getline(members, member, ',')) {
        const size_t start = member.find('"') + 1;
        const std::string field = member.substr(start, member.find('"', start) - start);
        INFO(id << " " << field);
        REQUIRE(around.mapper->current()->Find(field) != nullptr);
        if (field == "t") continue;
        REQUIRE(number(field) == std::stoll(member.substr(member.find(':') + 1)));
      }
    }
    if (check_files) {
      const SegmentInfo& info = segment.reader->info();
      const auto folder = (*directory)->Sub("0");
      REQUIRE(folder.ok());
      REQUIRE(
          codec::CheckSegmentFiles(**folder, info.name, info.max_doc, info.stored_codec).empty());
    }
  }
  for (int thread = 0; thread < 2; ++thread) {
    Expected& e = expected[thread];
    INFO("thread " << thread << ", acknowledged " << e.acknowledged() << " of " << e.announced());
    const std::string difference = e.Explain(found[thread]);
    INFO(difference);
    REQUIRE(e.Matches(found[thread]));
  }
  // What the restart found has to be found again whether or not the next start is a clean one.
  REQUIRE((*shard)->Close(check_files).ok());
}

TEST_CASE("a shard that is killed at random moments loses nothing and invents nothing") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  test::TempFolder folder;
  Expected expected[2];
  size_t acknowledged = 0;
  for (int round = 0; round < 50; ++round) {
    INFO("round " << round);
    const std::chrono::milliseconds life(random.Between(1, random.OneIn(5) ? 600 : 200));
    Follow(RunAndKill(folder.path(), random.engine()(), life), expected);
    acknowledged += expected[0].acknowledged() + expected[1].acknowledged();
    Verify(folder.path(), expected, round % 10 == 9);
  }
  CHECK(acknowledged > 0);
}

}  // namespace
}  // namespace curlew::index
