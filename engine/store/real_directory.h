// Directory over the operating system's files.
#ifndef CURLEW_ENGINE_STORE_REAL_DIRECTORY_H_
#define CURLEW_ENGINE_STORE_REAL_DIRECTORY_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/store/directory.h"

namespace curlew::store {

// Opens the folder `path`, created (with its parents) when missing.
absl::StatusOr<std::shared_ptr<Directory>> OpenRealDirectory(const std::string& path);

// Holds the exclusive lock on a data folder (flock on `<path>/node.lock`) until destroyed, so that
// two servers cannot open the same data.
class FolderLock {
 public:
  static absl::StatusOr<std::unique_ptr<FolderLock>> Acquire(const std::string& path);
  // For those who only look: several of them hold it at a time, beside nobody else. Changes
  // nothing on the disk: null when there is no `<path>/node.lock`, as no server has had that folder
  // then.
  static absl::StatusOr<std::unique_ptr<FolderLock>> AcquireShared(const std::string& path);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace curlew::store

#endif  // CURLEW_ENGINE_STORE_REAL_DIRECTORY_H_
