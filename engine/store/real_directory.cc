#include "engine/store/real_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/store/posix_io.h"
#include "engine/util/error.h"

namespace curlew::store {
namespace {

class RealOutputFile : public OutputFile {
 public:
  RealOutputFile(FileDescriptor fd, std::string path)
      : fd_(std::move(fd)), path_(std::move(path)) {}

  absl::Status Append(std::string_view data) override {
    CURLEW_RETURN_IF_ERROR(WriteAll(fd_, data, path_));
    size_ += data.size();
    return absl::OkStatus();
  }
  uint64_t size() const override { return size_; }
  absl::Status Sync() override { return SyncAll(fd_, path_); }
  absl::Status Close() override { return CloseFile(fd_, path_); }

 private:
  FileDescriptor fd_;
  const std::string path_;
  uint64_t size_ = 0;
};

class MappedFile : public InputFile {
 public:
  MappedFile(void* address, size_t size) : address_(address), size_(size) {}
  ~MappedFile() override {
    if (size_ > 0) munmap(address_, size_);
  }
  std::string_view view() const override { return {static_cast<const char*>(address_), size_}; }

 private:
  void* address_;
  size_t size_;
};

class RealLogFile : public LogFile {
 public:
  RealLogFile(FileDescriptor fd, std::string path, uint64_t allocated)
      : fd_(std::move(fd)), path_(std::move(path)), allocated_(allocated) {}

  absl::Status WriteAt(uint64_t offset, std::string_view data) override {
    if (data.empty()) return absl::OkStatus();
    CURLEW_RETURN_IF_ERROR(WriteAllAt(fd_, offset, data, path_));
    allocated_ = std::max(allocated_, offset + data.size());
    return absl::OkStatus();
  }
  absl::Status Reserve(uint64_t bytes) override {
    if (bytes <= allocated_) return absl::OkStatus();
    CURLEW_RETURN_IF_ERROR(FillWithZeros(fd_, allocated_, bytes, path_));
    CURLEW_RETURN_IF_ERROR(SyncAll(fd_, path_));
    allocated_ = bytes;
    return absl::OkStatus();
  }
  absl::Status DataSync() override { return SyncData(fd_, path_); }
  uint64_t allocated() const override { return allocated_; }
  absl::Status Close() override { return CloseFile(fd_, path_); }

 private:
  FileDescriptor fd_;
  const std::string path_;
  uint64_t allocated_;
};

class RealDirectory : public Directory {
 public:
  explicit RealDirectory(std::string path) : path_(std::move(path)) {}

  absl::StatusOr<std::unique_ptr<OutputFile>> Create(const std::string& name) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string path, PathOf(name));
    // Not truncated in place: pages that a reader has mapped would vanish under it.
    if (unlink(path.c_str()) != 0 && errno != ENOENT) return Failed("cannot replace", path);
    CURLEW_ASSIGN_OR_RETURN(auto fd, OpenFile(path, O_WRONLY | O_CREAT | O_EXCL));
    return std::make_unique<RealOutputFile>(std::move(fd), path);
  }

  absl::StatusOr<std::shared_ptr<const InputFile>> Open(const std::string& name) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string path, PathOf(name));
    CURLEW_ASSIGN_OR_RETURN(auto fd, OpenFile(path, O_RDONLY));
    CURLEW_ASSIGN_OR_RETURN(const uint64_t size, FileSize(fd, path));
    if (size == 0) return std::make_shared<const MappedFile>(nullptr, 0);
    void* address = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (address == MAP_FAILED) return Failed("cannot map", path);
    return std::make_shared<const MappedFile>(address, size);
  }

  absl::StatusOr<std::unique_ptr<LogFile>> OpenLog(const std::string& name,
                                                   uint64_t preallocate) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string path, PathOf(name));
    auto created = OpenFile(path, O_RDWR | O_CREAT | O_EXCL);
    if (created.ok()) {
      auto log = std::make_unique<RealLogFile>(*std::move(created), path, 0);
      if (absl::Status status = log->Reserve(preallocate); !status.ok()) {
        unlink(path.c_str());
        return status;
      }
      return log;
    }
    CURLEW_ASSIGN_OR_RETURN(const bool exists, Exists(name));
    if (!exists) return created.status();
    CURLEW_ASSIGN_OR_RETURN(auto fd, OpenFile(path, O_RDWR));
    CURLEW_ASSIGN_OR_RETURN(const uint64_t size, FileSize(fd, path));
    return std::make_unique<RealLogFile>(std::move(fd), path, size);
  }

  absl::Status Rename(const std::string& from, const std::string& to) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string from_path, PathOf(from));
    CURLEW_ASSIGN_OR_RETURN(const std::string to_path, PathOf(to));
    if (rename(from_path.c_str(), to_path.c_str()) != 0) {
      return Failed(fmt::format("cannot rename to [{}]", to), from_path);
    }
    return absl::OkStatus();
  }

  absl::Status Delete(const std::string& name) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string path, PathOf(name));
    if (unlink(path.c_str()) != 0) return Failed("cannot delete", path);
    return absl::OkStatus();
  }

  absl::StatusOr<bool> Exists(const std::string& name) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string path, PathOf(name));
    struct stat info {};
    if (lstat(path.c_str(), &info) == 0) return S_ISREG(info.st_mode);
    if (errno == ENOENT) return false;
    return Failed("cannot stat", path);
  }

  absl::StatusOr<uint64_t> Size(const std::string& name) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string path, PathOf(name));
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) return Failed("cannot stat", path);
    return static_cast<uint64_t>(info.st_size);
  }

  absl::StatusOr<std::vector<std::string>> List() override { return Entries(S_IFREG); }

  absl::Status SyncFile(const std::string& name) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string path, PathOf(name));
    CURLEW_ASSIGN_OR_RETURN(auto fd, OpenFile(path, O_RDONLY));
    return SyncAll(fd, path);
  }

  absl::Status SyncDirectory() override { return SyncFolder(path_); }

  absl::StatusOr<std::shared_ptr<Directory>> Sub(const std::string& name) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string path, PathOf(name));
    CURLEW_RETURN_IF_ERROR(MakeFolders(path));
    return std::make_shared<RealDirectory>(path);
  }

  absl::StatusOr<std::vector<std::string>> ListSubs() override { return Entries(S_IFDIR); }

  absl::Status DeleteSub(const std::string& name) override {
    CURLEW_ASSIGN_OR_RETURN(const std::string path, PathOf(name));
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) return IoError(fmt::format("cannot delete the folder [{}]", path), error.value());
    return absl::OkStatus();
  }

  std::string path() const override { return path_; }

 private:
  // IoError of the call that has just failed.
  static absl::Status Failed(std::string_view what, const std::string& path) {
    const int error = errno;
    return IoError(fmt::format("{} [{}]", what, path), error);
  }

  absl::StatusOr<std::string> PathOf(const std::string& name) const {
    CURLEW_RETURN_IF_ERROR(CheckFileName(name));
    return path_ + "/" + name;
  }

  // Names of the entries of one type (of the S_IF constants), sorted.
  absl::StatusOr<std::vector<std::string>> Entries(mode_t type) const {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path_.c_str()), closedir);
    if (folder == nullptr) return Failed("cannot open the folder", path_);
    std::vector<std::string> names;
    while (true) {
      errno = 0;
      const dirent* entry = readdir(folder.get());
      if (entry == nullptr) break;
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      struct stat info {};
      if (fstatat(dirfd(folder.get()), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT) continue;  // deleted since it was listed
        return Failed("cannot stat", path_ + "/" + name);
      }
      if ((info.st_mode & S_IFMT) == type) names.push_back(name);
    }
    if (errno != 0) return Failed("cannot list the folder", path_);
    std::sort(names.begin(), names.end());
    return names;
  }

  const std::string path_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Directory>> OpenRealDirectory(const std::string& path) {
  CURLEW_RETURN_IF_ERROR(MakeFolders(path));
  return std::make_shared<RealDirectory>(path);
}

namespace {

constexpr char kLockName[] = "/node.lock";

// Without waiting. Closes `fd` when it cannot be had.
absl::Status LockFile(int fd, int how, const std::string& file) {
  if (flock(fd, how | LOCK_NB) == 0) return absl::OkStatus();
  const int error = errno;
  close(fd);
  if (error != EWOULDBLOCK) return IoError(fmt::format("cannot lock [{}]", file), error);
  return MakeError("illegal_state_exception", 412,
                   fmt::format("[{}] is locked: another process uses this data folder", file));
}

}  // namespace

absl::StatusOr<std::unique_ptr<FolderLock>> FolderLock::Acquire(const std::string& path) {
  CURLEW_RETURN_IF_ERROR(MakeFolders(path));
  const std::string file = path + kLockName;
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return IoError(fmt::format("cannot open [{}]", file), errno);
  CURLEW_RETURN_IF_ERROR(LockFile(fd, LOCK_EX, file));
  return std::unique_ptr<FolderLock>(new FolderLock(fd));
}

absl::StatusOr<std::unique_ptr<FolderLock>> FolderLock::AcquireShared(const std::string& path) {
  const std::string file = path + kLockName;
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT) return nullptr;
    return IoError(fmt::format("cannot open [{}]", file), errno);
  }
  CURLEW_RETURN_IF_ERROR(LockFile(fd, LOCK_SH, file));
  return std::unique_ptr<FolderLock>(new FolderLock(fd));
}

FolderLock::~FolderLock() { close(fd_); }

}  // namespace curlew::store
