// A server in this process with handlers of the test's own, and a client for it.
//
// The methods are those of IndexService (its messages are small): CreateIndex on a pool of two
// threads with a queue of two, DeleteIndex inline, the others not served.
#ifndef CURLEW_TEST_SERVER_TEST_SERVER_H_
#define CURLEW_TEST_SERVER_TEST_SERVER_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "config/settings.h"
#include "engine/util/thread_pool.h"
#include "protos/curlew/admin/v1/index_service.grpc.pb.h"
#include "server/admission.h"
#include "server/grpc_server.h"

namespace curlew::server::test {

using admin::v1::CreateIndexRequest;
using admin::v1::CreateIndexResponse;
using admin::v1::IndexService;

// Opened once; whoever waits goes on. A wait that takes 60 s fails the test.
class Gate {
 public:
  void Open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  bool Wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [this] { return open_; });
  }
  bool open() {
    std::lock_guard lock(mutex_);
    return open_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

// True as soon as `condition` is, false after 60 s.
inline bool Eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

inline void Echo(const handlers::CallPtr& call) {
  CreateIndexResponse response;
  response.set_index(static_cast<const CreateIndexRequest&>(call->request()).index());
  call->Finish(response);
}

inline void Acknowledge(const handlers::CallPtr& call) {
  admin::v1::AcknowledgedResponse response;
  response.set_acknowledged(true);
  call->Finish(response);
}

struct TestOptions {
  Handler create = Echo;
  config::GrpcSettings grpc = {.listen = {.host = "127.0.0.1"}};
  int64_t max_in_flight_bytes = 64 << 20;
};

class TestServer {
 public:
  explicit TestServer(TestOptions options = {})
      : admission(options.max_in_flight_bytes), pool("test", 2, 2) {
    auto listening = GrpcServer::Listen(options.grpc, admission);
    REQUIRE(listening.ok());
    server = *std::move(listening);
    std::vector<std::unique_ptr<DescribedService>> services;
    services.push_back(std::make_unique<DescribedService>(
        *admin::v1::CreateIndexRequest::descriptor()->file()->FindServiceByName("IndexService"),
        std::map<std::string, Binding>{{"CreateIndex", {&pool, std::move(options.create)}},
                                       {"DeleteIndex", {nullptr, Acknowledge}}},
        admission));
    REQUIRE(server->Start(std::move(services)).ok());
    channel = Connect();
    stub = IndexService::NewStub(channel);
  }
  ~TestServer() {
    server->Shutdown(std::chrono::milliseconds(0));
    pool.Stop();
  }

  // A connection of its own.
  std::shared_ptr<grpc::Channel> Connect() const {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetMaxReceiveMessageSize(-1);
    return grpc::CreateCustomChannel(server->address(), grpc::InsecureChannelCredentials(),
                                     arguments);
  }

  grpc::Status Create(const std::string& index, CreateIndexResponse* response = nullptr,
                      grpc::ClientContext* context = nullptr) const {
    grpc::ClientContext own_context;
    CreateIndexResponse own_response;
    CreateIndexRequest request;
    request.set_index(index);
    return stub->CreateIndex(context != nullptr ? context : &own_context, request,
                             response != nullptr ? response : &own_response);
  }

  Admission admission;
  ThreadPool pool;
  std::unique_ptr<GrpcServer> server;
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<IndexService::Stub> stub;
};

}  // namespace curlew::server::test

#endif  // CURLEW_TEST_SERVER_TEST_SERVER_H_
