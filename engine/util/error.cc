#include "engine/util/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <system_error>

#include "absl/strings/cord.h"
#include "engine/util/bytes.h"

namespace curlew {
namespace {

constexpr char kPayloadUrl[] = "curlew/error-details";

// Deeper chains of causes are cut: nobody reads them, and reading them back recurses.
constexpr int kMostCauses = 32;

// The pairs of OpenSearch's REST to gRPC table, and 499 for a caller that is gone.
absl::StatusCode CodeOfRest(int rest_status) {
  switch (rest_status) {
    case 400:
    case 406:
    case 414:
    case 415:
    case 421:
    case 422:
      return absl::StatusCode::kInvalidArgument;
    case 401:
    case 402:
    case 403:
      return absl::StatusCode::kPermissionDenied;
    case 404:
    case 410:
      return absl::StatusCode::kNotFound;
    case 405:
    case 501:
    case 505:
      return absl::StatusCode::kUnimplemented;
    case 407:
      return absl::StatusCode::kUnauthenticated;
    case 408:
    case 504:
      return absl::StatusCode::kDeadlineExceeded;
    case 409:
      return absl::StatusCode::kAborted;
    case 411:
    case 412:
    case 417:
    case 423:
    case 424:
      return absl::StatusCode::kFailedPrecondition;
    case 413:
    case 416:
      return absl::StatusCode::kOutOfRange;
    case 429:
    case 507:
      return absl::StatusCode::kResourceExhausted;
    case 499:
      return absl::StatusCode::kCancelled;
    case 500:
      return absl::StatusCode::kInternal;
    case 502:
    case 503:
      return absl::StatusCode::kUnavailable;
    default:
      return absl::StatusCode::kUnknown;
  }
}

struct Kind {
  const char* type;
  int rest_status;
};

// What an error without details is taken for.
Kind KindOfCode(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
      return {"illegal_argument_exception", 400};
    case absl::StatusCode::kUnauthenticated:
      return {"security_exception", 401};
    case absl::StatusCode::kPermissionDenied:
      return {"security_exception", 403};
    case absl::StatusCode::kNotFound:
      return {"resource_not_found_exception", 404};
    case absl::StatusCode::kAlreadyExists:
      return {"resource_already_exists_exception", 400};
    case absl::StatusCode::kAborted:
      return {"version_conflict_engine_exception", 409};
    case absl::StatusCode::kFailedPrecondition:
      return {"illegal_state_exception", 412};
    case absl::StatusCode::kResourceExhausted:
      return {"rejected_execution_exception", 429};
    case absl::StatusCode::kCancelled:
      return {"task_cancelled_exception", 499};
    case absl::StatusCode::kUnimplemented:
      return {"unsupported_operation_exception", 501};
    case absl::StatusCode::kUnavailable:
      return {"unavailable_shards_exception", 503};
    case absl::StatusCode::kDeadlineExceeded:
      return {"timeout_exception", 504};
    case absl::StatusCode::kDataLoss:
      return {"corrupt_index_exception", 500};
    default:
      return {"exception", 500};
  }
}

// The length of the well-formed UTF-8 sequence that `text` begins with; 0 = there is none. Bounds
// of the second byte as in table 3-7 of the Unicode standard.
size_t SequenceLength(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0; };
  const auto within = [](uint8_t b, uint8_t low, uint8_t high) { return b >= low && b <= high; };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (within(first, 0xc2, 0xdf)) return within(byte(1), 0x80, 0xbf) ? 2 : 0;
  if (within(first, 0xe0, 0xef)) {
    const uint8_t low = first == 0xe0 ? 0xa0 : 0x80, high = first == 0xed ? 0x9f : 0xbf;
    return within(byte(1), low, high) && within(byte(2), 0x80, 0xbf) ? 3 : 0;
  }
  if (within(first, 0xf0, 0xf4)) {
    const uint8_t low = first == 0xf0 ? 0x90 : 0x80, high = first == 0xf4 ? 0x8f : 0xbf;
    return within(byte(1), low, high) && within(byte(2), 0x80, 0xbf) && within(byte(3), 0x80, 0xbf)
               ? 4
               : 0;
  }
  return 0;
}

// `text` with U+FFFD for every byte that is no UTF-8: messages quote what clients have sent, and a
// message that is ill-formed itself would keep them from reading the whole response.
std::string WellFormed(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    out.append(length > 0 ? text.substr(0, length) : "\xef\xbf\xbd");
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

void Encode(const ErrorDetails& details, int depth, std::string& out) {
  PutString(out, details.type);
  PutVarint(out, ZigZag(details.rest_status));
  PutString(out, details.reason);
  PutVarint(out, details.metadata.size());
  for (const auto& [key, value] : details.metadata) {
    PutString(out, key);
    PutString(out, value);
  }
  const bool has_cause = details.cause != nullptr && depth < kMostCauses;
  out.push_back(has_cause ? 1 : 0);
  if (has_cause) Encode(*details.cause, depth + 1, out);
}

std::optional<ErrorDetails> Decode(ByteReader& in, int depth) {
  ErrorDetails details;
  details.type = in.String();
  details.rest_status = static_cast<int>(UnZigZag(in.Varint()));
  details.reason = WellFormed(in.String());
  for (uint64_t n = in.Varint(); n > 0 && !in.failed(); --n) {
    std::string key(in.String());
    details.metadata.emplace_back(std::move(key), WellFormed(in.String()));
  }
  const bool has_cause = in.Byte() == 1;
  if (in.failed() || depth > kMostCauses) return std::nullopt;
  if (has_cause) {
    auto cause = Decode(in, depth + 1);
    if (!cause) return std::nullopt;
    details.cause = std::make_shared<const ErrorDetails>(*std::move(cause));
  }
  return details;
}

absl::Status Make(absl::StatusCode code, const ErrorDetails& details) {
  absl::Status status(code, details.reason);
  std::string payload;
  Encode(details, 0, payload);
  status.SetPayload(kPayloadUrl, absl::Cord(std::move(payload)));
  return status;
}

absl::Status MakeOfCode(absl::StatusCode code, std::string reason) {
  ErrorDetails details;
  details.type = KindOfCode(code).type;
  details.rest_status = KindOfCode(code).rest_status;
  details.reason = std::move(reason);
  return Make(code, details);
}

std::shared_ptr<const ErrorDetails> Chain(const std::shared_ptr<const ErrorDetails>& upper,
                                          std::shared_ptr<const ErrorDetails> lowest) {
  if (upper == nullptr) return lowest;
  ErrorDetails copy = *upper;
  copy.cause = Chain(upper->cause, std::move(lowest));
  return std::make_shared<const ErrorDetails>(std::move(copy));
}

}  // namespace

absl::Status MakeError(std::string_view type, int rest_status, std::string reason) {
  ErrorDetails details;
  details.type = type;
  details.rest_status = rest_status;
  details.reason = std::move(reason);
  return MakeError(std::move(details));
}

absl::Status MakeError(ErrorDetails details) {
  return Make(CodeOfRest(details.rest_status), details);
}

absl::Status IllegalArgument(std::string reason) {
  return MakeError("illegal_argument_exception", 400, std::move(reason));
}

absl::Status MapperParsing(std::string reason) {
  return MakeError("mapper_parsing_exception", 400, std::move(reason));
}

absl::Status ValidationError(std::string reason) {
  return MakeError("action_request_validation_exception", 400, std::move(reason));
}

absl::Status QueryShardError(std::string reason) {
  return MakeError("query_shard_exception", 400, std::move(reason));
}

absl::Status IndexNotFound(std::string_view index) {
  ErrorDetails details;
  details.type = "index_not_found_exception";
  details.rest_status = 404;
  details.reason = fmt::format("no such index [{}]", Clip(index));
  details.metadata = {{"index", Clip(index)}};
  return MakeError(std::move(details));
}

absl::Status Unsupported(std::string reason) {
  return MakeOfCode(absl::StatusCode::kUnimplemented, std::move(reason));
}

absl::Status Corruption(std::string reason) {
  return MakeOfCode(absl::StatusCode::kDataLoss, std::move(reason));
}

absl::Status IoError(std::string reason, int errno_value) {
  ErrorDetails details;
  details.type = "i_o_exception";
  details.rest_status = 500;
  details.reason = fmt::format("{}: {}", reason, std::generic_category().message(errno_value));
  details.metadata = {{"errno", std::to_string(errno_value)}};
  switch (errno_value) {
    case ENOENT:
      details.type = "no_such_file_exception";
      return Make(absl::StatusCode::kNotFound, details);
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return Make(absl::StatusCode::kResourceExhausted, details);
    default:
      return Make(absl::StatusCode::kInternal, details);
  }
}

absl::Status Cancelled() {
  return MakeOfCode(absl::StatusCode::kCancelled, "the caller has cancelled the call");
}

absl::Status DeadlineExceeded() {
  return MakeOfCode(absl::StatusCode::kDeadlineExceeded, "the caller's deadline has passed");
}

absl::Status WithMetadata(absl::Status status, std::string_view key, std::string_view value) {
  if (status.ok()) return status;
  ErrorDetails details = DescribeError(status);
  details.metadata.emplace_back(key, value);
  return Make(status.code(), details);
}

absl::Status WithCause(absl::Status status, const absl::Status& cause) {
  if (status.ok() || cause.ok()) return status;
  ErrorDetails details = DescribeError(status);
  details.cause = Chain(details.cause, std::make_shared<const ErrorDetails>(DescribeError(cause)));
  return Make(status.code(), details);
}

ErrorDetails DescribeError(const absl::Status& status) {
  if (const auto payload = status.GetPayload(kPayloadUrl)) {
    const std::string bytes(*payload);
    ByteReader in(bytes);
    if (auto details = Decode(in, 0)) return *std::move(details);
  }
  ErrorDetails details;
  details.type = KindOfCode(status.code()).type;
  details.rest_status = KindOfCode(status.code()).rest_status;
  details.reason = WellFormed({status.message().data(), status.message().size()});
  return details;
}

std::string Clip(std::string_view text, size_t limit) {
  if (text.size() <= limit) return std::string(text);
  size_t cut = limit;
  while (cut > 0 && (static_cast<uint8_t>(text[cut]) & 0xc0) == 0x80) --cut;
  // Not UTF-8 at all: no character is that long, so cut where asked.
  if (limit - cut > 3) cut = limit;
  return std::string(text.substr(0, cut)) + "...";
}

}  // namespace curlew
