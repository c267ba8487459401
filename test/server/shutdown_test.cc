// Stopping: running calls get their time, hanging ones do not get more.
#include <grpcpp/generic/generic_stub.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <future>
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
  CHECK(!status.get().ok());
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
  CHECK(!status.get().ok());
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

TEST_CASE("shutting down under load loses no call and ends") {
  TestServer server;
  std::atomic<bool> stop{false};
  std::atomic<int> answered{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      while (!stop) {
        server.Create("x");  // OK or refused; what matters is that it returns
        ++answered;
      }
    });
  }
  REQUIRE(Eventually([&] { return answered > 100; }));
  server.server->Shutdown(std::chrono::seconds(60));
  stop = true;
  for (auto& client : clients) client.join();
  CHECK(server.admission.stats().calls == 0);
}

}  // namespace
}  // namespace curlew::server::test
