// Failures that pass: descriptors, memory or room on the disk that others will give back.
#ifndef CURLEW_ENGINE_INDEX_SHORTAGE_H_
#define CURLEW_ENGINE_INDEX_SHORTAGE_H_

#include "absl/status/status.h"

namespace curlew::index {

// No file could be opened: nothing was read, written or synced.
bool OutOfDescriptors(const absl::Status& status);
// The same, or no memory to map a file, or no room for one. What was written of a file before is
// worth nothing.
bool IsShortage(const absl::Status& status);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SHORTAGE_H_
