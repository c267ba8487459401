// The edge where exceptions end: libraries below may throw (memory is the usual reason), callers
// above only know statuses.
#ifndef CURLEW_HANDLERS_GUARD_H_
#define CURLEW_HANDLERS_GUARD_H_

#include <exception>
#include <new>
#include <string>

#include "absl/status/status.h"
#include "engine/util/error.h"

namespace curlew::handlers {

// What `work` returns, or its exception as a status: out of memory is 429, anything else 500.
template <typename Work>
absl::Status Guard(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return MakeError("circuit_breaking_exception", 429, "not enough memory for this request");
  } catch (const std::exception& e) {
    return MakeError("exception", 500, std::string("unexpected error: ") + Clip(e.what()));
  }
}

}  // namespace curlew::handlers

#endif  // CURLEW_HANDLERS_GUARD_H_
