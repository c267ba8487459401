// The edge where exceptions end: libraries below may throw (memory is the usual reason), callers
// above only know statuses.
#ifndef CURLEW_HANDLERS_GUARD_H_
#define CURLEW_HANDLERS_GUARD_H_

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/util/error.h"

namespace curlew::handlers {

// The answer when Call::Charge refuses. `what` names what the memory is for.
inline absl::Status NotEnoughMemory(std::string_view what) {
  return MakeError("circuit_breaking_exception", 429,
                   std::string("not enough memory for ") + std::string(what) +
                       ": send less at a time, or try again later");
}

// What `work` returns, or its exception as a status: out of memory is 429, anything else 500.
template <typename Work>
absl::Status Guard(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return NotEnoughMemory("this request");
  } catch (const std::exception& e) {
    return MakeError("exception", 500, std::string("unexpected error: ") + Clip(e.what()));
  }
}

}  // namespace curlew::handlers

#endif  // CURLEW_HANDLERS_GUARD_H_
