// Directory that fails, or stops for good, at the N-th operation of another: for tests.
#ifndef CURLEW_ENGINE_STORE_FAULT_DIRECTORY_H_
#define CURLEW_ENGINE_STORE_FAULT_DIRECTORY_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/store/directory.h"

namespace curlew::store {

// Shared by a FaultDirectory, its files and its sub-folders. Thread-safe.
struct FaultPlan {
  // Counts every call that could touch the disk (create, append, write, sync, close, rename,
  // delete, list, open, ...).
  std::atomic<int64_t> operations{0};
  // The operation (counted from 1) that fails; 0 = none.
  std::atomic<int64_t> fail_at{0};
  // True: everything after it fails too, as if the machine had stopped.
  std::atomic<bool> stop{false};
  // True: the failure is "no space left", else an I/O error.
  std::atomic<bool> no_space{false};
  // An append or write that fails leaves the first half of its bytes behind.
  std::atomic<bool> torn{true};
  // Called before each operation with its kind ("create", "append", "open", "sync", ...) and path:
  // to hold operations up, or to fail those of a kind by the error it returns. Set before the
  // directory is used.
  std::function<absl::Status(std::string_view what, const std::string& path)> intercept;
};

std::shared_ptr<Directory> NewFaultDirectory(std::shared_ptr<Directory> target,
                                             std::shared_ptr<FaultPlan> plan);

}  // namespace curlew::store

#endif  // CURLEW_ENGINE_STORE_FAULT_DIRECTORY_H_
