// The translog's checkpoint: which generation is the oldest one that is still needed.
#ifndef CURLEW_ENGINE_TRANSLOG_CHECKPOINT_H_
#define CURLEW_ENGINE_TRANSLOG_CHECKPOINT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store/directory.h"

namespace curlew::translog {

constexpr char kCheckpointName[] = "translog.ckp";

// Replaces the checkpoint; a crash leaves the old one or the new one.
absl::Status WriteCheckpoint(store::Directory& directory, uint64_t oldest_generation);

// kNotFound when there is none, Corruption when it is damaged.
absl::StatusOr<uint64_t> ReadCheckpoint(store::Directory& directory);

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_CHECKPOINT_H_
