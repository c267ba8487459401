#include "engine/index/commit_point.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "engine/index/segment_files.h"
#include "engine/store/checked_file.h"
#include "engine/util/bytes.h"
#include "engine/util/error.h"

namespace curlew::index {

namespace {

constexpr std::string_view kPrefix = "segments";  // "segments_1", as Lucene names them
constexpr std::string_view kPending = "pending_segments";
constexpr store::FileFormat kFormat{"commit", 1, 1};

// The owner in the frame: a commit file renamed by hand does not pass for another generation.
std::string Owner(uint64_t generation) { return CommitFileName(generation); }

}  // namespace

std::string CommitFileName(uint64_t generation) {
  return std::string(kPrefix) + SegmentName(generation);
}

std::optional<uint64_t> CommitGenerationOfFile(std::string_view file) {
  if (!file.starts_with(kPrefix)) return std::nullopt;
  file.remove_prefix(kPrefix.size());
  return SegmentNumberOfFile(std::string(file) + ".");
}

bool IsPendingCommitFile(std::string_view file) { return file.starts_with(kPending); }

absl::Status WriteCommit(store::Directory& directory, const CommitPoint& commit) {
  const std::string pending = std::string(kPending) + SegmentName(commit.generation);
  CURLEW_ASSIGN_OR_RETURN(auto file, store::CheckedWriter::Create(directory, pending, kFormat,
                                                                  Owner(commit.generation)));
  std::string body;
  PutFixed64(body, commit.generation);
  PutFixed64(body, commit.next_segment);
  PutFixed64(body, static_cast<uint64_t>(commit.max_seq_no));
  PutFixed64(body, static_cast<uint64_t>(commit.local_checkpoint));
  PutFixed64(body, commit.translog_generation);
  PutVarint(body, commit.segments.size());
  for (const CommittedSegment& segment : commit.segments) {
    PutString(body, segment.info.name);
    PutVarint(body, segment.info.max_doc);
    PutString(body, segment.info.stored_codec);
    PutVarint(body, segment.info.size_bytes);
    PutVarint(body, segment.live_docs_generation);
  }
  file->Append(body);
  absl::Status status = file->Finish(/*sync=*/true);
  if (status.ok()) status = directory.Rename(pending, CommitFileName(commit.generation));
  if (!status.ok()) {
    directory.Delete(pending).IgnoreError();
    return status;
  }
  return directory.SyncDirectory();
}

absl::StatusOr<CommitPoint> ReadCommit(store::Directory& directory, uint64_t generation) {
  const std::string name = CommitFileName(generation);
  CURLEW_ASSIGN_OR_RETURN(store::CheckedFile file,
                          store::CheckedFile::Open(directory, name, kFormat, Owner(generation)));
  ByteReader in(file.bytes().substr(file.body()));
  CommitPoint commit;
  commit.generation = in.Fixed64();
  commit.next_segment = in.Fixed64();
  commit.max_seq_no = static_cast<int64_t>(in.Fixed64());
  commit.local_checkpoint = static_cast<int64_t>(in.Fixed64());
  commit.translog_generation = in.Fixed64();
  const uint64_t count = in.Varint();
  bool sound = commit.generation == generation;
  for (uint64_t i = 0; i < count && !in.failed(); ++i) {
    CommittedSegment segment;
    segment.info.name = std::string(in.String());
    const uint64_t max_doc = in.Varint();
    segment.info.max_doc = static_cast<uint32_t>(max_doc);
    segment.info.stored_codec = std::string(in.String());
    segment.info.size_bytes = in.Varint();
    segment.live_docs_generation = in.Varint();
    const auto number = SegmentNumberOfFile(segment.info.name + ".");
    sound = sound && max_doc > 0 && max_doc < codec::kNoMoreDocs && number.has_value() &&
            *number < commit.next_segment;
    commit.segments.push_back(std::move(segment));
  }
  if (in.failed() || !in.AtEnd() || !sound) {
    return Corruption(
        fmt::format("commit point {} in {} is whole but makes no sense", name, directory.path()));
  }
  return commit;
}

absl::StatusOr<std::vector<uint64_t>> ListCommits(store::Directory& directory) {
  CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> files, directory.List());
  std::vector<uint64_t> generations;
  for (const std::string& file : files) {
    if (const auto generation = CommitGenerationOfFile(file)) generations.push_back(*generation);
  }
  std::sort(generations.begin(), generations.end(), std::greater<>());
  return generations;
}

}  // namespace curlew::index
