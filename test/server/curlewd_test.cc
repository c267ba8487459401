// The program itself: start line, signals, exit codes, one server for one folder.
#include <fcntl.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "engine/store/posix_io.h"
#include "protos/curlew/admin/v1/index_service.grpc.pb.h"
#include "protos/curlew/admin/v1/node_service.grpc.pb.h"
#include "protos/opensearch/services/search_service.grpc.pb.h"

namespace curlew::server {
namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "curlewd_test.XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A child process with its output caught. Killed when destroyed.
class Process {
 public:
  explicit Process(std::vector<std::string> arguments) {
    int out[2];
    int error[2];
    REQUIRE(pipe2(out, O_CLOEXEC) == 0);
    REQUIRE(pipe2(error, O_CLOEXEC) == 0);
    arguments.insert(arguments.begin(), CURLEWD);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      dup2(error[1], STDERR_FILENO);
      execv(argv[0], argv.data());
      _exit(127);
    }
    close(out[1]);
    close(error[1]);
    out_ = store::FileDescriptor(out[0]);
    error_ = store::FileDescriptor(error[0]);
  }
  ~Process() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }

  // What it prints up to the end of a line.
  std::string OutputLine() {
    std::string line;
    char c = 0;
    while (read(out_.get(), &c, 1) == 1 && c != '\n') line += c;
    return line;
  }
  std::string RestOfOutput() { return ReadAll(out_); }
  std::string Errors() { return ReadAll(error_); }

  void Signal(int number) const { kill(pid_, number); }
  // The exit code, or 1000 + the signal that ended it.
  int Wait() {
    int status = 0;
    REQUIRE(waitpid(pid_, &status, 0) == pid_);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

 private:
  static std::string ReadAll(const store::FileDescriptor& fd) {
    std::string all;
    char buffer[4096];
    for (ssize_t n; (n = read(fd.get(), buffer, sizeof(buffer))) > 0;) {
      all.append(buffer, static_cast<size_t>(n));
    }
    return all;
  }

  pid_t pid_ = -1;
  store::FileDescriptor out_;
  store::FileDescriptor error_;
};

// HOST:PORT from the line that curlewd prints.
std::string AddressIn(const std::string& line, const std::string& data) {
  const std::string prefix = "curlewd listening on ";
  const std::string suffix = " (data " + data + ")";
  INFO(line);
  REQUIRE(line.starts_with(prefix));
  REQUIRE(line.ends_with(suffix));
  return line.substr(prefix.size(), line.size() - prefix.size() - suffix.size());
}

TEST_CASE("it says where it listens, serves, and ends well on SIGTERM and SIGINT") {
  const int signal = GENERATE(SIGTERM, SIGINT);
  TemporaryFolder data;
  Process process({"--data", data.path(), "--listen", "127.0.0.1:0", "--set", "node.name=tester"});
  const std::string address = AddressIn(process.OutputLine(), data.path());
  CHECK(address.starts_with("127.0.0.1:"));
  CHECK(address != "127.0.0.1:0");

  const auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
  const auto node = admin::v1::NodeService::NewStub(channel);
  {
    grpc::ClientContext context;
    admin::v1::InfoResponse info;
    REQUIRE(node->Info(&context, admin::v1::InfoRequest(), &info).ok());
    CHECK(info.name() == "tester");
    CHECK(!info.version().empty());
    CHECK(!info.build().empty());
    CHECK(info.data_path() == data.path());
    REQUIRE(info.listeners_size() == 1);
    CHECK(info.listeners(0) == address);
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    CHECK(info.start_time_millis() <= now);
    CHECK(info.start_time_millis() > now - 600'000);
  }
  {
    grpc::ClientContext context;
    admin::v1::StatsResponse stats;
    REQUIRE(node->Stats(&context, admin::v1::StatsRequest(), &stats).ok());
    CHECK(stats.open_connections() == 1);
    // This call, and perhaps the end of the one before.
    CHECK(stats.in_flight_requests() >= 1);
    CHECK(stats.rss_bytes() > 1 << 20);
    CHECK(stats.pools().at("write").threads() >= 8);
  }
  {
    grpc::ClientContext context;
    admin::v1::ListSettingsResponse settings;
    const auto status = node->ListSettings(&context, admin::v1::ListSettingsRequest(), &settings);
    CHECK(status.error_code() == grpc::StatusCode::UNIMPLEMENTED);
    CHECK(status.error_message().find("NodeService/ListSettings") != std::string::npos);
  }
  {
    using org::opensearch::protobufs::SearchRequest;
    using org::opensearch::protobufs::SearchResponse;
    const auto search = org::opensearch::protobufs::services::SearchService::NewStub(channel);
    grpc::ClientContext context;
    const auto stream = search->ServerStreamSearch(&context, SearchRequest());
    SearchResponse response;
    CHECK(!stream->Read(&response));
    const grpc::Status status = stream->Finish();
    CHECK(status.error_code() == grpc::StatusCode::UNIMPLEMENTED);
    CHECK(status.error_message().find("SearchService/ServerStreamSearch") != std::string::npos);
  }
  {
    const auto index = admin::v1::IndexService::NewStub(channel);
    grpc::ClientContext context;
    admin::v1::GetIndexTemplatesResponse response;
    const auto status =
        index->GetIndexTemplates(&context, admin::v1::GetIndexTemplatesRequest(), &response);
    CHECK(status.error_code() == grpc::StatusCode::UNIMPLEMENTED);
    CHECK(status.error_message().find("IndexService/GetIndexTemplates") != std::string::npos);
  }

  process.Signal(signal);
  CHECK(process.Wait() == 0);
  CHECK(process.RestOfOutput().empty());
  // Not a terminal: JSON lines.
  const std::string errors = process.Errors();
  CHECK(errors.starts_with("{\"ts\":\""));
}

TEST_CASE("a second server on the same data is refused, until the first is gone") {
  TemporaryFolder data;
  Process first({"--data", data.path(), "--listen", "127.0.0.1:0"});
  AddressIn(first.OutputLine(), data.path());
  {
    Process second({"--data", data.path(), "--listen", "127.0.0.1:0"});
    CHECK(second.Wait() == 1);
    const std::string errors = second.Errors();
    INFO(errors);
    CHECK(errors.find(data.path()) != std::string::npos);
    CHECK(second.RestOfOutput().empty());
  }
  first.Signal(SIGKILL);
  CHECK(first.Wait() == 1000 + SIGKILL);
  Process third({"--data", data.path(), "--listen", "127.0.0.1:0"});
  AddressIn(third.OutputLine(), data.path());
  third.Signal(SIGTERM);
  CHECK(third.Wait() == 0);
}

TEST_CASE("a port that is taken is an error that names it") {
  TemporaryFolder data;
  TemporaryFolder other;
  Process first({"--data", data.path(), "--listen", "127.0.0.1:0"});
  const std::string address = AddressIn(first.OutputLine(), data.path());
  Process second({"--data", other.path(), "--listen", address});
  CHECK(second.Wait() == 1);
  CHECK(second.Errors().find(address) != std::string::npos);
}

TEST_CASE("settings are checked and printed without serving") {
  Process check({"--check-config", "--set", "grpc.max_msg_size=20mb"});
  CHECK(check.Wait() == 0);
  Process wrong({"--check-config", "--set", "grpc.max_mgs_size=20mb"});
  CHECK(wrong.Wait() == 2);
  CHECK(wrong.Errors() ==
        "curlewd: unknown setting [grpc.max_mgs_size], did you mean [grpc.max_msg_size]?\n");
  Process print({"--print-config", "--set", "grpc.max_msg_size=20mb"});
  const std::string printed = print.RestOfOutput();
  CHECK(print.Wait() == 0);
  CHECK(printed.find("grpc.max_msg_size: \"20mb\"  # flag") != std::string::npos);
  Process version({"--version"});
  CHECK(version.OutputLine().starts_with("curlewd "));
  CHECK(version.Wait() == 0);
}

}  // namespace
}  // namespace curlew::server
