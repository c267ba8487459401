// Errors as the engine reports them: an absl::Status that also carries what OpenSearch would call
// the exception, its REST status, facts about it and its cause.
//
// The edge of the process turns such a Status into a gRPC code and text or into the error of a bulk
// item; nothing in the engine knows about gRPC. A Status without these details (one made by another
// library) is described by its code alone.
#ifndef CURLEW_ENGINE_UTIL_ERROR_H_
#define CURLEW_ENGINE_UTIL_ERROR_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace curlew {

// What there is to say about a failure. Plain data; causes are shared and not changed any more.
struct ErrorDetails {
  std::string type;  // OpenSearch's snake_case name, e.g. "index_not_found_exception"
  int rest_status = 500;
  std::string reason;  // readable; names the field path and the offending value
  // Further facts in the order given, e.g. {"index", "books"}.
  std::vector<std::pair<std::string, std::string>> metadata;
  std::shared_ptr<const ErrorDetails> cause;  // may be null
};

// An error with OpenSearch's exception type and REST status. The absl code follows from the status
// (400 kInvalidArgument, 404 kNotFound, 409 kAborted, 429 kResourceExhausted, ...).
absl::Status MakeError(std::string_view type, int rest_status, std::string reason);
// The same with facts and a cause.
absl::Status MakeError(ErrorDetails details);

// The common kinds.
absl::Status IllegalArgument(std::string reason);    // illegal_argument_exception, 400
absl::Status MapperParsing(std::string reason);      // mapper_parsing_exception, 400
absl::Status ValidationError(std::string reason);    // action_request_validation_exception, 400
absl::Status QueryShardError(std::string reason);    // query_shard_exception, 400
absl::Status IndexNotFound(std::string_view index);  // index_not_found_exception, 404
absl::Status Unsupported(std::string reason);        // kUnimplemented: not served, by name
absl::Status Corruption(std::string reason);         // kDataLoss: names the file
absl::Status IoError(std::string reason,
                     int errno_value);  // kInternal or kResourceExhausted (no space)
absl::Status Cancelled();               // the caller is gone
absl::Status DeadlineExceeded();        // the caller's deadline has passed

// `status` with one more fact, or with `cause` below it. Both leave an OK status alone.
absl::Status WithMetadata(absl::Status status, std::string_view key, std::string_view value);
absl::Status WithCause(absl::Status status, const absl::Status& cause);

// The details of any failed status; invents type and REST status from the code when it has none.
// Texts are well-formed UTF-8: what is not shows as U+FFFD.
ErrorDetails DescribeError(const absl::Status& status);

// `text` cut to `limit` bytes at a character border, with "..." when something was cut: what a
// message may show of a value that came from outside.
std::string Clip(std::string_view text, size_t limit = 256);

}  // namespace curlew

// Returns from the calling function if `expr` is a failed absl::Status.
#define CURLEW_RETURN_IF_ERROR(expr)                                                    \
  do {                                                                                  \
    if (absl::Status curlew_status = (expr); !curlew_status.ok()) return curlew_status; \
  } while (false)

#define CURLEW_CONCAT_INNER(a, b) a##b
#define CURLEW_CONCAT(a, b) CURLEW_CONCAT_INNER(a, b)

// CURLEW_ASSIGN_OR_RETURN(auto x, F()): x from the StatusOr, or return its error.
#define CURLEW_ASSIGN_OR_RETURN(lhs, expr) \
  CURLEW_ASSIGN_OR_RETURN_INNER(CURLEW_CONCAT(curlew_or_, __LINE__), lhs, expr)
#define CURLEW_ASSIGN_OR_RETURN_INNER(tmp, lhs, expr) \
  auto tmp = (expr);                                  \
  if (!tmp.ok()) return std::move(tmp).status();      \
  lhs = std::move(tmp).value()

#endif  // CURLEW_ENGINE_UTIL_ERROR_H_
