#include "engine/index/shortage.h"

#include <cerrno>
#include <initializer_list>
#include <string>

#include "engine/util/error.h"

namespace curlew::index {
namespace {

bool HasErrno(const absl::Status& status, std::initializer_list<int> errors) {
  if (status.ok()) return false;
  for (const auto& [key, value] : DescribeError(status).metadata) {
    if (key != "errno") continue;
    for (const int error : errors) {
      if (value == std::to_string(error)) return true;
    }
  }
  return false;
}

}  // namespace

bool OutOfDescriptors(const absl::Status& status) { return HasErrno(status, {EMFILE, ENFILE}); }

bool IsShortage(const absl::Status& status) {
  return HasErrno(status, {EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT});
}

}  // namespace curlew::index
