#include "engine/store/posix_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "engine/store/shortage.h"
#include "engine/util/error.h"

namespace curlew::store {
namespace {

// Calls until it is not interrupted.
template <typename F>
auto Retry(const F& call) {
  while (true) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

absl::Status Failed(std::string_view what, const std::string& path, int error) {
  return IoError(fmt::format("{} [{}]", what, path), error);
}

absl::Status SyncFailed(const std::string& path, int error) {
  return SyncError(fmt::format("cannot sync [{}]", path), error);
}

}  // namespace

int FileDescriptor::Reset() {
  const int fd = std::exchange(fd_, -1);
  if (fd < 0 || close(fd) == 0 || errno == EINTR) return 0;
  return errno;
}

absl::StatusOr<FileDescriptor> OpenFile(const std::string& path, int flags) {
  FileDescriptor fd(Retry([&] { return open(path.c_str(), flags | O_CLOEXEC, 0644); }));
  if (!fd.valid()) return Failed("cannot open", path, errno);
  return fd;
}

absl::StatusOr<uint64_t> FileSize(const FileDescriptor& fd, const std::string& path) {
  struct stat info {};
  if (fstat(fd.get(), &info) != 0) return Failed("cannot stat", path, errno);
  return static_cast<uint64_t>(info.st_size);
}

absl::Status WriteAll(const FileDescriptor& fd, std::string_view data, const std::string& path) {
  while (!data.empty()) {
    const ssize_t n = Retry([&] { return write(fd.get(), data.data(), data.size()); });
    if (n < 0) return Failed("cannot write to", path, errno);
    data.remove_prefix(static_cast<size_t>(n));
  }
  return absl::OkStatus();
}

absl::Status WriteAllAt(const FileDescriptor& fd, uint64_t offset, std::string_view data,
                        const std::string& path) {
  while (!data.empty()) {
    const ssize_t n = Retry(
        [&] { return pwrite(fd.get(), data.data(), data.size(), static_cast<off_t>(offset)); });
    if (n < 0) return Failed("cannot write to", path, errno);
    data.remove_prefix(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return absl::OkStatus();
}

absl::Status SyncAll(const FileDescriptor& fd, const std::string& path) {
  if (Retry([&] { return fsync(fd.get()); }) != 0) return SyncFailed(path, errno);
  return absl::OkStatus();
}

absl::Status SyncData(const FileDescriptor& fd, const std::string& path) {
  if (Retry([&] { return fdatasync(fd.get()); }) != 0) return SyncFailed(path, errno);
  return absl::OkStatus();
}

absl::Status CloseFile(FileDescriptor& fd, const std::string& path) {
  if (const int error = fd.Reset(); error != 0) return Failed("cannot close", path, error);
  return absl::OkStatus();
}

absl::Status FillWithZeros(const FileDescriptor& fd, uint64_t from, uint64_t to,
                           const std::string& path) {
  if (from >= to) return absl::OkStatus();
  int error = 0;
  do {
    error = posix_fallocate(fd.get(), static_cast<off_t>(from), static_cast<off_t>(to - from));
  } while (error == EINTR);
  // A file system without the call still takes the zeros below.
  if (error != 0 && error != EOPNOTSUPP && error != EINVAL) {
    return Failed("cannot allocate space for", path, error);
  }
  static constexpr std::array<char, 64 << 10> kZeros{};
  while (from < to) {
    const uint64_t n = std::min<uint64_t>(kZeros.size(), to - from);
    CURLEW_RETURN_IF_ERROR(WriteAllAt(fd, from, {kZeros.data(), n}, path));
    from += n;
  }
  return absl::OkStatus();
}

absl::Status SyncFolder(const std::string& path) {
  CURLEW_ASSIGN_OR_RETURN(auto fd, OpenFile(path, O_RDONLY | O_DIRECTORY));
  return SyncAll(fd, path);
}

absl::Status MakeFolders(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  int error = mkdir(path.c_str(), 0755) == 0 ? 0 : errno;
  if (error == ENOENT && !parent.empty() && parent != path) {
    CURLEW_RETURN_IF_ERROR(MakeFolders(parent));
    // Once: there are systems of files (/proc) that say so of a folder whose parent is there.
    error = mkdir(path.c_str(), 0755) == 0 ? 0 : errno;
  }
  if (error == 0) return SyncFolder(parent.empty() ? "." : parent);
  if (error == EEXIST) {
    struct stat info {};
    if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return absl::OkStatus();
    return Failed("cannot create the folder", path, ENOTDIR);
  }
  return Failed("cannot create the folder", path, error);
}

}  // namespace curlew::store
