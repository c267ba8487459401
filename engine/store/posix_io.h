// System calls on files with the loops and error texts that every use of them needs.
#ifndef CURLEW_ENGINE_STORE_POSIX_IO_H_
#define CURLEW_ENGINE_STORE_POSIX_IO_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace curlew::store {

// Owns a descriptor; closes it when destroyed.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { Reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  // Closes; 0 or the errno. Interrupted counts as closed, as it is on Linux.
  int Reset();

 private:
  int fd_ = -1;
};

// All return IoError naming `path`, and go on after signals and short writes.
absl::StatusOr<FileDescriptor> OpenFile(const std::string& path, int flags);
absl::StatusOr<uint64_t> FileSize(const FileDescriptor& fd, const std::string& path);
absl::Status WriteAll(const FileDescriptor& fd, std::string_view data, const std::string& path);
absl::Status WriteAllAt(const FileDescriptor& fd, uint64_t offset, std::string_view data,
                        const std::string& path);
absl::Status SyncAll(const FileDescriptor& fd, const std::string& path);
absl::Status SyncData(const FileDescriptor& fd, const std::string& path);
absl::Status CloseFile(FileDescriptor& fd, const std::string& path);

// Allocates [from, to) and writes zeros into it. Blocks that are only allocated are marked
// unwritten, and the first sync after writing to them has to update that mark in the file's
// metadata (twice the time of a sync that need not).
absl::Status FillWithZeros(const FileDescriptor& fd, uint64_t from, uint64_t to,
                           const std::string& path);

// fsync of the folder itself.
absl::Status SyncFolder(const std::string& path);

// Creates the folder, its missing parents first, each made durable in its parent.
absl::Status MakeFolders(const std::string& path);

}  // namespace curlew::store

#endif  // CURLEW_ENGINE_STORE_POSIX_IO_H_
