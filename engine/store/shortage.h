// Failures that pass: descriptors, memory or room on the disk that others will give back; and the
// one that never does, a sync that failed.
#ifndef CURLEW_ENGINE_STORE_SHORTAGE_H_
#define CURLEW_ENGINE_STORE_SHORTAGE_H_

#include <string>

#include "absl/status/status.h"

namespace curlew::store {

// No descriptor, no memory to map a file, or no room for one. The operation can be tried again:
// what it wrote of a file before is worth nothing, but nothing else is lost. A failed sync is never
// one.
bool IsShortage(const absl::Status& status);

// The error of an fsync or fdatasync, whatever its number. The system may have dropped what it
// could not write and call the next sync of the same file a success, so nobody may try again and
// believe that.
absl::Status SyncError(std::string reason, int errno_value);
bool IsSyncError(const absl::Status& status);

}  // namespace curlew::store

#endif  // CURLEW_ENGINE_STORE_SHORTAGE_H_
