#include "engine/store/directory.h"

#include <fmt/format.h>

#include "engine/util/error.h"

namespace curlew::store {
namespace {

absl::Status WriteAndSync(Directory& directory, const std::string& name, std::string_view content) {
  CURLEW_ASSIGN_OR_RETURN(auto file, directory.Create(name));
  CURLEW_RETURN_IF_ERROR(file->Append(content));
  CURLEW_RETURN_IF_ERROR(file->Sync());
  return file->Close();
}

}  // namespace

absl::Status WriteAtomically(Directory& directory, const std::string& name,
                             std::string_view content) {
  const std::string temporary = name + ".tmp";
  absl::Status status = WriteAndSync(directory, temporary, content);
  if (status.ok()) status = directory.Rename(temporary, name);
  if (!status.ok()) {
    // The error above is the one to report, whatever becomes of the left-over.
    directory.Delete(temporary).IgnoreError();
    return status;
  }
  return directory.SyncDirectory();
}

absl::Status CheckFileName(std::string_view name) {
  if (name.empty() || name.size() > 255 || name == "." || name == ".." ||
      name.find('/') != std::string_view::npos || name.find('\0') != std::string_view::npos) {
    return IllegalArgument(fmt::format("[{}] cannot be the name of a file", Clip(name)));
  }
  return absl::OkStatus();
}

}  // namespace curlew::store
