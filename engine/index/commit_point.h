// The file that says which segments make up a shard: docs/formats/commit_point.md.
#ifndef CURLEW_ENGINE_INDEX_COMMIT_POINT_H_
#define CURLEW_ENGINE_INDEX_COMMIT_POINT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/index/segment_reader.h"
#include "engine/store/directory.h"

namespace curlew::index {

struct CommittedSegment {
  SegmentInfo info;
  uint64_t live_docs_generation = 0;  // 0 = no document is deleted
};

struct CommitPoint {
  uint64_t generation = 0;                 // of the file: segments_<generation in base 36>
  std::vector<CommittedSegment> segments;  // in index order
  uint64_t next_segment = 0;               // number of the next segment to be written
  int64_t max_seq_no = -1;
  int64_t local_checkpoint = -1;     // all operations up to this one are in the segments
  uint64_t translog_generation = 0;  // everything later is in this one or after it
};

std::string CommitFileName(uint64_t generation);
// nullopt for a file of another kind.
std::optional<uint64_t> CommitGenerationOfFile(std::string_view file);
// A commit point whose writing was interrupted.
bool IsPendingCommitFile(std::string_view file);

// Writes and syncs the file under a temporary name, renames it, syncs the folder. What it names
// must be durable already.
absl::Status WriteCommit(store::Directory& directory, const CommitPoint& commit);
absl::StatusOr<CommitPoint> ReadCommit(store::Directory& directory, uint64_t generation);
// Generations that are there, newest first.
absl::StatusOr<std::vector<uint64_t>> ListCommits(store::Directory& directory);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_COMMIT_POINT_H_
