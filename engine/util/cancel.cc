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

}  // namespace curlew
