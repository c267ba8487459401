#include "engine/store/fault_directory.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "engine/store/shortage.h"
#include "engine/util/error.h"

namespace curlew::store {
namespace {

using PlanPointer = std::shared_ptr<FaultPlan>;

// Counts an operation; its error if it is to fail. `half` then says whether it leaves half of its
// work behind: only the very operation that fails does, after a stop the machine does nothing.
absl::Status Count(FaultPlan& plan, std::string_view what, const std::string& path,
                   bool* half = nullptr) {
  if (plan.intercept) CURLEW_RETURN_IF_ERROR(plan.intercept(what, path));
  const int64_t number = plan.operations.fetch_add(1) + 1;
  const int64_t fail_at = plan.fail_at.load();
  const bool fails = fail_at > 0 && (plan.stop.load() ? number >= fail_at : number == fail_at);
  if (!fails) return absl::OkStatus();
  if (half != nullptr) *half = plan.torn.load() && number == fail_at;
  std::string reason = fmt::format("injected at operation {}: {} [{}]", number, what, path);
  const int error = plan.no_space.load() ? ENOSPC : EIO;
  return what.starts_with("sync") ? SyncError(std::move(reason), error)
                                  : IoError(std::move(reason), error);
}

class FaultOutputFile : public OutputFile {
 public:
  FaultOutputFile(std::unique_ptr<OutputFile> target, PlanPointer plan, std::string path)
      : target_(std::move(target)), plan_(std::move(plan)), path_(std::move(path)) {}

  absl::Status Append(std::string_view data) override {
    bool half = false;
    if (absl::Status fault = Count(*plan_, "append", path_, &half); !fault.ok()) {
      if (half) target_->Append(data.substr(0, data.size() / 2)).IgnoreError();
      return fault;
    }
    return target_->Append(data);
  }
  uint64_t size() const override { return target_->size(); }
  absl::Status Sync() override {
    CURLEW_RETURN_IF_ERROR(Count(*plan_, "sync", path_));
    return target_->Sync();
  }
  absl::Status Close() override {
    const absl::Status fault = Count(*plan_, "close", path_);
    const absl::Status closed = target_->Close();  // a close that fails closes all the same
    return fault.ok() ? closed : fault;
  }

 private:
  const std::unique_ptr<OutputFile> target_;
  const PlanPointer plan_;
  const std::string path_;
};

class FaultLogFile : public LogFile {
 public:
  FaultLogFile(std::unique_ptr<LogFile> target, PlanPointer plan, std::string path)
      : target_(std::move(target)), plan_(std::move(plan)), path_(std::move(path)) {}

  absl::Status WriteAt(uint64_t offset, std::string_view data) override {
    bool half = false;
    if (absl::Status fault = Count(*plan_, "write", path_, &half); !fault.ok()) {
      if (half) {
        target_->WriteAt(offset, data.substr(0, data.size() / 2)).IgnoreError();
      }
      return fault;
    }
    return target_->WriteAt(offset, data);
  }
  absl::Status Reserve(uint64_t bytes) override {
    bool half = false;
    if (absl::Status fault = Count(*plan_, "reserve", path_, &half); !fault.ok()) {
      const uint64_t now = target_->allocated();
      if (half && bytes > now) {
        target_->Reserve(now + (bytes - now) / 2).IgnoreError();
      }
      return fault;
    }
    return target_->Reserve(bytes);
  }
  absl::Status DataSync() override {
    CURLEW_RETURN_IF_ERROR(Count(*plan_, "sync", path_));
    return target_->DataSync();
  }
  uint64_t allocated() const override { return target_->allocated(); }
  absl::Status Close() override {
    const absl::Status fault = Count(*plan_, "close", path_);
    const absl::Status closed = target_->Close();
    return fault.ok() ? closed : fault;
  }

 private:
  const std::unique_ptr<LogFile> target_;
  const PlanPointer plan_;
  const std::string path_;
};

class FaultDirectory : public Directory {
 public:
  FaultDirectory(std::shared_ptr<Directory> target, PlanPointer plan)
      : target_(std::move(target)), plan_(std::move(plan)) {}

  absl::StatusOr<std::unique_ptr<OutputFile>> Create(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(Step("create", name));
    CURLEW_ASSIGN_OR_RETURN(auto file, target_->Create(name));
    return std::make_unique<FaultOutputFile>(std::move(file), plan_, PathOf(name));
  }
  absl::StatusOr<std::shared_ptr<const InputFile>> Open(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(Step("open", name));
    return target_->Open(name);
  }
  absl::StatusOr<std::unique_ptr<LogFile>> OpenLog(const std::string& name,
                                                   uint64_t preallocate) override {
    CURLEW_RETURN_IF_ERROR(Step("open log", name));
    CURLEW_ASSIGN_OR_RETURN(auto file, target_->OpenLog(name, preallocate));
    return std::make_unique<FaultLogFile>(std::move(file), plan_, PathOf(name));
  }
  absl::Status Rename(const std::string& from, const std::string& to) override {
    CURLEW_RETURN_IF_ERROR(Step("rename", from));
    return target_->Rename(from, to);
  }
  absl::Status Delete(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(Step("delete", name));
    return target_->Delete(name);
  }
  absl::StatusOr<bool> Exists(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(Step("stat", name));
    return target_->Exists(name);
  }
  absl::StatusOr<uint64_t> Size(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(Step("stat", name));
    return target_->Size(name);
  }
  absl::StatusOr<std::vector<std::string>> List() override {
    CURLEW_RETURN_IF_ERROR(Step("list", "."));
    return target_->List();
  }
  absl::Status SyncFile(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(Step("sync", name));
    return target_->SyncFile(name);
  }
  absl::Status SyncDirectory() override {
    CURLEW_RETURN_IF_ERROR(Step("sync directory", "."));
    return target_->SyncDirectory();
  }
  absl::StatusOr<std::shared_ptr<Directory>> Sub(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(Step("open folder", name));
    CURLEW_ASSIGN_OR_RETURN(auto sub, target_->Sub(name));
    return std::make_shared<FaultDirectory>(std::move(sub), plan_);
  }
  absl::StatusOr<std::vector<std::string>> ListSubs() override {
    CURLEW_RETURN_IF_ERROR(Step("list folders", "."));
    return target_->ListSubs();
  }
  absl::Status DeleteSub(const std::string& name) override {
    CURLEW_RETURN_IF_ERROR(Step("delete folder", name));
    return target_->DeleteSub(name);
  }
  std::string path() const override { return target_->path(); }

 private:
  std::string PathOf(const std::string& name) const { return target_->path() + "/" + name; }
  absl::Status Step(std::string_view what, const std::string& name) {
    return Count(*plan_, what, PathOf(name));
  }

  const std::shared_ptr<Directory> target_;
  const PlanPointer plan_;
};

}  // namespace

std::shared_ptr<Directory> NewFaultDirectory(std::shared_ptr<Directory> target,
                                             std::shared_ptr<FaultPlan> plan) {
  return std::make_shared<FaultDirectory>(std::move(target), std::move(plan));
}

}  // namespace curlew::store
