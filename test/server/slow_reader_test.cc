// A client that never reads its answer: what the server keeps for it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

#include "engine/store/posix_io.h"
#include "test/server/test_server.h"

namespace curlew::server::test {
namespace {

std::string Frame(char type, char flags, int stream, const std::string& payload) {
  const auto byte = [](size_t value, int shift) {
    return static_cast<char>(value >> shift & 0xff);
  };
  std::string frame = {byte(payload.size(), 16),
                       byte(payload.size(), 8),
                       byte(payload.size(), 0),
                       type,
                       flags,
                       0,
                       0,
                       0,
                       static_cast<char>(stream)};
  return frame + payload;
}

// A header that no table is needed for (RFC 7541, 6.2.2).
std::string Header(const std::string& name, const std::string& value) {
  return std::string(1, '\0') + static_cast<char>(name.size()) + name +
         static_cast<char>(value.size()) + value;
}

// The frames of one call (RFC 9113; gRPC over HTTP/2), without a word on reading: the answer gets
// the first window of 64 KB, and no more.
std::string CallFrames(const std::string& path, const std::string& message) {
  constexpr char kData = 0, kHeaders = 1, kSettings = 4;
  constexpr char kEndStream = 1, kEndHeaders = 4;
  const size_t size = message.size();
  std::string body = {0, static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                      static_cast<char>(size >> 8), static_cast<char>(size)};
  body += message;
  return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + Frame(kSettings, 0, 0, "") +
         Frame(kHeaders, kEndHeaders, 1,
               Header(":method", "POST") + Header(":scheme", "http") + Header(":path", path) +
                   Header(":authority", "test") + Header("te", "trailers") +
                   Header("content-type", "application/grpc")) +
         Frame(kData, kEndStream, 1, body);
}

TEST_CASE("a client that does not read keeps its answer in memory, and not its request") {
  constexpr size_t kAnswer = 1 << 20;
  TestOptions options;
  options.create = [&](const handlers::CallPtr& call) {
    CreateIndexResponse response;
    response.set_index(std::string(kAnswer, 'x'));
    call->Finish(response);
  };
  TestServer server(std::move(options));
  const std::string& address = server.server->address();
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  store::FileDescriptor client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(connect(client.get(), reinterpret_cast<sockaddr*>(&to), sizeof(to)) == 0);
  CreateIndexRequest request;
  request.set_index(std::string(10000, 'r'));
  const std::string frames =
      CallFrames("/curlew.admin.v1.IndexService/CreateIndex", request.SerializeAsString());
  REQUIRE(write(client.get(), frames.data(), frames.size()) == static_cast<ssize_t>(frames.size()));

  const auto answer = static_cast<int64_t>(kAnswer);
  CHECK(Eventually([&] {
    const int64_t bytes = server.admission.stats().bytes;
    return bytes >= answer && bytes < answer + 1000;
  }));
  CHECK(server.admission.stats().calls == 1);
  client = store::FileDescriptor();
  CHECK(Eventually([&] { return server.admission.stats().bytes == 0; }));
  CHECK(Eventually([&] { return server.admission.stats().calls == 0; }));
}

}  // namespace
}  // namespace curlew::server::test
