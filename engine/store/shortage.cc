#include "engine/store/shortage.h"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "engine/util/error.h"

namespace curlew::store {
namespace {

constexpr std::string_view kSync = "sync";  // a fact of the error

bool HasFact(const absl::Status& status, std::string_view key, std::string_view value) {
  const auto facts = DescribeError(status).metadata;
  return std::any_of(facts.begin(), facts.end(),
                     [&](const auto& fact) { return fact.first == key && fact.second == value; });
}

}  // namespace

bool IsShortage(const absl::Status& status) {
  if (status.ok() || IsSyncError(status)) return false;
  for (const int error : {EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT}) {
    if (HasFact(status, "errno", std::to_string(error))) return true;
  }
  return false;
}

absl::Status SyncError(std::string reason, int errno_value) {
  return WithMetadata(IoError(std::move(reason), errno_value), kSync, "failed");
}

bool IsSyncError(const absl::Status& status) {
  return !status.ok() && HasFact(status, kSync, "failed");
}

}  // namespace curlew::store
