// Connections: health, reflection, many idle ones, the cap, and no descriptors left.
#include <arpa/inet.h>
#include <fcntl.h>
#include <grpcpp/generic/generic_stub.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "engine/store/posix_io.h"
#include "server/connection_acceptor.h"
#include "test/server/test_server.h"
#include "test/support/raw_call.h"

namespace curlew::server::test {
namespace {

sockaddr_in AddressOf(const TestServer& server) {
  const std::string& address = server.server->address();
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return to;
}

// A TCP connection that says nothing.
store::FileDescriptor ConnectRaw(const TestServer& server) {
  const sockaddr_in to = AddressOf(server);
  store::FileDescriptor fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(fd.valid());
  REQUIRE(connect(fd.get(), reinterpret_cast<const sockaddr*>(&to), sizeof(to)) == 0);
  return fd;
}

// Waits until the server has closed it (what the server says before that is skipped).
bool IsClosed(const store::FileDescriptor& fd) {
  pollfd polled{fd.get(), POLLIN, 0};
  char buffer[512];
  while (poll(&polled, 1, 60000) == 1) {
    if (read(fd.get(), buffer, sizeof(buffer)) <= 0) return true;
  }
  return false;
}

// Health and reflection by hand, so that no generated code of gRPC's is needed: both messages have
// one string, in field 1 (health) or 7 (list_services of reflection).
std::string CallGeneric(const TestServer& server, const std::string& method,
                        const std::string& bytes, grpc::Status& status) {
  grpc::ByteBuffer response;
  status = curlew::test::CallRaw(server.channel, method, bytes, response);
  std::vector<grpc::Slice> slices;
  std::string out;
  if (status.ok() && response.Dump(&slices).ok()) {
    for (const auto& s : slices) {
      out.append(reinterpret_cast<const char*>(s.begin()), s.size());
    }
  }
  return out;
}

std::string Health(const TestServer& server, const std::string& service, grpc::Status& status) {
  const std::string request =
      service.empty() ? "" : "\x0a" + std::string(1, static_cast<char>(service.size())) + service;
  return CallGeneric(server, "/grpc.health.v1.Health/Check", request, status);
}

TEST_CASE("health knows the whole and each service") {
  TestServer server;
  grpc::Status status;
  CHECK(Health(server, "", status) == "\x08\x01");  // status = SERVING
  CHECK(status.ok());
  CHECK(Health(server, "curlew.admin.v1.IndexService", status) == "\x08\x01");
  CHECK(status.ok());
  Health(server, "no.such.Service", status);
  CHECK(status.error_code() == grpc::StatusCode::NOT_FOUND);
}

TEST_CASE("reflection lists our services") {
  TestServer server;
  grpc::GenericStub stub(server.channel);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  auto stream = stub.PrepareCall(
      &context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  void* tag = nullptr;
  bool ok = false;
  const auto next = [&] {
    REQUIRE(queue.Next(&tag, &ok));
    REQUIRE(ok);
  };
  stream->StartCall(nullptr);
  next();
  grpc::Slice slice(std::string("\x3a\x00", 2));  // list_services = ""
  stream->Write(grpc::ByteBuffer(&slice, 1), nullptr);
  next();
  grpc::ByteBuffer answer;
  stream->Read(&answer, nullptr);
  next();
  std::vector<grpc::Slice> slices;
  REQUIRE(answer.Dump(&slices).ok());
  std::string text;
  for (const auto& s : slices) text.append(reinterpret_cast<const char*>(s.begin()), s.size());
  CHECK(text.find("curlew.admin.v1.IndexService") != std::string::npos);
  CHECK(text.find("grpc.health.v1.Health") != std::string::npos);
  stream->WritesDone(nullptr);
  next();
  grpc::Status status;
  stream->Finish(&status, nullptr);
  next();
  CHECK(status.ok());
}

// HTTP/2 clients that have said hello (the preface and empty SETTINGS, RFC 9113) and nothing else.
// They live in a process of their own, since both ends of 10,000 connections are more descriptors
// than one process may often have. Made before the server, whose threads a fork would not copy.
class IdleClients {
 public:
  IdleClients() {
    RaiseFileLimit();
    int to[2];
    int from[2];
    REQUIRE(pipe2(to, O_CLOEXEC) == 0);
    REQUIRE(pipe2(from, O_CLOEXEC) == 0);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      close(to[1]);
      close(from[0]);
      Run(to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    orders_ = store::FileDescriptor(to[1]);
    progress_ = store::FileDescriptor(from[0]);
  }
  ~IdleClients() { CloseAll(); }

  void Connect(const sockaddr_in& to, int count) {
    const Order order{to, count};
    REQUIRE(write(orders_.get(), &order, sizeof(order)) == sizeof(order));
  }
  // Waits for the next 500, or the last, or a failure.
  enum class Step : char { kMore = '.', kDone = '!', kFailed = 'x' };
  Step Next() {
    char step = 'x';
    return read(progress_.get(), &step, 1) == 1 ? static_cast<Step>(step) : Step::kFailed;
  }
  void CloseAll() {
    orders_ = store::FileDescriptor();
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  struct Order {
    sockaddr_in to;
    int count;
  };

  // System calls only: it is a fork of a process with threads.
  [[noreturn]] static void Run(int orders, int progress) {
    static constexpr char kHello[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
    constexpr ssize_t kSize = sizeof(kHello) - 1;
    const auto say = [progress](char step) { return write(progress, &step, 1) == 1; };
    Order order;
    if (read(orders, &order, sizeof(order)) != sizeof(order)) _exit(0);
    for (int i = 1; i <= order.count; ++i) {
      const int fd = socket(AF_INET, SOCK_STREAM, 0);
      if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&order.to), sizeof(order.to)) != 0 ||
          write(fd, kHello, kSize) != kSize || (i % 500 == 0 && !say('.'))) {
        say('x');
        _exit(1);
      }
    }
    say('!');
    char end;
    while (read(orders, &end, 1) > 0) {
    }
    _exit(0);
  }

  pid_t pid_ = -1;
  store::FileDescriptor orders_;
  store::FileDescriptor progress_;
};

TEST_CASE("ten thousand idle connections do not keep others from being served") {
  IdleClients idle;
  TestOptions options;
  options.grpc.handshake_timeout = std::chrono::minutes(5);
  options.grpc.max_connections = 20000;
  TestServer server(std::move(options));
  REQUIRE(server.Create("before").ok());
  constexpr int kWanted = 10000;
  const int count = std::min(kWanted, server.server->acceptor().max_connections() - 10);
  if (count < kWanted) {
    WARN("*** ONLY " << count << " of " << kWanted << " connections: the limit on open files is "
                     << RaiseFileLimit() << " ***");
  }
  idle.Connect(AddressOf(server), count);
  IdleClients::Step step;
  while ((step = idle.Next()) == IdleClients::Step::kMore) CHECK(server.Create("during").ok());
  REQUIRE(step == IdleClients::Step::kDone);
  // Looked at rarely, since counting asks the system for each of them; and for long, since a slow
  // machine that does other things besides takes a minute to close them all.
  const auto open_becomes = [&](int least, int most) {
    for (int i = 0; i < 1500; ++i) {
      const int open = server.server->acceptor().CountOpen();
      if (open >= least && open <= most) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return false;
  };
  CHECK(open_becomes(count + 1, count + 1));
  for (int i = 0; i < 50; ++i) CHECK(server.Create("with them").ok());
  // A newcomer, too.
  const auto stub = IndexService::NewStub(server.Connect());
  grpc::ClientContext context;
  CreateIndexResponse response;
  CHECK(stub->CreateIndex(&context, CreateIndexRequest(), &response).ok());
  idle.CloseAll();
  CHECK(open_becomes(0, 2));
  CHECK(server.server->acceptor().refused() == 0);
}

TEST_CASE("a connection that does not finish its handshake is closed") {
  TestOptions options;
  options.grpc.handshake_timeout = std::chrono::milliseconds(100);
  TestServer server(std::move(options));
  const auto silent = ConnectRaw(server);
  CHECK(IsClosed(silent));
  CHECK(server.Create("others").ok());
}

TEST_CASE("over the cap new connections are closed, until others go") {
  TestOptions options;
  options.grpc.handshake_timeout = std::chrono::minutes(5);
  options.grpc.max_connections = 10;
  TestServer server(std::move(options));
  REQUIRE(server.Create("first").ok());
  std::vector<store::FileDescriptor> idle;
  for (int i = 0; i < 9; ++i) idle.push_back(ConnectRaw(server));
  REQUIRE(Eventually([&] { return server.server->acceptor().CountOpen() == 10; }));
  const auto refused = ConnectRaw(server);
  CHECK(IsClosed(refused));
  CHECK(server.server->acceptor().refused() == 1);
  CHECK(server.Create("still").ok());
  idle.clear();
  CHECK(Eventually([&] { return server.server->acceptor().CountOpen() == 1; }));
  const auto stub = IndexService::NewStub(server.Connect());
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  CreateIndexResponse response;
  CHECK(stub->CreateIndex(&context, CreateIndexRequest(), &response).ok());
}

// The acceptor alone, and no assertion while there is no descriptor: UBSan opens a pipe to look at
// an object's type, and takes an object for a wrong one when it cannot.
TEST_CASE("running out of descriptors does not end the listener") {
  auto listening = ConnectionAcceptor::Listen({.host = "127.0.0.1", .port = 0}, 1000);
  REQUIRE(listening.ok());
  ConnectionAcceptor& acceptor = **listening;
  std::atomic<int> accepted{0};
  acceptor.Start([&](int fd) {
    close(fd);
    accepted.fetch_add(1);
  });
  const std::string& address = acceptor.address();
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto connects = [&](const store::FileDescriptor& client) {
    return connect(client.get(), reinterpret_cast<const sockaddr*>(&to), sizeof(to)) == 0;
  };
  const auto make_socket = [] {
    return store::FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  };
  const store::FileDescriptor before = make_socket();
  REQUIRE(connects(before));
  REQUIRE(Eventually([&] { return accepted.load() == 1; }));

  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  rlimit low = limit;
  low.rlim_cur = static_cast<rlim_t>(before.get()) + 8;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &low) == 0);
  std::vector<store::FileDescriptor> clients;
  while (clients.size() < 64) {
    store::FileDescriptor fd = make_socket();
    if (!fd.valid()) break;
    clients.push_back(std::move(fd));
  }
  // The last descriptor is taken: what connects now cannot be accepted, only refused.
  size_t connected = 0;
  for (const auto& client : clients) connected += connects(client) ? 1 : 0;
  const bool refused =
      Eventually([&] { return acceptor.refused() == static_cast<int64_t>(connected); });
  const size_t client_count = clients.size();
  clients.clear();
  REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  CHECK(client_count > 0);
  CHECK(client_count < 64);
  CHECK(connected == client_count);
  CHECK(refused);
  CHECK(accepted.load() == 1);
  const store::FileDescriptor after = make_socket();
  CHECK(connects(after));
  CHECK(Eventually([&] { return accepted.load() == 2; }));
  acceptor.Stop();
}

TEST_CASE("addresses that cannot be listened on") {
  Admission admission(1);
  config::GrpcSettings settings;
  settings.listen = {.host = "no.such.host.invalid", .port = 1};
  CHECK(!GrpcServer::Listen(settings, admission).ok());
  TestServer server;
  const std::string& address = server.server->address();
  settings.listen = {
      .host = "127.0.0.1",
      .port = static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)))};
  const auto second = GrpcServer::Listen(settings, admission);
  REQUIRE(!second.ok());
  CHECK(std::string(second.status().message()).find(address) != std::string::npos);
}

}  // namespace
}  // namespace curlew::server::test
