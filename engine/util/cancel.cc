#include "engine/util/cancel.h"

#include "engine/util/error.h"

namespace curlew {

absl::Status CancelToken::Check() const {
  if (cancelled()) return Cancelled();
  if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) {
    return DeadlineExceeded();
  }
  return absl::OkStatus();
}

bool PeriodicCheck::Look() {
  stopped_ = token_ != nullptr && !token_->Check().ok();
  left_ = stopped_ ? 0 : every_;  // 0: the next step looks again
  return stopped_;
}

}  // namespace curlew
