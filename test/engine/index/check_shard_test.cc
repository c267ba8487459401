// The checker of a shard finds sound what a shard has written, and names what is wrong with the
// rest; whatever it is given it comes back from (the sanitizers watch).
#include "engine/index/check/check_shard.h"

#include <catch2/catch.hpp>

#include "engine/index/commit_point.h"
#include "engine/index/segment_files.h"
#include "engine/store/memory_directory.h"
#include "engine/store/read_only_directory.h"
#include "engine/util/bytes.h"
#include "engine/util/crc32c.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

constexpr size_t kFooter = 4 + 8 + 4;

using store::FileProblem;

std::vector<FileProblem> AllProblems(const ShardCheck& check) {
  std::vector<FileProblem> all = check.problems;
  for (const SegmentCheck& segment : check.segments) store::AppendProblems(all, segment.problems);
  store::AppendProblems(all, check.translog.problems);
  REQUIRE(all.size() == check.problem_count());
  return all;
}

void Replace(store::Directory& directory, const std::string& name, std::string_view content) {
  auto file = directory.Create(name).value();
  REQUIRE(file->Append(content).ok());
  REQUIRE(file->Close().ok());
}

std::string ReadAll(store::Directory& directory, const std::string& name) {
  return std::string(directory.Open(name).value()->view());
}

// A closed shard with two segments, deletions in the first, and operations in the log alone.
struct ClosedShard {
  explicit ClosedShard(test::Random& random, const std::string& codec = "none") {
    world.options.stored.codec = codec;
    auto shard = world.Open(directory);
    // More than a block of 128, of which a few are gone.
    for (int i = 0; i < 300; ++i) Index(*shard, "a" + std::to_string(i), random);
    REQUIRE(shard->Refresh().ok());
    for (int i = 0; i < 20; ++i) Index(*shard, "a" + std::to_string(i), random);
    for (int i = 0; i < 30; ++i) Index(*shard, "b" + std::to_string(i), random);
    ApplyOne(*shard, DeleteOp("a77"));
    REQUIRE(shard->Flush().ok());
    for (int i = 0; i < 5; ++i) {
      ApplyDurable(*shard, IndexOp("c" + std::to_string(i), RandomDocument(random).Json()));
    }
    REQUIRE(shard->Close(/*flush=*/false).ok());
    parsed =
        mapping::Mapping::Parse(world.mapping, analysis::AnalyzerRegistry::BuiltIn(), {}).value();
    place.mapping = parsed.get();
    commit = ReadCommit(*directory, ListCommits(*directory).value().at(0)).value();
    REQUIRE(commit.segments.size() == 2);
    REQUIRE(commit.segments[0].live_docs_generation != 0);
  }
  void Index(Shard& shard, const std::string& id, test::Random& random) {
    ApplyOne(shard, IndexOp(id, RandomDocument(random).Json()));
  }
  ShardCheck Check() const { return CheckShard(store::NewReadOnlyDirectory(directory), place); }
  // The problems after the commit point has been written with that change.
  std::vector<FileProblem> WithCommit(const std::function<void(CommitPoint&)>& change) {
    CommitPoint changed = commit;
    change(changed);
    REQUIRE(WriteCommit(*directory, changed).ok());
    auto problems = AllProblems(Check());
    REQUIRE(WriteCommit(*directory, commit).ok());
    return problems;
  }

  ShardWorld world;
  std::shared_ptr<store::Directory> directory = store::NewMemoryDirectory();
  std::shared_ptr<const mapping::Mapping> parsed;
  ShardPlace place;
  CommitPoint commit;
};

// Whether there is a problem of that file that says so.
bool Has(const std::vector<FileProblem>& problems, const std::string& file,
         const std::string& what) {
  for (const FileProblem& problem : problems) {
    UNSCOPED_INFO(problem.file << ": " << problem.what);
    if (problem.file == file && problem.what.find(what) != std::string::npos) return true;
  }
  return false;
}

TEST_CASE("a sound shard has no problems") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  for (const char* codec : {"none", "lz4", "zstd"}) {
    ClosedShard shard(random, codec);
    const ShardCheck check = shard.Check();
    for (const FileProblem& problem : AllProblems(check)) {
      FAIL_CHECK(problem.file << ": " << problem.what);
    }
    CHECK(check.remarks.empty());
    CHECK(check.translog.remarks.empty());
    CHECK(check.commit == CommitFileName(shard.commit.generation));
    CHECK(check.max_seq_no == 350);
    CHECK(check.translog.operations == 5);
    REQUIRE(check.segments.size() == 2);
    CHECK(check.segments[0].docs == 279);
    CHECK(check.segments[0].deleted == 21);
    CHECK(check.segments[0].stored_codec == codec);
    CHECK(check.segments[1].docs == 50);
    CHECK(check.segments[1].bytes == shard.commit.segments[1].info.size_bytes);
  }
}

TEST_CASE("a commit point that disagrees with the segments is found") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ClosedShard shard(random);
  const std::string file = CommitFileName(shard.commit.generation);
  CHECK(shard.WithCommit([](CommitPoint&) {}).empty());
  // Without its live docs the first segment has documents that the second one replaced.
  const auto twice =
      shard.WithCommit([](CommitPoint& commit) { commit.segments[0].live_docs_generation = 0; });
  CHECK(Has(twice, file, "2 live documents have the id [a0] (segments _"));
  CHECK(twice.size() == 20);
  CHECK(Has(shard.WithCommit([](CommitPoint& commit) { commit.max_seq_no = 340; }), "_1.columns",
            "[_seq_no]: document"));
  CHECK(Has(shard.WithCommit([](CommitPoint& commit) { commit.local_checkpoint = 351; }), file,
            "local checkpoint 351"));
  CHECK(Has(shard.WithCommit([](CommitPoint& commit) { ++commit.segments[1].info.size_bytes; }),
            file, "segment _1"));
  CHECK(Has(shard.WithCommit([](CommitPoint& commit) { commit.translog_generation += 5; }), file,
            "needs the log"));
  CHECK(Has(
      shard.WithCommit([](CommitPoint& commit) { commit.segments.push_back(commit.segments[1]); }),
      file, "twice"));
  CHECK(Has(shard.WithCommit([](CommitPoint& commit) { ++commit.segments[0].info.max_doc; }),
            "_0.norms", "301"));
  CHECK(Has(
      shard.WithCommit([](CommitPoint& commit) { commit.segments[0].info.stored_codec = "lzw"; }),
      "_0.stored", "lzw"));
  CHECK(Has(
      shard.WithCommit([](CommitPoint& commit) { commit.segments[0].live_docs_generation = 99; }),
      "_0_99.live", ""));
}

TEST_CASE("documents of another shard, and fields that are not as mapped, are found") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ClosedShard shard(random);
  shard.place.shard_count = 2;
  CHECK(Has(AllProblems(shard.Check()), "_0.stored", "belongs to shard 1"));
  shard.place.shard_count = 1;
  const auto other = mapping::Mapping::Parse(
                         R"({"properties": {"k": {"type": "keyword", "norms": true},
                             "t": {"type": "text"}, "n": {"type": "long"}}})",
                         analysis::AnalyzerRegistry::BuiltIn(), {})
                         .value();
  shard.place.mapping = other.get();
  const auto problems = AllProblems(shard.Check());
  CHECK(Has(problems, "_0.norms", "[k] has terms and no lengths"));
  CHECK(Has(problems, "_0.terms", "[tags]"));
  CHECK(Has(problems, "_0.columns", "[b] is not in the mapping"));
}

TEST_CASE("a log that is not whole is found; what a crash leaves is none of it") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ClosedShard shard(random);
  const auto log = shard.directory->Sub("translog").value();
  std::string generation;
  const std::vector<std::string> names = log->List().value();
  for (const std::string& name : names) {
    if (name.ends_with(".log")) generation = name;
  }
  const std::string sound = ReadAll(*log, generation);

  // The last bytes are the end record; without it, what is behind the operations is a torn tail.
  std::string torn = sound;
  const size_t end = torn.find_last_not_of('\0');
  torn[end] ^= 1;
  torn[end - 10] ^= 1;
  Replace(*log, generation, torn);
  ShardCheck check = shard.Check();
  CHECK(AllProblems(check).empty());
  REQUIRE(check.translog.remarks.size() == 1);
  CHECK(check.translog.remarks[0].file == generation);
  CHECK(check.translog.operations == 5);

  std::string damaged = sound;
  damaged[60] ^= 1;
  Replace(*log, generation, damaged);
  CHECK(Has(AllProblems(shard.Check()), generation, "offset"));
  REQUIRE(log->Delete(generation).ok());
  CHECK(Has(AllProblems(shard.Check()), generation, "missing"));
  Replace(*log, generation, sound);
  REQUIRE(log->Delete("translog.ckp").ok());
  CHECK(Has(AllProblems(shard.Check()), "translog.ckp", "missing"));
  REQUIRE(shard.directory->DeleteSub("translog").ok());
  CHECK(Has(AllProblems(shard.Check()), "translog", "missing"));
}

TEST_CASE("an older commit point is looked at when the newest is damaged; leftovers are remarks") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ClosedShard shard(random);
  for (const char* name : {"_zz.terms", "_0_77.live", "pending_segments_9", "core"}) {
    Replace(*shard.directory, name, "x");
  }
  ShardCheck check = shard.Check();
  CHECK(AllProblems(check).empty());
  CHECK(check.remarks.size() == 4);

  const std::string newer = CommitFileName(shard.commit.generation + 1);
  Replace(*shard.directory, newer, "CRLW");
  check = shard.Check();
  CHECK(Has(AllProblems(check), newer, ""));
  CHECK(check.commit == CommitFileName(shard.commit.generation));
  CHECK(check.segments.size() == 2);
  REQUIRE(shard.directory->Delete(newer).ok());
  REQUIRE(shard.directory->Delete(check.commit).ok());
  CHECK(Has(AllProblems(shard.Check()), "segments_N", "no commit point"));
}

// Damage with a right checksum: a program's error, or somebody's work.
void FixChecksum(std::string& file) {
  const std::string_view body = std::string_view(file).substr(0, file.size() - kFooter);
  const uint32_t crc = Crc32c(body);
  file.resize(file.size() - 4);
  PutFixed32(file, crc);
}

void Damage(std::string& file, test::Random& random) {
  const int64_t last = static_cast<int64_t>(file.size() - kFooter) - 1;
  // Behind the header; more often where the table of contents is.
  const int64_t from = random.OneIn(3) ? std::max<int64_t>(20, last - 200) : 20;
  const auto at = static_cast<size_t>(random.Between(from, last));
  if (random.OneIn(3)) {
    const std::string word(8, random.Pick<char>({'\0', '\x7f', '\xff'}));
    const size_t size = std::min<size_t>(word.size(), static_cast<size_t>(last) + 1 - at);
    file.replace(at, size, word, 0, size);
  } else {
    file[at] = static_cast<char>(file[at] ^ (1 << random.Between(0, 7)));
  }
}

TEST_CASE("damage is found by the checksum in every file") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  ClosedShard shard(random, "zstd");
  const std::vector<std::string> names = shard.directory->List().value();
  for (const std::string& name : names) {
    const std::string sound = ReadAll(*shard.directory, name);
    for (int round = 0; round < 25; ++round) {
      std::string damaged = sound;
      if (random.OneIn(5)) {
        damaged.resize(
            static_cast<size_t>(random.Between(0, static_cast<int64_t>(sound.size()) - 1)));
      } else {
        Damage(damaged, random);
      }
      if (damaged == sound) continue;
      Replace(*shard.directory, name, damaged);
      INFO(name);
      REQUIRE(Has(AllProblems(shard.Check()), name, ""));
    }
    Replace(*shard.directory, name, sound);
  }
  REQUIRE(shard.Check().problem_count() == 0);
}

TEST_CASE("damage under a right checksum never does harm, and mostly is found") {
  test::Random random;
  INFO("CURLEW_TEST_SEED=" << random.seed());
  // What may be damaged and be as good as before: positions and sources are what they are.
  const std::map<std::string, int> least = {{"terms", 60},  {"postings", 30}, {"columns", 35},
                                            {"points", 50}, {"norms", 30},    {"stored", 10},
                                            {"live", 60}};
  constexpr int kRounds = 60;
  for (const char* codec : {"none", "zstd"}) {
    ClosedShard shard(random, codec);
    const std::vector<std::string> names = shard.directory->List().value();
    for (const std::string& name : names) {
      const std::string sound = ReadAll(*shard.directory, name);
      int changed = 0;
      int found = 0;
      for (int round = 0; round < kRounds; ++round) {
        std::string damaged = sound;
        Damage(damaged, random);
        FixChecksum(damaged);
        if (damaged == sound) continue;
        ++changed;
        Replace(*shard.directory, name, damaged);
        found += AllProblems(shard.Check()).empty() ? 0 : 1;
      }
      Replace(*shard.directory, name, sound);
      const auto kind = least.find(name.substr(name.find('.') + 1));
      if (kind == least.end()) continue;  // a commit point
      INFO(name << ", " << codec << ": " << found << " of " << changed);
      CHECK(found * 100 >= changed * kind->second);
    }
    REQUIRE(shard.Check().problem_count() == 0);
  }
}

}  // namespace
}  // namespace curlew::index
