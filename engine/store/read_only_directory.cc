#include "engine/store/read_only_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/store/real_directory.h"
#include "engine/util/error.h"

namespace curlew::store {
namespace {

class ReadOnlyDirectory : public Directory {
 public:
  explicit ReadOnlyDirectory(std::shared_ptr<Directory> target) : target_(std::move(target)) {}

  absl::StatusOr<std::unique_ptr<OutputFile>> Create(const std::string& name) override {
    return Refused("create", name);
  }
  absl::StatusOr<std::shared_ptr<const InputFile>> Open(const std::string& name) override {
    return target_->Open(name);
  }
  absl::StatusOr<std::unique_ptr<LogFile>> OpenLog(const std::string& name, uint64_t) override {
    return Refused("write", name);
  }
  absl::Status Rename(const std::string& from, const std::string&) override {
    return Refused("rename", from);
  }
  absl::Status Delete(const std::string& name) override { return Refused("delete", name); }
  absl::StatusOr<bool> Exists(const std::string& name) override { return target_->Exists(name); }
  absl::StatusOr<uint64_t> Size(const std::string& name) override { return target_->Size(name); }
  absl::StatusOr<std::vector<std::string>> List() override { return target_->List(); }
  absl::Status SyncFile(const std::string& name) override { return Refused("sync", name); }
  absl::Status SyncDirectory() override { return Refused("sync", "."); }

  absl::StatusOr<std::shared_ptr<Directory>> Sub(const std::string& name) override {
    CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> subs, target_->ListSubs());
    if (std::find(subs.begin(), subs.end(), name) == subs.end()) {
      return absl::NotFoundError(fmt::format("there is no folder [{}/{}]", path(), name));
    }
    CURLEW_ASSIGN_OR_RETURN(std::shared_ptr<Directory> sub, target_->Sub(name));
    return NewReadOnlyDirectory(std::move(sub));
  }
  absl::StatusOr<std::vector<std::string>> ListSubs() override { return target_->ListSubs(); }
  absl::Status DeleteSub(const std::string& name) override { return Refused("delete", name); }

  std::string path() const override { return target_->path(); }

 private:
  absl::Status Refused(std::string_view what, const std::string& name) const {
    return absl::PermissionDeniedError(
        fmt::format("cannot {} [{}/{}]: it is opened for reading only", what, path(), name));
  }

  const std::shared_ptr<Directory> target_;
};

}  // namespace

std::shared_ptr<Directory> NewReadOnlyDirectory(std::shared_ptr<Directory> target) {
  return std::make_shared<ReadOnlyDirectory>(std::move(target));
}

absl::StatusOr<std::shared_ptr<Directory>> OpenReadOnlyDirectory(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    return absl::NotFoundError(fmt::format("there is no folder [{}]", path));
  }
  CURLEW_ASSIGN_OR_RETURN(std::shared_ptr<Directory> directory, OpenRealDirectory(path));
  return NewReadOnlyDirectory(std::move(directory));
}

}  // namespace curlew::store
