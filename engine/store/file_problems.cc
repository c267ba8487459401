#include "engine/store/file_problems.h"

#include <fmt/format.h>

#include "engine/util/error.h"

namespace curlew::store {

void FileProblems::AddError(const Directory& directory, const absl::Status& status) {
  std::string reason = DescribeError(status).reason;
  for (const std::string& prefix : {fmt::format("[{}/{}]: ", directory.path(), file_),
                                    fmt::format("[{}] ", file_), file_ + ": "}) {
    if (reason.starts_with(prefix)) reason.erase(0, prefix.size());
  }
  Add(std::move(reason));
}

std::vector<FileProblem> FileProblems::Take() && {
  if (count_ > kMost) {
    problems_.push_back({file_, fmt::format("and {} more of this file", count_ - kMost)});
  }
  return std::move(problems_);
}

}  // namespace curlew::store
