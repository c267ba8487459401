// Stopping: running calls get their time, hanging ones do not get more.
#include <grpcpp/generic/generic_stub.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "test/server/test_server.h"

namespace curlew::server::test {
namespace {

TEST_CASE("a running call ends in the grace period") {
  Gate started;
  Gate release;
  TestOptions options;
  options.create = [&](const handlers::CallPtr& call) {
    started.Open();
    release.Wait();
    Echo(call);
  };
  TestServer server(std::move(options));
  auto status = std::async(std::launch::async, [&] { return server.Create("drained"); });
  REQUIRE(started.Wait());
  auto down =
      std::async(std::launch::async, [&] { server.server->Shutdown(std::chrono::seconds(60)); });
  // New ones are refused meanwhile.
  CHECK(Eventually([&] {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(200));
    CreateIndexResponse response;
    const auto stub = IndexService::NewStub(server.Connect());
    return !stub->CreateIndex(&context, CreateIndexRequest(), &response).ok();
  }));
  release.Open();
  CHECK(status.get().ok());
  down.get();
}

TEST_CASE("a handler that hangs cannot keep the server beyond the grace period") {
  Gate started;
  Gate release;
  std::atomic<bool> told{false};
  TestOptions options;
  options.create = [&](const handlers::CallPtr& call) {
    started.Open();
    release.Wait();
    told = call->cancel().cancelled();
    Echo(call);
  };
  TestServer server(std::move(options));
  auto status = std::async(std::launch::async, [&] { return server.Create("hangs"); });
  REQUIRE(started.Wait());
  server.server->Shutdown(std::chrono::milliseconds(50));  // returns, while the handler hangs
  CHECK(!release.open());
  const grpc::Status ended = status.get();
  CHECK(ended.error_code() == grpc::UNAVAILABLE);
  CHECK(ended.error_message().find("the server is stopping") != std::string::npos);
  release.Open();
  server.pool.Stop();
  CHECK(told);
  CHECK(server.admission.stats().bytes == 0);
}

TEST_CASE("the rest can be cancelled before the grace period is over") {
  Gate started;
  TestOptions options;
  options.create = [&](const handlers::CallPtr& call) {
    started.Open();
    while (call->cancel().Check().ok()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  TestServer server(std::move(options));
  auto status = std::async(std::launch::async, [&] { return server.Create("hangs"); });
  REQUIRE(started.Wait());
  auto down =
      std::async(std::launch::async, [&] { server.server->Shutdown(std::chrono::hours(1)); });
  CHECK(Eventually([&] {
    server.server->CancelCalls();
    return down.wait_for(std::chrono::milliseconds(5)) == std::future_status::ready;
  }));
  CHECK(status.get().error_code() == grpc::UNAVAILABLE);
}

TEST_CASE("clients that hold a health watch do not delay the end") {
  TestServer server;
  grpc::GenericStub stub(server.channel);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  auto watch = stub.PrepareCall(&context, "/grpc.health.v1.Health/Watch", &queue);
  void* tag = nullptr;
  bool ok = false;
  const auto next = [&] {
    REQUIRE(queue.Next(&tag, &ok));
    return ok;
  };
  watch->StartCall(nullptr);
  REQUIRE(next());
  grpc::Slice empty{std::string()};
  watch->WriteLast(grpc::ByteBuffer(&empty, 1), grpc::WriteOptions(), nullptr);
  REQUIRE(next());
  const auto read = [&]() -> std::string {
    grpc::ByteBuffer answer;
    watch->Read(&answer, nullptr);
    if (!next()) return "end";
    grpc::Slice slice;
    if (!answer.TrySingleSlice(&slice).ok()) return "odd";
    return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
  };
  CHECK(read() == "\x08\x01");  // SERVING
  auto down =
      std::async(std::launch::async, [&] { server.server->Shutdown(std::chrono::hours(1)); });
  CHECK(read() == "\x08\x02");  // NOT_SERVING
  CHECK(down.wait_for(std::chrono::seconds(60)) == std::future_status::ready);
  CHECK(read() == "end");
  grpc::Status status;
  watch->Finish(&status, nullptr);
  CHECK(next());
}

TEST_CASE("a call that comes while others have their time is told why it is refused") {
  Gate started;
  Gate release;
  TestOptions options;
  options.create = [&](const handlers::CallPtr& call) {
    started.Open();
    release.Wait();
    Echo(call);
  };
  TestServer server(std::move(options));
  auto first = std::async(std::launch::async, [&] { return server.Create("first"); });
  REQUIRE(started.Wait());
  auto down =
      std::async(std::launch::async, [&] { server.server->Shutdown(std::chrono::seconds(60)); });
  REQUIRE(Eventually([&] { return server.admission.running().stopping(); }));
  const grpc::Status refused = server.Create("second");
  CHECK(refused.error_code() == grpc::UNAVAILABLE);
  CHECK(refused.error_message().find("the server is stopping") != std::string::npos);
  release.Open();
  CHECK(first.get().ok());
  down.get();
}

TEST_CASE("shutting down under load loses no call, cancels none, and ends") {
  TestServer server;
  std::atomic<bool> stop{false};
  std::atomic<int> answered{0};
  std::mutex mutex;
  std::set<std::string> odd;
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      while (!stop) {
        const grpc::Status status = server.Create("x");
        // Nothing else (but for a full queue): a client may send again what was not served.
        if (!status.ok() && status.error_code() != grpc::UNAVAILABLE &&
            status.error_code() != grpc::RESOURCE_EXHAUSTED) {
          std::lock_guard lock(mutex);
          odd.insert(std::to_string(status.error_code()) + " " + status.error_message());
        }
        ++answered;
      }
    });
  }
  REQUIRE(Eventually([&] { return answered > 100; }));
  server.server->Shutdown(std::chrono::seconds(60));
  stop = true;
  for (auto& client : clients) client.join();
  CHECK(odd == std::set<std::string>{});
  CHECK(server.admission.stats().calls == 0);
}

}  // namespace
}  // namespace curlew::server::test
