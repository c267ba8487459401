// One call at a time: what clients get for good, bad, late and abandoned requests.
#include <grpcpp/support/client_callback.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/util/error.h"
#include "proto_utils/response/search_response.h"
#include "test/server/test_server.h"
#include "test/support/raw_call.h"

namespace curlew::server::test {
namespace {

constexpr char kCreateIndex[] = "/curlew.admin.v1.IndexService/CreateIndex";

TEST_CASE("a served call answers, on a pool and inline") {
  TestServer server;
  CreateIndexResponse response;
  REQUIRE(server.Create("books", &response).ok());
  CHECK(response.index() == "books");

  grpc::ClientContext context;
  admin::v1::DeleteIndexRequest request;
  admin::v1::AcknowledgedResponse acknowledged;
  CHECK(server.stub->DeleteIndex(&context, request, &acknowledged).ok());
  CHECK(acknowledged.acknowledged());
  CHECK(Eventually([&] { return server.admission.stats().calls == 0; }));
  CHECK(Eventually([&] { return server.admission.stats().bytes == 0; }));
}

TEST_CASE("response bytes go out as they are") {
  TestOptions options;
  options.create = [](const handlers::CallPtr& call) {
    CreateIndexResponse response;
    response.set_index("by hand");
    const std::string bytes = response.SerializeAsString();
    proto_utils::ResponseBuffer buffer;
    for (const size_t begin : {size_t{0}, bytes.size() / 2}) {  // in two pieces
      const size_t size = begin == 0 ? bytes.size() / 2 : bytes.size() - begin;
      auto* base = static_cast<char*>(std::malloc(size));
      std::memcpy(base, bytes.data() + begin, size);
      buffer.Append({base, {base, size}});
    }
    call->FinishBytes(std::move(buffer));
  };
  TestServer server(std::move(options));
  CreateIndexResponse response;
  REQUIRE(server.Create("x", &response).ok());
  CHECK(response.index() == "by hand");
}

TEST_CASE("malformed bytes are an invalid argument that says so") {
  std::atomic<int> handled{0};
  TestOptions options;
  options.create = [&handled](const handlers::CallPtr& call) {
    ++handled;
    Echo(call);
  };
  TestServer server(std::move(options));
  const grpc::Status truncated = curlew::test::CallRaw(server.channel, kCreateIndex, "\x0a\x50xyz");
  CHECK(truncated.error_code() == grpc::StatusCode::INVALID_ARGUMENT);
  CHECK(truncated.error_message().find("curlew.admin.v1.CreateIndexRequest") != std::string::npos);
  const grpc::Status not_text =
      curlew::test::CallRaw(server.channel, kCreateIndex, "\x0a\x02\xff\xfe");
  CHECK(not_text.error_code() == grpc::StatusCode::INVALID_ARGUMENT);
  CHECK(not_text.error_message().find("CreateIndexRequest.index") != std::string::npos);
  CHECK(handled == 0);
  CHECK(curlew::test::CallRaw(server.channel, kCreateIndex, "\x0a\x02ok").ok());
  CHECK(curlew::test::CallRaw(server.channel, kCreateIndex, "").ok());
  CHECK(handled == 2);
}

TEST_CASE("methods without a handler answer unimplemented by name, unknown ones too") {
  TestServer server;
  grpc::ClientContext context;
  admin::v1::AcknowledgedResponse response;
  const grpc::Status status =
      server.stub->CloseIndex(&context, admin::v1::IndicesRequest(), &response);
  CHECK(status.error_code() == grpc::StatusCode::UNIMPLEMENTED);
  CHECK(status.error_message().find("curlew.admin.v1.IndexService/CloseIndex") !=
        std::string::npos);
  CHECK(curlew::test::CallRaw(server.channel, "/curlew.admin.v1.IndexService/NoSuchMethod", "")
            .error_code() == grpc::StatusCode::UNIMPLEMENTED);
  CHECK(curlew::test::CallRaw(server.channel, "/no.such.Service/Method", "").error_code() ==
        grpc::StatusCode::UNIMPLEMENTED);
}

TEST_CASE("a request over the limit is refused, one at the limit is not") {
  TestOptions options;
  options.grpc.max_message_bytes = 100000;
  TestServer server(std::move(options));
  const grpc::Status over = server.Create(std::string(100001, 'x'));
  CHECK(over.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
  CHECK(over.error_message().find("100000") != std::string::npos);
  CHECK(server.Create(std::string(99990, 'x')).ok());
}

TEST_CASE("an exception is an internal error, and so is no answer") {
  TestOptions options;
  options.create = [](const handlers::CallPtr& call) {
    const auto& index = static_cast<const CreateIndexRequest&>(call->request()).index();
    if (index == "std") throw std::runtime_error("thrown in a handler");
    if (index == "int") throw 7;
    if (index == "silent") return;
    Echo(call);
  };
  TestServer server(std::move(options));
  const grpc::Status thrown = server.Create("std");
  CHECK(thrown.error_code() == grpc::StatusCode::INTERNAL);
  INFO(thrown.error_message());
  CHECK(thrown.error_message().find("thrown in a handler") != std::string::npos);
  CHECK(server.Create("int").error_code() == grpc::StatusCode::INTERNAL);
  const grpc::Status silent = server.Create("silent");
  CHECK(silent.error_code() == grpc::StatusCode::INTERNAL);
  CHECK(silent.error_message().find("gave no answer") != std::string::npos);
  CHECK(server.Create("fine").ok());
}

TEST_CASE("an engine error keeps its code and reason") {
  TestOptions options;
  options.create = [](const handlers::CallPtr& call) { call->FinishError(IndexNotFound("books")); };
  TestServer server(std::move(options));
  const grpc::Status status = server.Create("books");
  CHECK(status.error_code() == grpc::StatusCode::NOT_FOUND);
  CHECK(status.error_message().find("no such index [books]") != std::string::npos);
}

TEST_CASE("only the first answer counts") {
  TestOptions options;
  options.create = [](const handlers::CallPtr& call) {
    Echo(call);
    call->FinishError(IllegalArgument("too late"));
    Echo(call);
  };
  TestServer server(std::move(options));
  for (int i = 0; i < 50; ++i) CHECK(server.Create("x").ok());
  CHECK(Eventually([&] { return server.admission.stats().calls == 0; }));
}

TEST_CASE("a handler may answer from elsewhere, later") {
  TestOptions options;
  std::thread later;
  options.create = [&later](const handlers::CallPtr& call) {
    later = std::thread([call] { Echo(call); });
  };
  TestServer server(std::move(options));
  CreateIndexResponse response;
  CHECK(server.Create("later", &response).ok());
  CHECK(response.index() == "later");
  server.pool.Stop();  // the handler may still be at the assignment
  later.join();
}

TEST_CASE("cancelling stops a handler that looks, and ends the call of one that does not") {
  Gate started;
  Gate stopped;
  Gate release;
  std::atomic<absl::StatusCode> reason{absl::StatusCode::kOk};
  TestOptions options;
  options.create = [&](const handlers::CallPtr& call) {
    started.Open();
    if (static_cast<const CreateIndexRequest&>(call->request()).index() == "cooperative") {
      while (call->cancel().Check().ok()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      reason = call->cancel().Check().code();
      call->FinishError(call->cancel().Check());
    } else {
      release.Wait();
      Echo(call);  // nobody there any more
    }
    stopped.Open();
  };
  const bool cooperative = GENERATE(true, false);
  TestServer server(std::move(options));
  grpc::ClientContext context;
  auto status = std::async(std::launch::async, [&] {
    return server.Create(cooperative ? "cooperative" : "stubborn", nullptr, &context);
  });
  REQUIRE(started.Wait());
  context.TryCancel();
  CHECK(status.get().error_code() == grpc::StatusCode::CANCELLED);
  CHECK(Eventually([&] { return server.admission.stats().calls == 0; }));
  if (!cooperative) CHECK(!stopped.open());
  release.Open();
  REQUIRE(stopped.Wait());
  if (cooperative) CHECK(reason == absl::StatusCode::kCancelled);
  CHECK(Eventually([&] { return server.admission.stats().bytes == 0; }));
  CHECK(server.server->acceptor().CountOpen() == 1);  // the connection is as good as before
}

TEST_CASE("calls that expire or are cancelled in the queue are never handled") {
  Gate release;
  std::atomic<int> handled{0};
  TestOptions options;
  options.create = [&](const handlers::CallPtr& call) {
    ++handled;
    release.Wait();
    Echo(call);
  };
  TestServer server(std::move(options));
  std::vector<std::future<grpc::Status>> running;
  for (int i = 0; i < 2; ++i) {
    running.push_back(std::async(std::launch::async, [&] { return server.Create("runs"); }));
  }
  REQUIRE(Eventually([&] { return handled == 2; }));
  {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(50));
    CHECK(server.Create("late", nullptr, &context).error_code() ==
          grpc::StatusCode::DEADLINE_EXCEEDED);
  }
  grpc::ClientContext context;
  auto cancelled =
      std::async(std::launch::async, [&] { return server.Create("cancelled", nullptr, &context); });
  REQUIRE(Eventually([&] { return server.pool.stats().queue == 2; }));
  context.TryCancel();
  CHECK(cancelled.get().error_code() == grpc::StatusCode::CANCELLED);
  CHECK(Eventually([&] { return server.admission.stats().calls == 2; }));

  release.Open();
  for (auto& status : running) CHECK(status.get().ok());
  CHECK(Eventually([&] { return server.pool.stats().completed == 4; }));
  CHECK(handled == 2);
}

TEST_CASE("a deadline reaches the handler") {
  TestOptions options;
  options.create = [](const handlers::CallPtr& call) {
    const auto& index = static_cast<const CreateIndexRequest&>(call->request()).index();
    const auto left = call->cancel().deadline() - CancelToken::Clock::now();
    const bool limited = call->cancel().deadline() != CancelToken::Clock::time_point::max();
    CHECK(limited == (index == "limited"));
    if (limited) {
      CHECK(left > std::chrono::minutes(9));
      CHECK(left < std::chrono::minutes(11));
    }
    Echo(call);
  };
  TestServer server(std::move(options));
  CHECK(server.Create("unlimited").ok());
  grpc::ClientContext minutes;
  minutes.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(10));
  CHECK(server.Create("limited", nullptr, &minutes).ok());
  grpc::ClientContext centuries;
  centuries.set_deadline(std::chrono::system_clock::now() + std::chrono::hours(24 * 365 * 100));
  CHECK(server.Create("for ever", nullptr, &centuries).ok());
}

// Bytes that take far more room once they are parsed.
std::string TinyValues(size_t bytes) {
  std::string values;
  while (values.size() < bytes) values += std::string("\x0a\x00", 2);  // ListValue.values
  admin::v1::CreateIndexRequest request;
  auto& list = *(*request.mutable_body()->mutable_fields())["x"].mutable_list_value();
  REQUIRE(list.ParseFromString(values));
  return request.SerializeAsString();
}
std::string TinyUnknownFields(size_t bytes) {
  std::string fields;
  while (fields.size() < bytes) fields += std::string("\xfa\x01\x00", 3);  // field 31, empty
  return fields;
}

TEST_CASE("what a request becomes in memory is counted, and refused before it is taken") {
  std::atomic<int> handled{0};
  TestOptions options;
  options.max_in_flight_bytes = 2 << 20;
  options.create = [&](const handlers::CallPtr& call) {
    ++handled;
    Echo(call);
  };
  TestServer server(std::move(options));
  for (const std::string& bytes : {TinyValues(400'000), TinyUnknownFields(400'000)}) {
    const grpc::Status status = curlew::test::CallRaw(server.channel, kCreateIndex, bytes);
    CHECK(status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
    INFO(status.error_message());
    CHECK(status.error_message().starts_with("CircuitBreakingException[not enough memory"));
    CHECK(Eventually([&] { return server.admission.stats().bytes == 0; }));
  }
  CHECK(handled == 0);
  CHECK(server.admission.stats().rejected == 2);
  CHECK(curlew::test::CallRaw(server.channel, kCreateIndex, TinyValues(1000)).ok());
  CHECK(handled == 1);
  CHECK(Eventually([&] { return server.admission.stats().bytes == 0; }));
}

TEST_CASE("a handler's memory is counted until its last reference goes") {
  std::atomic<int64_t> counted{0};
  TestOptions options;
  options.max_in_flight_bytes = 2 << 20;
  TestServer* running = nullptr;
  options.create = [&](const handlers::CallPtr& call) {
    const int64_t before = running->admission.stats().bytes;
    CHECK(call->Charge(1 << 20));
    counted = running->admission.stats().bytes - before;
    CHECK(!call->Charge(1 << 20));
    CHECK(running->admission.stats().bytes - before == counted);
    Echo(call);
  };
  TestServer server(std::move(options));
  running = &server;
  CHECK(server.Create("x").ok());
  CHECK(counted == 1 << 20);
  CHECK(Eventually([&] { return server.admission.stats().bytes == 0; }));
}

TEST_CASE("unknown fields are refused, at any depth") {
  std::atomic<int> handled{0};
  TestOptions options;
  options.create = [&](const handlers::CallPtr& call) {
    ++handled;
    Echo(call);
  };
  TestServer server(std::move(options));
  const std::string unknown("\xfa\x01\x00", 3);
  const std::string below = std::string("\x12\x03", 2) + unknown;  // in CreateIndexRequest.body
  for (const std::string& bytes : {unknown, below, std::string("\x0a\x01x", 3) + unknown}) {
    const grpc::Status status = curlew::test::CallRaw(server.channel, kCreateIndex, bytes);
    INFO(status.error_message());
    CHECK(status.error_code() == grpc::StatusCode::UNIMPLEMENTED);
    CHECK(status.error_message().find("field number 31 of ") == 0);
  }
  CHECK(handled == 0);
}

TEST_CASE("a full queue and full memory refuse at once") {
  Gate release;
  std::atomic<int> handled{0};
  TestOptions options;
  options.max_in_flight_bytes = 4 << 20;
  options.create = [&](const handlers::CallPtr& call) {
    ++handled;
    release.Wait();
    Echo(call);
  };
  TestServer server(std::move(options));
  std::vector<std::future<grpc::Status>> calls;
  for (int i = 0; i < 4; ++i) {
    calls.push_back(std::async(std::launch::async, [&] { return server.Create("runs"); }));
    REQUIRE(Eventually([&] {
      const auto stats = server.pool.stats();
      return stats.active + static_cast<int>(stats.queue) == i + 1;
    }));
    if (i == 0) {
      const grpc::Status status = server.Create(std::string(4 << 20, 'x'));
      CHECK(status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
      CHECK(status.error_message().find("in flight") != std::string::npos);
    }
    // So that the two threads are taken before the queue fills.
    if (i < 2) REQUIRE(Eventually([&] { return handled == i + 1; }));
  }
  const grpc::Status status = server.Create("one too many");
  CHECK(status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
  CHECK(status.error_message().find("queue") != std::string::npos);
  CHECK(server.admission.stats().rejected == 2);
  release.Open();
  for (auto& call : calls) CHECK(call.get().ok());
  CHECK(server.Create("again").ok());
}

}  // namespace
}  // namespace curlew::server::test
