// Failures that say nothing of the disk: descriptors or memory that others will give back.
#ifndef CURLEW_ENGINE_INDEX_SHORTAGE_H_
#define CURLEW_ENGINE_INDEX_SHORTAGE_H_

#include "absl/status/status.h"

namespace curlew::index {

// No file could be opened: nothing was read, written or synced.
bool OutOfDescriptors(const absl::Status& status);
// The same, or no memory to map a file.
bool OutOfDescriptorsOrMemory(const absl::Status& status);

}  // namespace curlew::index

#endif  // CURLEW_ENGINE_INDEX_SHORTAGE_H_
