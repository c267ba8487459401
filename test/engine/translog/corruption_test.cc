// Damage: a torn tail is cut, everything else is found and named, nothing is invented.
#include <algorithm>

#include "engine/store/memory_directory.h"
#include "engine/translog/generation_file.h"
#include "test/engine/translog/log_fixture.h"

namespace curlew::translog {
namespace {

using Operations = std::vector<OwnedOperation>;

struct Written {
  std::shared_ptr<store::Directory> directory = store::NewMemoryDirectory();
  Operations operations;
  std::vector<size_t> batch_ends;  // operations durable after each group commit
};

// Generation 1 with several group commits, as a killed process leaves it.
Written WriteBatches(test::Random& random, int batches) {
  Written written;
  TranslogOptions options;
  options.preallocate_bytes = 700;
  auto live = store::NewMemoryDirectory();
  auto log = OpenLog(live, options);
  for (int b = 0; b < batches; ++b) {
    Ticket ticket = 0;
    for (int64_t n = random.Between(1, 4); n > 0; --n) {
      const auto seq_no = static_cast<int64_t>(written.operations.size());
      written.operations.push_back(RandomOperation(random, seq_no, 40));
      ticket = log->Append(written.operations.back().View()).value();
    }
    REQUIRE(log->WaitDurable(ticket).ok());
    written.batch_ends.push_back(written.operations.size());
  }
  written.directory = store::CrashImage(*live, store::UnsyncedFate::kLose);
  return written;
}

// Either a prefix of what was written, or Corruption that names the file.
struct Outcome {
  bool corrupt = false;
  size_t operations = 0;
};
Outcome OpenDamaged(const Written& written, const std::string& name, std::string_view content) {
  static const auto writer = std::make_shared<LogWriter>();
  auto damaged = CopyOf(*written.directory, store::NewMemoryDirectory());
  WriteFile(*damaged, name, content);
  auto log = Translog::Open(damaged, writer, SmallOptions());
  if (!log.ok()) {
    REQUIRE(log.status().code() == absl::StatusCode::kDataLoss);
    REQUIRE_THAT(Message(log.status()), Catch::Contains(name));
    return {true, 0};
  }
  const Operations replayed = ReplayAll(**log);
  REQUIRE(replayed.size() <= written.operations.size());
  REQUIRE(std::equal(replayed.begin(), replayed.end(), written.operations.begin()));
  // The log goes on, and the cut stays where it was.
  OwnedOperation more;
  more.id = "more";
  REQUIRE((*log)->WaitDurable((*log)->Append(more.View()).value()).ok());
  *log = nullptr;
  const Operations again = ReplayAll(*OpenLog(damaged, SmallOptions(), writer));
  REQUIRE(again.size() == replayed.size() + 1);
  REQUIRE(again.back() == more);
  return {false, replayed.size()};
}

TEST_CASE("a tail that is torn at any byte is cut at the last whole record") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const Written written = WriteBatches(random, 4);
  const std::string good = ReadFile(*written.directory, "translog-1.log");
  size_t before = 0;
  for (size_t cut = kHeaderSize; cut <= good.size(); ++cut) {
    // The file ends there, or goes on with the zeros of preallocation.
    const Outcome truncated = OpenDamaged(written, "translog-1.log", good.substr(0, cut));
    const Outcome zeroed = OpenDamaged(written, "translog-1.log",
                                       good.substr(0, cut) + std::string(good.size() - cut, '\0'));
    REQUIRE_FALSE(truncated.corrupt);
    REQUIRE_FALSE(zeroed.corrupt);
    // Zeros may be what a record ends with.
    REQUIRE(zeroed.operations >= truncated.operations);
    REQUIRE(truncated.operations >= before);
    before = truncated.operations;
  }
  CHECK(before == written.operations.size());
}

TEST_CASE("a torn header of a file that has its name is corruption") {
  test::Random random;
  const Written written = WriteBatches(random, 1);
  const std::string good = ReadFile(*written.directory, "translog-1.log");
  for (size_t cut = 0; cut < kHeaderSize; ++cut) {
    REQUIRE(OpenDamaged(written, "translog-1.log", good.substr(0, cut)).corrupt);
  }
}

TEST_CASE("a flipped byte is corruption, except in the last group commit, which is cut") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const Written written = WriteBatches(random, 3);
  const std::string good = ReadFile(*written.directory, "translog-1.log");
  const size_t durable = written.batch_ends[written.batch_ends.size() - 2];
  size_t corrupt = 0;
  size_t cut = 0;
  size_t whole = 0;
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ random.Between(1, 255));
    const Outcome outcome = OpenDamaged(written, "translog-1.log", bad);
    if (outcome.corrupt) {
      // Damage in front is reported, damage behind is not: one border between them.
      REQUIRE(cut + whole == 0);
      ++corrupt;
      continue;
    }
    REQUIRE(outcome.operations >= durable);
    outcome.operations == written.operations.size() ? ++whole : ++cut;
  }
  CHECK(corrupt > kHeaderSize);
  CHECK(cut > 0);
  CHECK(whole > 0);
}

TEST_CASE("a finished generation accepts no damage at all") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Written written = WriteBatches(random, 2);
  {
    auto log = OpenLog(written.directory);  // ends generation 1, starts 2
    REQUIRE(log->Close().ok());
  }
  const std::string name = "translog-1.log";
  const std::string good = ReadFile(*written.directory, name);
  const size_t end = good.find_last_not_of('\0') + 1;
  for (size_t i = 0; i < end; ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ random.Between(1, 255));
    REQUIRE(OpenDamaged(written, name, bad).corrupt);
  }
  // The end record's checksum and count may end in zeros, so only its middle is sure to be missed.
  for (size_t cut = 0; cut + kMarkSize < end; ++cut) {
    REQUIRE(OpenDamaged(written, name, good.substr(0, cut)).corrupt);
    REQUIRE(OpenDamaged(written, name, good.substr(0, cut) + std::string(good.size() - cut, '\0'))
                .corrupt);
  }
}

TEST_CASE("a closed log accepts no flipped byte, though it is the last generation") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  Written written;
  {
    auto log = OpenLog(written.directory);
    for (int i = 0; i < 5; ++i) {
      written.operations.push_back(RandomOperation(random, i, 40));
      REQUIRE(log->WaitDurable(log->Append(written.operations.back().View()).value()).ok());
    }
    REQUIRE(log->Close().ok());
  }
  const std::string good = ReadFile(*written.directory, "translog-1.log");
  const size_t end = good.find_last_not_of('\0') + 1;
  // The end is a batch of its own, with a sync mark that vouches for all that is before.
  const size_t last_mark = good.rfind(std::string("\x08\0\0\0\x02", 5));
  REQUIRE(last_mark < end);
  for (size_t i = 0; i < last_mark; ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ random.Between(1, 255));
    REQUIRE(OpenDamaged(written, "translog-1.log", bad).corrupt);
  }
}

TEST_CASE("missing and foreign files are named") {
  test::Random random;
  const auto open = [](std::shared_ptr<store::Directory> directory) {
    return Translog::Open(std::move(directory), std::make_shared<LogWriter>(), SmallOptions())
        .status();
  };
  Written written = WriteBatches(random, 1);
  for (int i = 0; i < 2; ++i) {
    auto log = OpenLog(written.directory);
    REQUIRE(log->Append(OwnedOperation().View()).ok());
    REQUIRE(log->Roll().ok());
    REQUIRE(log->Append(OwnedOperation().View()).ok());
    REQUIRE(log->Close().ok());
  }
  const auto names = written.directory->List().value();
  REQUIRE(names.size() >= 5);
  for (const std::string& name : names) {
    auto copy = CopyOf(*written.directory, store::NewMemoryDirectory());
    REQUIRE(copy->Delete(name).ok());
    const absl::Status status = open(copy);
    if (name == names[names.size() - 2]) continue;  // the newest: as if it had not been made yet
    CHECK(status.code() == absl::StatusCode::kDataLoss);
    CHECK_THAT(Message(status), Catch::Contains(name));
  }
  // Generation 1 under another number.
  auto copy = CopyOf(*written.directory, store::NewMemoryDirectory());
  REQUIRE(copy->Rename("translog-1.log", "translog-2.log").ok());
  CHECK(open(copy).code() == absl::StatusCode::kDataLoss);
  // Not ours, and left-overs of ours.
  copy = CopyOf(*written.directory, store::NewMemoryDirectory());
  WriteFile(*copy, "translog-007.log", "x");
  WriteFile(*copy, "translog-99.log.tmp", "x");
  REQUIRE(open(copy).ok());
  CHECK(copy->Exists("translog-007.log").value());
  CHECK_FALSE(copy->Exists("translog-99.log.tmp").value());
  // A damaged checkpoint.
  WriteFile(*copy, "translog.ckp", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
  CHECK_THAT(Message(open(copy)), Catch::Contains("translog.ckp"));
}

TEST_CASE("random damage never invents an operation") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  const Written written = WriteBatches(random, 4);
  const std::string good = ReadFile(*written.directory, "translog-1.log");
  const auto any = [&](size_t below) {
    return static_cast<size_t>(random.Between(0, static_cast<int64_t>(below) - 1));
  };
  for (int round = 0; round < 2000; ++round) {
    std::string bad = good;
    for (int64_t n = random.Between(1, 3); n > 0; --n) {
      const size_t at = any(bad.size());
      const size_t size = std::min(bad.size() - at, any(good.size()) / 8);
      if (random.OneIn(2)) {
        bad.replace(at, size, random.Bytes(static_cast<int>(size), static_cast<int>(size)));
      } else {
        bad.replace(at, size, good.substr(any(good.size()), size));
      }
    }
    OpenDamaged(written, "translog-1.log", bad);
  }
}

}  // namespace
}  // namespace curlew::translog
