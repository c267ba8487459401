#include "engine/catalog/index_folders.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "engine/catalog/index_metadata.h"
#include "engine/util/error.h"

namespace curlew::catalog {
namespace {

// The folder that `file` marks, or "".
std::string MarkedBy(const std::string& file, std::string_view suffix) {
  return file.ends_with(suffix) ? file.substr(0, file.size() - suffix.size()) : "";
}

}  // namespace

absl::StatusOr<std::vector<IndexFolders::Found>> IndexFolders::Recover() {
  CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> files, indices_->List());
  CURLEW_ASSIGN_OR_RETURN(const std::vector<std::string> folders, indices_->ListSubs());
  std::set<std::string> creating;
  std::set<std::string> deleted;
  for (const std::string& file : files) {
    if (!MarkedBy(file, kCreating).empty()) creating.insert(MarkedBy(file, kCreating));
    if (!MarkedBy(file, kDeleted).empty()) deleted.insert(MarkedBy(file, kDeleted));
    // A marker that was not finished marks nothing.
    if (file.ends_with(std::string(kCreating) + ".tmp") ||
        file.ends_with(std::string(kDeleted) + ".tmp")) {
      indices_->Delete(file).IgnoreError();
    }
  }
  for (const std::string& folder : deleted) Clear(folder).IgnoreError();

  std::vector<Found> found;
  for (const std::string& folder : folders) {
    if (deleted.contains(folder)) continue;
    absl::Status status;
    if (creating.erase(folder) > 0) {
      const auto whole = [&]() -> absl::StatusOr<bool> {
        CURLEW_ASSIGN_OR_RETURN(const auto directory, Open(folder));
        return directory->Exists(IndexMetadata::kFileName);
      }();
      if (whole.ok() && !*whole) {
        Clear(folder).IgnoreError();
        continue;
      }
      status = whole.ok() ? FinishCreation(folder) : whole.status();
    }
    found.push_back({folder, std::move(status)});
  }
  // Those whose folder was never made, or is gone.
  for (const std::string& folder : creating) {
    if (!deleted.contains(folder)) indices_->Delete(folder + kCreating).IgnoreError();
  }
  return found;
}

absl::StatusOr<std::shared_ptr<store::Directory>> IndexFolders::StartCreation(
    const std::string& folder) {
  CURLEW_RETURN_IF_ERROR(store::WriteAtomically(*indices_, folder + kCreating, ""));
  return indices_->Sub(folder);
}

absl::Status IndexFolders::FinishCreation(const std::string& folder) {
  CURLEW_RETURN_IF_ERROR(DeleteIfPresent(*indices_, folder + kCreating));
  return indices_->SyncDirectory();
}

absl::Status IndexFolders::Remove(const std::string& folder, const std::function<void()>& gone) {
  absl::Status marked = store::WriteAtomically(*indices_, folder + kDeleted, "");
  if (!marked.ok()) {
    // Only its durability may be missing. Where even that cannot be told, it counts as there.
    const auto visible = indices_->Exists(folder + kDeleted);
    if (visible.ok() && !*visible) return marked;
  }
  gone();
  // A folder that is durably gone needs no marker.
  return Clear(folder);
}

absl::Status IndexFolders::Clear(const std::string& folder) {
  CURLEW_RETURN_IF_ERROR(indices_->DeleteSub(folder));
  CURLEW_RETURN_IF_ERROR(indices_->SyncDirectory());
  // Markers without a folder are harmless: folders' names are never used again.
  DeleteIfPresent(*indices_, folder + kCreating).IgnoreError();
  DeleteIfPresent(*indices_, folder + kDeleted).IgnoreError();
  return absl::OkStatus();
}

}  // namespace curlew::catalog
