// Reads a translog's folder without opening the log: nothing in it changes.
#ifndef CURLEW_ENGINE_TRANSLOG_TRANSLOG_CHECKER_H_
#define CURLEW_ENGINE_TRANSLOG_TRANSLOG_CHECKER_H_

#include <cstdint>
#include <vector>

#include "engine/store/directory.h"
#include "engine/store/file_problems.h"

namespace curlew::translog {

struct TranslogCheck {
  // What keeps the log from being opened, or loses operations.
  std::vector<store::FileProblem> problems;
  // What an interrupted process has left, and the next start cleans up.
  std::vector<store::FileProblem> remarks;
  // Of the generations that are still needed; 0 = there is none.
  uint64_t oldest_generation = 0;
  uint64_t newest_generation = 0;
  uint64_t operations = 0;
  uint64_t bytes = 0;
};

// Reads every record. A log without any generation is a problem: every shard has one.
TranslogCheck CheckTranslog(store::Directory& directory);

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_TRANSLOG_CHECKER_H_
