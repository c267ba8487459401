// Commit points on disk, and what a shard does when one is damaged.
#include "engine/index/commit_point.h"

#include <set>

#include "engine/codec/live_docs/live_docs_file.h"
#include "engine/index/segment_files.h"
#include "engine/store/directory.h"
#include "test/engine/index/shard_fixture.h"

namespace curlew::index {
namespace {

std::string Content(store::Directory& directory, const std::string& file) {
  auto opened = directory.Open(file);
  REQUIRE(opened.ok());
  return std::string((*opened)->view());
}

void Put(store::Directory& directory, const std::string& file, std::string_view content) {
  REQUIRE(store::WriteAtomically(directory, file, content).ok());
}

TEST_CASE("names of segments and commit points") {
  CHECK(SegmentName(0) == "_0");
  CHECK(SegmentName(35) == "_z");
  CHECK(SegmentName(36) == "_10");
  CHECK(SegmentNumberOfFile("_10.postings") == 36u);
  CHECK(SegmentNumberOfFile("_z_3.live") == 35u);
  CHECK(!SegmentNumberOfFile("_.postings").has_value());
  CHECK(!SegmentNumberOfFile("x_1.postings").has_value());
  CHECK(!SegmentNumberOfFile("_1").has_value());
  CHECK(!SegmentNumberOfFile("_1A.x").has_value());
  CHECK(CommitFileName(12) == "segments_c");
  CHECK(CommitGenerationOfFile("segments_c") == 12u);
  CHECK(!CommitGenerationOfFile("segments").has_value());
  CHECK(!CommitGenerationOfFile("pending_segments_c").has_value());
  CHECK(IsPendingCommitFile("pending_segments_c"));
}

TEST_CASE("a commit point comes back as it was written; damage is found") {
  auto directory = store::NewMemoryDirectory();
  CommitPoint commit;
  commit.generation = 7;
  commit.next_segment = 40;
  commit.max_seq_no = 123456789012;
  commit.local_checkpoint = -1;
  commit.translog_generation = 9;
  commit.segments.push_back({{"_a", 100, "none", 4000}, 0});
  commit.segments.push_back({{"_12", 5, "zstd", 300}, 17});
  REQUIRE(WriteCommit(*directory, commit).ok());
  const auto read = ReadCommit(*directory, 7);
  REQUIRE(read.ok());
  CHECK(read->next_segment == 40);
  CHECK(read->max_seq_no == 123456789012);
  CHECK(read->local_checkpoint == -1);
  CHECK(read->translog_generation == 9);
  REQUIRE(read->segments.size() == 2);
  CHECK(read->segments[1].info.name == "_12");
  CHECK(read->segments[1].info.max_doc == 5);
  CHECK(read->segments[1].info.stored_codec == "zstd");
  CHECK(read->segments[1].info.size_bytes == 300);
  CHECK(read->segments[1].live_docs_generation == 17);

  const std::string whole = Content(*directory, "segments_7");
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    Put(*directory, "segments_7", damaged);
    INFO("byte " << i);
    REQUIRE(absl::IsDataLoss(ReadCommit(*directory, 7).status()));
    Put(*directory, "segments_7", whole.substr(0, i));
    REQUIRE(absl::IsDataLoss(ReadCommit(*directory, 7).status()));
  }
  Put(*directory, "segments_8", whole);
  CHECK(absl::IsDataLoss(ReadCommit(*directory, 8).status()));
}

// A shard with deletions and two commits' worth of documents, closed with a commit.
std::shared_ptr<store::Directory> Prepared(ShardWorld& world) {
  auto directory = store::NewMemoryDirectory();
  auto shard = world.Open(directory);
  for (int i = 0; i < 20; ++i) ApplyOne(*shard, IndexOp(std::to_string(i), R"({"n":1})"));
  REQUIRE(shard->Flush().ok());
  // Fewer than would be merged away.
  for (int i = 0; i < 4; ++i) ApplyOne(*shard, DeleteOp(std::to_string(i)));
  REQUIRE(shard->Close(true).ok());
  return directory;
}

TEST_CASE("a shard with a damaged or missing file does not open, and says which file it is") {
  ShardWorld world;
  const auto files = Prepared(world)->List();
  REQUIRE(files.ok());
  size_t segment_files = 0;
  for (const std::string& file : *files) {
    segment_files += SegmentNumberOfFile(file).has_value();
    for (const bool remove : {false, true}) {
      auto directory = Prepared(world);
      std::string content = Content(*directory, file);
      if (remove) {
        REQUIRE(directory->Delete(file).ok());
      } else {
        content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
        Put(*directory, file, content);
      }
      const auto shard = world.TryOpen(directory);
      INFO(file << (remove ? " removed: " : " damaged: ") << shard.status());
      REQUIRE(!shard.ok());
      CHECK(absl::IsDataLoss(shard.status()));
      if (!(remove && CommitGenerationOfFile(file).has_value())) {
        CHECK(DescribeError(shard.status()).reason.find(file) != std::string::npos);
      }
    }
  }
  CHECK(segment_files >= 5);
}

TEST_CASE("an older commit point serves when the newest is damaged and the log reaches back") {
  ShardWorld world;
  auto directory = store::NewMemoryDirectory();
  auto shard = world.Open(directory);
  for (int i = 0; i < 20; ++i) ApplyOne(*shard, IndexOp(std::to_string(i), R"({"n":1})"));
  REQUIRE(shard->Flush().ok());
  for (int i = 0; i < 5; ++i) ApplyDurable(*shard, DeleteOp(std::to_string(i)));
  const auto before = VisibleDocuments(*shard);
  REQUIRE(shard->Close(false).ok());
  const auto commits = ListCommits(*directory);
  REQUIRE(commits.ok());
  REQUIRE(commits->size() == 1);
  // A newer one whose bytes went bad, beside the whole one.
  Put(*directory, CommitFileName(commits->front() + 1), "garbage");
  shard = world.Open(directory);
  CHECK(VisibleDocuments(*shard).size() == 15);
  // The next commit leaves one file again.
  ApplyOne(*shard, IndexOp("more", "{}"));
  REQUIRE(shard->Close(true).ok());
  REQUIRE(ListCommits(*directory)->size() == 1);
  CHECK(ListCommits(*directory)->front() == commits->front() + 2);
  shard = world.Open(directory);
  CHECK(VisibleDocuments(*shard).size() == 16);
}

TEST_CASE("files that nothing needs are removed") {
  ShardWorld world;
  auto directory = store::NewMemoryDirectory();
  auto shard = world.Open(directory);
  auto segments = [&] {
    std::set<uint64_t> numbers;
    const auto files = directory->List();
    for (const std::string& file : *files) {
      if (const auto number = SegmentNumberOfFile(file)) numbers.insert(*number);
    }
    return numbers.size();
  };
  for (int i = 0; i < 20; ++i) {
    ApplyOne(*shard, IndexOp(std::to_string(i), R"({"n":1})"));
    if (i % 4 == 3) REQUIRE(shard->Flush().ok());
  }
  CHECK(segments() == 5);
  auto held = shard->snapshot();
  REQUIRE(shard->ForceMerge({1}).ok());
  CHECK(segments() == 6);  // a reader still has them
  CHECK(held->segments[3].reader->Terms("_id") != nullptr);
  held = nullptr;
  CHECK(segments() == 1);
  // Live docs: only the committed generation stays.
  for (int i = 0; i < 3; ++i) {
    ApplyOne(*shard, DeleteOp(std::to_string(i)));
    REQUIRE(shard->Flush().ok());
  }
  size_t live_files = 0;
  const auto files = directory->List();
  for (const std::string& file : *files) live_files += file.ends_with(".live");
  CHECK(live_files == 1);
  REQUIRE(shard->Close(true).ok());
  // Leftovers of a crash.
  Put(*directory, "_9.postings", "half");
  Put(*directory, "pending_segments_5", "half");
  shard = world.Open(directory);
  CHECK(segments() == 1);
  CHECK(!*directory->Exists("pending_segments_5"));
  CHECK(VisibleDocuments(*shard).size() == 17);
}

TEST_CASE("opening and closing without writes writes nothing") {
  ShardWorld world;
  auto directory = Prepared(world);
  const auto before = directory->List();
  for (int i = 0; i < 3; ++i) {
    auto shard = world.Open(directory);
    REQUIRE(shard->Close(true).ok());
  }
  CHECK(*directory->List() == *before);
}

}  // namespace
}  // namespace curlew::index
