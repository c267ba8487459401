// One operation as the translog keeps it: enough to apply it again, exactly as it was decided.
#ifndef CURLEW_ENGINE_TRANSLOG_OPERATION_H_
#define CURLEW_ENGINE_TRANSLOG_OPERATION_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace curlew::translog {

struct Operation {
  enum class Kind : uint8_t { kIndex = 1, kDelete = 2, kNoop = 3 };

  Kind kind = Kind::kIndex;
  int64_t seq_no = -1;
  int64_t primary_term = 1;
  int64_t version = 1;
  // Views: into the caller's memory when appending, into the log's file when replaying.
  std::string_view id;
  std::string_view routing;  // empty = none
  std::string_view source;   // kIndex: the document as sent; kNoop: the reason
};

// Appends the record's payload to `out` (no frame), or reads it back; Corruption when it is not
// whole.
void EncodeOperation(const Operation& operation, std::string& out);
absl::StatusOr<Operation> DecodeOperation(std::string_view payload);

}  // namespace curlew::translog

#endif  // CURLEW_ENGINE_TRANSLOG_OPERATION_H_
