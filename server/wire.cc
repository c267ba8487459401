#include "server/wire.h"

#include <fmt/format.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/slice.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/slice.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "engine/util/error.h"

namespace curlew::server {
namespace {

// What protobuf logs while this thread parses: the only place where it says what is wrong.
thread_local std::string* parse_log = nullptr;

void OnProtobufLog(google::protobuf::LogLevel level, const char* file, int line,
                   const std::string& message) {
  if (parse_log != nullptr) {
    if (!parse_log->empty()) *parse_log += "; ";
    *parse_log += message;
    return;
  }
  spdlog::log(level >= google::protobuf::LOGLEVEL_ERROR ? spdlog::level::err : spdlog::level::warn,
              "protobuf {}:{}: {}", file, line, message);
}

class ParseLog {
 public:
  ParseLog() {
    static const auto before = google::protobuf::SetLogHandler(&OnProtobufLog);
    (void)before;
    parse_log = &text_;
  }
  ~ParseLog() { parse_log = nullptr; }
  ParseLog(const ParseLog&) = delete;
  ParseLog& operator=(const ParseLog&) = delete;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

absl::Status ParseMessage(const grpc::ByteBuffer& bytes, google::protobuf::Message& message) {
  ParseLog log;
  bool ok = false;
  grpc::Slice slice;
  if (bytes.TrySingleSlice(&slice).ok()) {
    ok = slice.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
         message.ParseFromArray(slice.begin(), static_cast<int>(slice.size()));
  } else {
    grpc::ByteBuffer read(bytes);  // another reference to the same slices
    grpc::ProtoBufferReader reader(&read);
    ok = reader.status().ok() && message.ParseFromZeroCopyStream(&reader);
  }
  if (ok) return absl::OkStatus();
  return IllegalArgument(fmt::format(
      "the {} bytes of the request are not a {} message: {}", bytes.Length(), message.GetTypeName(),
      log.text().empty() ? std::string_view("truncated or malformed protobuf") : log.text()));
}

absl::StatusOr<grpc::ByteBuffer> SerializeMessage(const google::protobuf::Message& message) {
  const size_t size = message.ByteSizeLong();
  if (size > static_cast<size_t>(std::numeric_limits<int>::max())) {
    return MakeError(
        "response_too_large_exception", 507,
        fmt::format("the response of {} bytes is over protobuf's limit of 2 GB", size));
  }
  grpc_slice raw = grpc_slice_malloc(size);
  message.SerializeWithCachedSizesToArray(GRPC_SLICE_START_PTR(raw));
  grpc::Slice slice(raw, grpc::Slice::STEAL_REF);
  return grpc::ByteBuffer(&slice, 1);
}

grpc::ByteBuffer WrapResponse(proto_utils::ResponseBuffer response) {
  std::string_view view;
  char* base = response.Release(view);
  if (view.empty()) {
    std::free(base);
    grpc::Slice empty;
    return grpc::ByteBuffer(&empty, 1);
  }
  grpc::Slice slice(const_cast<char*>(view.data()), view.size(), &std::free, base);
  return grpc::ByteBuffer(&slice, 1);
}

}  // namespace curlew::server
