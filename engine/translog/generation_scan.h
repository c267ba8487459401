// Reads a generation's records and decides where they end.
#ifndef CURLEW_ENGINE_TRANSLOG_GENERATION_SCAN_H_
#define CURLEW_ENGINE_TRANSLOG_GENERATION_SCAN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/translog/operation.h"

namespace curlew::translog {

struct GenerationScan {
  uint32_t seed = 0;
  uint64_t end = 0;  // behind the last sound record
  uint64_t operations = 0;
  uint64_t bytes = 0;  // of the operations' records
  bool ended = false;  // an end record closes the file
  bool blank = false;  // no byte behind the header has ever been written
};

using OperationVisitor = std::function<absl::Status(const Operation&)>;

// Walks over `file`, the content of `generation`. `last`: no newer generation exists, so that its
// tail may be torn; an older one must be whole and ended. Calls `visit` (if not null) for every
// operation, stops at its first error. Corruption names `path` and the offset.
absl::StatusOr<GenerationScan> ScanGeneration(std::string_view file, uint64_t generation, bool last,
                                              const std::string& path,
                                              const OperationVisitor& visit);

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_GENERATION_SCAN_H_
