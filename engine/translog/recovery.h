// Brings a translog's folder from whatever a crash has left into a state to go on from.
#ifndef CURLEW_ENGINE_TRANSLOG_RECOVERY_H_
#define CURLEW_ENGINE_TRANSLOG_RECOVERY_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/store/directory.h"

namespace curlew::translog {

struct GenerationInfo {
  uint64_t generation = 0;
  uint64_t operations = 0;
  uint64_t bytes = 0;  // of the operations' records
};

struct RecoveredLog {
  // Oldest first, without gaps; all of them durable. Empty for a new log.
  std::vector<GenerationInfo> generations;
  // The last generation has never been written to: it may be used as it is, with this seed.
  bool last_is_blank = false;
  uint32_t last_seed = 0;
};

// Checks every record. Removes left-overs (temporary files, generations before the checkpoint),
// cuts a torn tail of the last generation by an end record in its place, and syncs it: a process
// that was killed may have left records that nobody has synced yet. Running it again, or after a
// crash of itself, gives the same. Corruption names file and offset, and then nothing has been cut.
// With `must_exist` a log without any generation is Corruption too.
absl::StatusOr<RecoveredLog> RecoverLog(store::Directory& directory, bool must_exist);

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_RECOVERY_H_
