// A call without a network: what the handler finishes it with can be read.
#ifndef CURLEW_TEST_HANDLERS_FAKE_CALL_H_
#define CURLEW_TEST_HANDLERS_FAKE_CALL_H_

#include <google/protobuf/arena.h>
#include <google/protobuf/text_format.h>

#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "handlers/call.h"
#include "proto_utils/response/search_response.h"

namespace curlew::test {

// Finish* may come from any thread; the first one counts, as in the server.
class FakeCall : public handlers::Call {
 public:
  // `request` in protobuf's text format.
  template <typename Request>
  static std::shared_ptr<FakeCall> Of(const std::string& text) {
    auto call = std::make_shared<FakeCall>();
    auto* request = google::protobuf::Arena::CreateMessage<Request>(&call->arena_);
    if (!google::protobuf::TextFormat::ParseFromString(text, request)) {
      throw std::invalid_argument("not in text format: " + text);
    }
    call->request_ = request;
    return call;
  }

  const google::protobuf::Message& request() const override { return *request_; }
  google::protobuf::Arena* arena() override { return &arena_; }
  const CancelToken& cancel() const override { return token_; }
  bool Charge(int64_t bytes) override {
    if (charged_ + bytes > charge_limit_) return false;
    charged_ += bytes;
    return true;
  }

  void Finish(const google::protobuf::Message& response) override {
    Close(response.SerializeAsString(), absl::OkStatus());
  }
  void FinishBytes(proto_utils::ResponseBuffer response) override {
    std::string bytes;
    for (const auto& piece : response.pieces()) bytes += piece.bytes;
    Close(std::move(bytes), absl::OkStatus());
  }
  void FinishError(const absl::Status& status) override { Close("", status); }

  CancelToken& token() { return token_; }
  // What Charge may count in all.
  void set_charge_limit(int64_t bytes) { charge_limit_ = bytes; }
  int64_t charged() const { return charged_; }
  // Waits for the end.
  const absl::Status& status() {
    Wait();
    return status_;
  }
  template <typename Response>
  Response response() {
    Wait();
    Response response;
    if (!status_.ok() || !response.ParseFromString(bytes_)) {
      throw std::runtime_error("no response: " + status_.ToString());
    }
    return response;
  }
  int finishes() const {
    const std::lock_guard lock(mutex_);
    return finishes_;
  }

 private:
  void Close(std::string bytes, const absl::Status& status) {
    const std::lock_guard lock(mutex_);
    if (finishes_++ == 0) {
      bytes_ = std::move(bytes);
      status_ = status;
    }
    done_.notify_all();
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return finishes_ > 0; });
  }

  google::protobuf::Arena arena_;
  const google::protobuf::Message* request_ = nullptr;
  CancelToken token_;
  int64_t charge_limit_ = std::numeric_limits<int64_t>::max();
  int64_t charged_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable done_;
  int finishes_ = 0;
  std::string bytes_;
  absl::Status status_;
};

}  // namespace curlew::test

#endif  // CURLEW_TEST_HANDLERS_FAKE_CALL_H_
