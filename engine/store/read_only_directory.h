// A folder that is looked at and never changed.
#ifndef CURLEW_ENGINE_STORE_READ_ONLY_DIRECTORY_H_
#define CURLEW_ENGINE_STORE_READ_ONLY_DIRECTORY_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/store/directory.h"

namespace curlew::store {

// Reads what is in `target`; everything that would change it, or make a missing folder, fails:
// kPermissionDenied, and kNotFound from Sub.
std::shared_ptr<Directory> NewReadOnlyDirectory(std::shared_ptr<Directory> target);

// The folder `path` of the file system. kNotFound when there is none.
absl::StatusOr<std::shared_ptr<Directory>> OpenReadOnlyDirectory(const std::string& path);

}  // namespace curlew::store

#endif  // CURLEW_ENGINE_STORE_READ_ONLY_DIRECTORY_H_
