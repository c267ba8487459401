// Directory in memory that knows what a crash would leave: for tests.
#ifndef CURLEW_ENGINE_STORE_MEMORY_DIRECTORY_H_
#define CURLEW_ENGINE_STORE_MEMORY_DIRECTORY_H_

#include <cstdint>
#include <memory>

#include "engine/store/directory.h"

namespace curlew::store {

std::shared_ptr<Directory> NewMemoryDirectory();

// How CrashImage treats bytes that were written but not synced.
enum class UnsyncedFate {
  kKeep,  // as after kill -9: the system still has them
  kLose,  // as after power loss: files keep only what was synced, names only what was dir-synced
  kScramble,  // power loss in which each unsynced write is kept, lost or torn at random
};

// A copy of the whole tree under `directory` (which must come from NewMemoryDirectory, else null)
// as it would be found after a crash now. `seed` decides for kScramble.
std::shared_ptr<Directory> CrashImage(const Directory& directory, UnsyncedFate fate,
                                      uint64_t seed = 0);

}  // namespace curlew::store

#endif  // CURLEW_ENGINE_STORE_MEMORY_DIRECTORY_H_
