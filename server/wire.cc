#include "server/wire.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/slice.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/slice.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Another stream in pieces of kParsedPiece, with a look before each.
class PieceStream final : public google::protobuf::io::ZeroCopyInputStream {
 public:
  PieceStream(google::protobuf::io::ZeroCopyInputStream& stream, const ParseCheck& check)
      : stream_(stream), check_(check) {}

  bool Next(const void** data, int* size) override {
    while (left_ == 0) {
      const void* next = nullptr;
      if (!stream_.Next(&next, &left_)) return false;
      at_ = static_cast<const char*>(next);
    }
    if (check_) status_ = check_(given_);
    if (!status_.ok()) return false;
    *data = at_;
    *size = std::min(left_, kParsedPiece);
    Advance(*size);
    return true;
  }
  void BackUp(int count) override { Advance(-count); }
  bool Skip(int count) override {
    const void* data = nullptr;
    int size = 0;
    while (count > 0) {
      if (!Next(&data, &size)) return false;
      if (size > count) BackUp(size - count);
      count -= std::min(size, count);
    }
    return true;
  }
  int64_t ByteCount() const override { return given_; }

  const absl::Status& status() const { return status_; }

 private:
  void Advance(int count) {
    at_ += count;
    left_ -= count;
    given_ += count;
  }

  google::protobuf::io::ZeroCopyInputStream& stream_;
  const ParseCheck& check_;
  absl::Status status_;
  const char* at_ = nullptr;
  int left_ = 0;
  int64_t given_ = 0;
};

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

absl::Status ParseMessage(const grpc::ByteBuffer& bytes, google::protobuf::Message& message,
                          const ParseCheck& check) {
  ParseLog log;
  bool ok = false;
  absl::Status checked;
  const auto parse = [&](google::protobuf::io::ZeroCopyInputStream& stream) {
    PieceStream pieces(stream, check);
    google::protobuf::io::CodedInputStream in(&pieces);
    in.SetRecursionLimit(kMaxMessageDepth);
    ok = message.ParseFromCodedStream(&in) && in.ConsumedEntireMessage();
    checked = pieces.status();
  };
  grpc::Slice slice;
  if (bytes.TrySingleSlice(&slice).ok()) {
    if (slice.size() <= static_cast<size_t>(std::numeric_limits<int>::max())) {
      google::protobuf::io::ArrayInputStream array(slice.begin(), static_cast<int>(slice.size()));
      parse(array);
    }
  } else {
    grpc::ByteBuffer read(bytes);  // another reference to the same slices
    grpc::ProtoBufferReader reader(&read);
    if (reader.status().ok()) parse(reader);
  }
  if (!checked.ok()) return checked;
  if (ok) return absl::OkStatus();
  return IllegalArgument(fmt::format(
      "the {} bytes of the request are not a {} message: {}", bytes.Length(), message.GetTypeName(),
      log.text().empty()
          ? fmt::format("truncated or malformed protobuf, or nested more than {} deep",
                        kMaxMessageDepth)
          : log.text()));
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
  std::vector<grpc::Slice> slices;
  for (const auto& [base, bytes] : response.Release()) {
    if (bytes.empty()) {
      std::free(base);
    } else {
      slices.emplace_back(const_cast<char*>(bytes.data()), bytes.size(), &std::free, base);
    }
  }
  if (slices.empty()) slices.emplace_back();
  return grpc::ByteBuffer(slices.data(), slices.size());
}

}  // namespace curlew::server
