#include "engine/store/memory_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "engine/util/error.h"

namespace curlew::store {
namespace {

// One mutex for a whole tree, so that a crash image is of one moment.
using TreeMutex = std::shared_ptr<std::mutex>;

void Put(std::string& content, uint64_t offset, std::string_view data) {
  if (content.size() < offset + data.size()) content.resize(offset + data.size(), '\0');
  content.replace(offset, data.size(), data);
}

// What the system holds of a file, and what of it is on the disk.
struct FileNode {
  struct Write {
    uint64_t offset;
    std::string data;
  };

  // Shared with readers; cloned by the next write while one of them holds it.
  std::shared_ptr<std::string> content = std::make_shared<std::string>();
  std::string durable;
  std::vector<Write> unsynced;  // oldest first: durable + unsynced = content

  void WriteAt(uint64_t offset, std::string_view data) {
    if (data.empty()) return;
    if (content.use_count() > 1) content = std::make_shared<std::string>(*content);
    Put(*content, offset, data);
    unsynced.push_back({offset, std::string(data)});
  }
  void Sync() {
    for (const Write& write : unsynced) Put(durable, write.offset, write.data);
    unsynced.clear();
  }
};

using FilePointer = std::shared_ptr<FileNode>;
using Names = std::map<std::string, FilePointer, std::less<>>;

// A change of a folder that is not durable yet.
struct NameChange {
  std::string removed;  // empty = none
  std::string added;    // empty = none
  FilePointer file;     // of `added`

  void ApplyTo(Names& names) const {
    if (!removed.empty()) names.erase(removed);
    if (!added.empty()) names[added] = file;
  }
};

struct FolderNode {
  Names names;
  Names durable_names;
  std::vector<NameChange> changes;  // oldest first: durable_names + changes = names
  std::map<std::string, std::shared_ptr<FolderNode>, std::less<>> subs;
  // Deleted since the last sync of this folder.
  std::map<std::string, std::shared_ptr<FolderNode>, std::less<>> deleted_subs;

  void Apply(NameChange change) {
    change.ApplyTo(names);
    changes.push_back(std::move(change));
  }
  void Sync() {
    durable_names = names;
    changes.clear();
    deleted_subs.clear();
  }
};

absl::Status ClosedError() { return IoError("the file has been closed", EBADF); }

class MemoryOutputFile : public OutputFile {
 public:
  MemoryOutputFile(FilePointer file, TreeMutex mutex)
      : file_(std::move(file)), mutex_(std::move(mutex)) {}

  absl::Status Append(std::string_view data) override {
    if (closed_) return ClosedError();
    std::lock_guard lock(*mutex_);
    file_->WriteAt(size_, data);
    size_ += data.size();
    return absl::OkStatus();
  }
  uint64_t size() const override { return size_; }
  absl::Status Sync() override {
    if (closed_) return ClosedError();
    std::lock_guard lock(*mutex_);
    file_->Sync();
    return absl::OkStatus();
  }
  absl::Status Close() override {
    closed_ = true;
    return absl::OkStatus();
  }

 private:
  const FilePointer file_;
  const TreeMutex mutex_;
  uint64_t size_ = 0;
  bool closed_ = false;
};

class MemoryInputFile : public InputFile {
 public:
  explicit MemoryInputFile(std::shared_ptr<const std::string> content)
      : content_(std::move(content)) {}
  std::string_view view() const override { return *content_; }

 private:
  const std::shared_ptr<const std::string> content_;
};

class MemoryLogFile : public LogFile {
 public:
  MemoryLogFile(FilePointer file, TreeMutex mutex)
      : file_(std::move(file)), mutex_(std::move(mutex)) {}

  absl::Status WriteAt(uint64_t offset, std::string_view data) override {
    if (closed_) return ClosedError();
    std::lock_guard lock(*mutex_);
    file_->WriteAt(offset, data);
    return absl::OkStatus();
  }
  absl::Status Reserve(uint64_t bytes) override {
    if (closed_) return ClosedError();
    std::lock_guard lock(*mutex_);
    const uint64_t now = file_->content->size();
    if (bytes <= now) return absl::OkStatus();
    file_->WriteAt(now, std::string(bytes - now, '\0'));
    file_->Sync();
    return absl::OkStatus();
  }
  absl::Status DataSync() override {
    if (closed_) return ClosedError();
    std::lock_guard lock(*mutex_);
    file_->Sync();
    return absl::OkStatus();
  }
  uint64_t allocated() const override {
    std::lock_guard lock(*mutex_);
    return file_->content->size();
  }
  absl::Status Close() override {
    closed_ = true;
    return absl::OkStatus();
  }

 private:
  const FilePointer file_;
  const TreeMutex mutex_;
  bool closed_ = false;
};

class MemoryDirectory : public Directory {
 public:
  MemoryDirectory(std::shared_ptr<FolderNode> folder, TreeMutex mutex, std::string path)
      : folder_(std::move(folder)), mutex_(std::move(mutex)), path_(std::move(path)) {}

  const std::shared_ptr<FolderNode>& folder() const { return folder_; }
  const TreeMutex& mutex() const { return mutex_; }

  absl::StatusOr<std::unique_ptr<OutputFile>> Create(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(CheckFileName(name));
    std::lock_guard lock(*mutex_);
    if (folder_->names.count(name) > 0) folder_->Apply({name, "", nullptr});
    auto file = std::make_shared<FileNode>();
    folder_->Apply({"", name, file});
    return std::make_unique<MemoryOutputFile>(std::move(file), mutex_);
  }

  absl::StatusOr<std::shared_ptr<const InputFile>> Open(const std::string& name) override {
    std::lock_guard lock(*mutex_);
    CURLEW_ASSIGN_OR_RETURN(const FilePointer file, Find(name));
    return std::make_shared<const MemoryInputFile>(file->content);
  }

  absl::StatusOr<std::unique_ptr<LogFile>> OpenLog(const std::string& name,
                                                   uint64_t preallocate) override {
    CURLEW_RETURN_IF_ERROR(CheckFileName(name));
    std::lock_guard lock(*mutex_);
    FilePointer file;
    if (const auto found = folder_->names.find(name); found != folder_->names.end()) {
      file = found->second;
    } else {
      file = std::make_shared<FileNode>();
      file->WriteAt(0, std::string(preallocate, '\0'));
      file->Sync();
      folder_->Apply({"", name, file});
    }
    return std::make_unique<MemoryLogFile>(std::move(file), mutex_);
  }

  absl::Status Rename(const std::string& from, const std::string& to) override {
    CURLEW_RETURN_IF_ERROR(CheckFileName(to));
    std::lock_guard lock(*mutex_);
    CURLEW_ASSIGN_OR_RETURN(FilePointer file, Find(from));
    if (from != to) folder_->Apply({from, to, std::move(file)});
    return absl::OkStatus();
  }

  absl::Status Delete(const std::string& name) override {
    std::lock_guard lock(*mutex_);
    CURLEW_RETURN_IF_ERROR(Find(name).status());
    folder_->Apply({name, "", nullptr});
    return absl::OkStatus();
  }

  absl::StatusOr<bool> Exists(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(CheckFileName(name));
    std::lock_guard lock(*mutex_);
    return folder_->names.count(name) > 0;
  }

  absl::StatusOr<uint64_t> Size(const std::string& name) override {
    std::lock_guard lock(*mutex_);
    CURLEW_ASSIGN_OR_RETURN(const FilePointer file, Find(name));
    return file->content->size();
  }

  absl::StatusOr<std::vector<std::string>> List() override {
    std::lock_guard lock(*mutex_);
    std::vector<std::string> names;
    for (const auto& [name, file] : folder_->names) names.push_back(name);
    return names;
  }

  absl::Status SyncFile(const std::string& name) override {
    std::lock_guard lock(*mutex_);
    CURLEW_ASSIGN_OR_RETURN(const FilePointer file, Find(name));
    file->Sync();
    return absl::OkStatus();
  }

  absl::Status SyncDirectory() override {
    std::lock_guard lock(*mutex_);
    folder_->Sync();
    return absl::OkStatus();
  }

  absl::StatusOr<std::shared_ptr<Directory>> Sub(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(CheckFileName(name));
    std::lock_guard lock(*mutex_);
    auto& sub = folder_->subs[name];
    if (sub == nullptr) {
      sub = std::make_shared<FolderNode>();
      folder_->deleted_subs.erase(name);
    }
    return std::make_shared<MemoryDirectory>(sub, mutex_, path_ + "/" + name);
  }

  absl::StatusOr<std::vector<std::string>> ListSubs() override {
    std::lock_guard lock(*mutex_);
    std::vector<std::string> names;
    for (const auto& [name, sub] : folder_->subs) names.push_back(name);
    return names;
  }

  absl::Status DeleteSub(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(CheckFileName(name));
    std::lock_guard lock(*mutex_);
    if (auto taken = folder_->subs.extract(name); !taken.empty()) {
      folder_->deleted_subs[name] = std::move(taken.mapped());
    }
    return absl::OkStatus();
  }

  std::string path() const override { return path_; }

 private:
  // With the mutex held.
  absl::StatusOr<FilePointer> Find(const std::string& name) const {
    CURLEW_RETURN_IF_ERROR(CheckFileName(name));
    const auto found = folder_->names.find(name);
    if (found != folder_->names.end()) return found->second;
    return IoError(fmt::format("cannot find [{}/{}]", path_, name), ENOENT);
  }

  const std::shared_ptr<FolderNode> folder_;
  const TreeMutex mutex_;
  const std::string path_;
};

// Copies a tree as a crash leaves it.
class Crash {
 public:
  Crash(UnsyncedFate fate, uint64_t seed) : fate_(fate), random_(seed) {}

  std::shared_ptr<FolderNode> Folder(const FolderNode& folder) {
    auto copy = std::make_shared<FolderNode>();
    if (fate_ == UnsyncedFate::kKeep) {
      // The system goes on and may still lose what it has not written: all states are kept.
      copy->names = Files(folder.names);
      copy->durable_names = Files(folder.durable_names);
      for (const NameChange& change : folder.changes) {
        copy->changes.push_back({change.removed, change.added, File(change.file)});
      }
      for (const auto& [name, sub] : folder.deleted_subs) copy->deleted_subs[name] = Folder(*sub);
    } else {
      Names names = folder.durable_names;
      for (const NameChange& change : folder.changes) {
        if (fate_ == UnsyncedFate::kScramble && OneIn(2)) change.ApplyTo(names);
      }
      copy->names = copy->durable_names = Files(names);
      for (const auto& [name, sub] : folder.deleted_subs) ReviveSub(name, *sub, *copy);
    }
    for (const auto& [name, sub] : folder.subs) copy->subs[name] = Folder(*sub);
    return copy;
  }

 private:
  bool OneIn(uint64_t n) { return random_() % n == 0; }

  // A folder whose removal was not synced: still there, or removed in part.
  void ReviveSub(const std::string& name, const FolderNode& sub, FolderNode& copy) {
    if (fate_ == UnsyncedFate::kScramble && OneIn(2)) return;
    auto revived = Folder(sub);
    if (fate_ == UnsyncedFate::kScramble) {
      std::erase_if(revived->names, [&](const auto&) { return OneIn(2); });
      revived->durable_names = revived->names;
    }
    copy.subs[name] = std::move(revived);
  }

  Names Files(const Names& names) {
    Names copies;
    for (const auto& [name, file] : names) copies[name] = File(file);
    return copies;
  }

  // One copy per file, also where several names or states lead to it.
  FilePointer File(const FilePointer& file) {
    if (file == nullptr) return nullptr;
    FilePointer& copy = copies_[file.get()];
    if (copy != nullptr) return copy;
    copy = std::make_shared<FileNode>();
    copy->durable = file->durable;
    if (fate_ == UnsyncedFate::kKeep) {
      copy->content = std::make_shared<std::string>(*file->content);
      copy->unsynced = file->unsynced;
      return copy;
    }
    if (fate_ == UnsyncedFate::kScramble) {
      for (const FileNode::Write& write : file->unsynced) Scramble(write, copy->durable);
    }
    copy->content = std::make_shared<std::string>(copy->durable);
    return copy;
  }

  void Scramble(const FileNode::Write& write, std::string& content) {
    constexpr uint64_t kSector = 512;  // what a disk writes as a whole
    switch (random_() % 4) {
      case 0:
        return;
      case 1:
        Put(content, write.offset, write.data);
        return;
      case 2:
        Put(content, write.offset,
            std::string_view(write.data).substr(0, random_() % (write.data.size() + 1)));
        return;
      default:
        break;
    }
    for (uint64_t at = 0; at < write.data.size();) {
      const uint64_t offset = write.offset + at;
      const uint64_t n = kSector - offset % kSector;
      if (OneIn(2)) Put(content, offset, std::string_view(write.data).substr(at, n));
      at += n;
    }
  }

  const UnsyncedFate fate_;
  std::mt19937_64 random_;
  std::map<const FileNode*, FilePointer> copies_;
};

}  // namespace

std::shared_ptr<Directory> NewMemoryDirectory() {
  return std::make_shared<MemoryDirectory>(std::make_shared<FolderNode>(),
                                           std::make_shared<std::mutex>(), "memory:");
}

std::shared_ptr<Directory> CrashImage(const Directory& directory, UnsyncedFate fate,
                                      uint64_t seed) {
  const auto* memory = dynamic_cast<const MemoryDirectory*>(&directory);
  if (memory == nullptr) return nullptr;
  std::lock_guard lock(*memory->mutex());
  return std::make_shared<MemoryDirectory>(Crash(fate, seed).Folder(*memory->folder()),
                                           std::make_shared<std::mutex>(), memory->path());
}

}  // namespace curlew::store
