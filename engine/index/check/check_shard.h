// Walks everything that is in a shard's folder and compares what its parts say of each other.
#ifndef CURLEW_ENGINE_INDEX_CHECK_CHECK_SHARD_H_
#define CURLEW_ENGINE_INDEX_CHECK_CHECK_SHARD_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/index/check/check_documents.h"
#include "engine/store/directory.h"
#include "engine/store/file_problems.h"
#include "engine/translog/translog_checker.h"

namespace curlew::index {

struct SegmentCheck {
  std::string name;
  uint64_t docs = 0;  // live
  uint64_t deleted = 0;
  uint64_t bytes = 0;  // of all its files, live docs included
  std::string stored_codec;
  std::vector<store::FileProblem> problems;
};

struct ShardCheck {
  std::string commit;  // the file of the commit point that was looked at; empty = none is readable
  int64_t max_seq_no = -1;
  int64_t local_checkpoint = -1;
  std::vector<SegmentCheck> segments;  // of that commit point, in its order
  translog::TranslogCheck translog;
  std::vector<store::FileProblem> problems;  // of the shard as a whole
  // Files that nothing needs: leftovers that the next start deletes.
  std::vector<store::FileProblem> remarks;

  uint64_t problem_count() const;
};

// Nobody may write to the folder meanwhile. Reads every file from end to end; memory for about 30
// bytes a document. What is damaged is reported and never followed blindly.
ShardCheck CheckShard(std::shared_ptr<store::Directory> directory, const ShardPlace& place);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_CHECK_CHECK_SHARD_H_
