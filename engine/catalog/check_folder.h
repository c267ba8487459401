// Checks data on disk while no server has it open: all indexes of a data folder, one index, or one
// shard.
#ifndef CURLEW_ENGINE_CATALOG_CHECK_FOLDER_H_
#define CURLEW_ENGINE_CATALOG_CHECK_FOLDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/index/check/check_shard.h"
#include "engine/store/directory.h"
#include "engine/store/file_problems.h"

namespace curlew::catalog {

struct NumberedShardCheck {
  int shard = 0;
  index::ShardCheck check;
};

struct IndexCheck {
  std::string path;  // of its folder
  std::string name;  // empty = not known
  std::vector<NumberedShardCheck> shards;
  std::vector<store::FileProblem> problems;  // of the index as a whole
  std::vector<store::FileProblem> remarks;   // leftovers; see ShardCheck

  uint64_t problem_count() const;
};

struct FolderCheck {
  std::vector<IndexCheck> indexes;
  std::vector<store::FileProblem> problems;  // of the data folder
  std::vector<store::FileProblem> remarks;

  uint64_t problem_count() const;
};

// An index's folder. `only_shard`: that one alone; -1 = all.
IndexCheck CheckIndex(const std::shared_ptr<store::Directory>& directory, int only_shard = -1);

// `path` is a data folder, an index's folder below it, or a shard's below that. Nothing is changed.
// Errors: there is no such folder (kNotFound), it is none of these (illegal_argument_exception), or
// a server holds the data folder's lock (illegal_state_exception). With the lock held here, no
// server starts on it meanwhile.
absl::StatusOr<FolderCheck> CheckFolder(const std::string& path);

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_CHECK_FOLDER_H_
