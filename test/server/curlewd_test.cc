// The program itself: start line, signals, exit codes, one server for one folder.
#include <fcntl.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/catalog/index_metadata.h"
#include "engine/store/posix_io.h"
#include "protos/curlew/admin/v1/index_service.grpc.pb.h"
#include "protos/curlew/admin/v1/node_service.grpc.pb.h"
#include "protos/opensearch/services/document_service.grpc.pb.h"
#include "protos/opensearch/services/search_service.grpc.pb.h"
#include "test/support/raw_call.h"

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

  pid_t pid() const { return pid_; }
  void Signal(int number) const { kill(pid_, number); }
  // The exit code, or 1000 + the signal that ended it. Fails when it does not end.
  int Wait() {
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < 12000 && ended == 0; ++i) {
      ended = waitpid(pid_, &status, WNOHANG);
      if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    REQUIRE(ended == pid_);
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
    // Answered beside slow administration, not behind it.
    CHECK(stats.pools().at("monitor").active() == 1);
    CHECK(stats.pools().at("admin").active() == 0);
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

TEST_CASE("every method that is served refuses fields that it does not know") {
  TemporaryFolder data;
  Process process({"--data", data.path(), "--listen", "127.0.0.1:0"});
  const auto channel = grpc::CreateChannel(AddressIn(process.OutputLine(), data.path()),
                                           grpc::InsecureChannelCredentials());
  // By the tables, so that the linker takes files that have nothing but services.
  std::vector<const google::protobuf::FileDescriptor*> files;
  for (const auto* table :
       {&descriptor_table_protos_2fopensearch_2fservices_2fsearch_5fservice_2eproto,
        &descriptor_table_protos_2fopensearch_2fservices_2fdocument_5fservice_2eproto,
        &descriptor_table_protos_2fcurlew_2fadmin_2fv1_2findex_5fservice_2eproto,
        &descriptor_table_protos_2fcurlew_2fadmin_2fv1_2fnode_5fservice_2eproto}) {
    files.push_back(
        google::protobuf::DescriptorPool::generated_pool()->FindFileByName(table->filename));
  }
  std::set<std::string> refusing;
  for (const auto* file : files) {
    REQUIRE(file != nullptr);
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) {
        const auto& method = *file->service(s)->method(m);
        const std::string path = "/" + file->service(s)->full_name() + "/" + method.name();
        const grpc::Status status =
            curlew::test::CallRaw(channel, path, "\xc0\x3e\x01");  // field 1000 = 1
        INFO(path << ": " << status.error_message());
        CHECK(status.error_code() == grpc::StatusCode::UNIMPLEMENTED);
        if (status.error_message().find("field number 1000 of") != std::string::npos) {
          refusing.insert(method.name());
        } else {
          CHECK(status.error_message().find("is not served yet") != std::string::npos);
        }
      }
    }
  }
  CHECK(refusing == std::set<std::string>{"Search", "Bulk", "CreateIndex", "DeleteIndex",
                                          "GetIndex", "ListIndices", "PutMapping", "Refresh",
                                          "Flush", "ForceMerge", "IndexStats", "Info", "Stats"});
}

TEST_CASE("queries may be nested 100 deep, and deeper ones are refused in so many words") {
  namespace os = org::opensearch::protobufs;
  TemporaryFolder data;
  Process process({"--data", data.path(), "--listen", "127.0.0.1:0"});
  const auto channel = grpc::CreateChannel(AddressIn(process.OutputLine(), data.path()),
                                           grpc::InsecureChannelCredentials());
  {
    grpc::ClientContext context;
    admin::v1::CreateIndexRequest request;
    request.set_index("i");
    admin::v1::CreateIndexResponse response;
    REQUIRE(
        admin::v1::IndexService::NewStub(channel)->CreateIndex(&context, request, &response).ok());
  }
  const auto stub = os::services::SearchService::NewStub(channel);
  const auto search = [&](int levels, bool constant_score) {
    os::SearchRequest request;
    request.add_index("i");
    auto* query = request.mutable_search_request_body()->mutable_query();
    for (int i = 1; i < levels; ++i) {
      query = constant_score ? query->mutable_constant_score()->mutable_filter()
                             : query->mutable_bool_()->add_must();
    }
    query->mutable_term()->set_field("f");
    query->mutable_term()->mutable_value()->set_string("x");
    grpc::ClientContext context;
    os::SearchResponse response;
    return stub->Search(&context, request, &response);
  };
  for (const bool constant_score : {false, true}) {
    const grpc::Status deepest = search(100, constant_score);
    INFO(deepest.error_message());
    CHECK(deepest.ok());
    for (const int levels : {101, 200, 400}) {
      const grpc::Status status = search(levels, constant_score);
      CAPTURE(levels, status.error_message());
      CHECK(status.error_code() == grpc::StatusCode::INVALID_ARGUMENT);
      CHECK(status.error_message().find("queries may be nested at most 100 deep") !=
            std::string::npos);
    }
    const grpc::Status endless = search(2000, constant_score);
    CHECK(endless.error_code() == grpc::StatusCode::INVALID_ARGUMENT);
    CHECK(endless.error_message().find("nested more than 1000 deep") != std::string::npos);
  }
  process.Signal(SIGTERM);
  CHECK(process.Wait() == 0);
}

// Whether the process holds back SIGTERM, which it does as soon as it looks for it.
bool BlocksSigterm(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  std::string word;
  while (status >> word) {
    if (word != "SigBlk:") continue;
    status >> word;
    return (std::stoull(word, nullptr, 16) >> (SIGTERM - 1) & 1) != 0;
  }
  return false;
}

TEST_CASE("a signal ends a start that takes long") {
  const int signal = GENERATE(SIGTERM, SIGINT);
  TemporaryFolder data;
  {
    Process first({"--data", data.path(), "--listen", "127.0.0.1:0"});
    const auto channel = grpc::CreateChannel(AddressIn(first.OutputLine(), data.path()),
                                             grpc::InsecureChannelCredentials());
    grpc::ClientContext context;
    admin::v1::CreateIndexRequest request;
    request.set_index("i");
    admin::v1::CreateIndexResponse response;
    REQUIRE(
        admin::v1::IndexService::NewStub(channel)->CreateIndex(&context, request, &response).ok());
    first.Signal(SIGTERM);
    REQUIRE(first.Wait() == 0);
  }
  // Opening a pipe that nobody writes to takes for ever, as recovering a large log seems to.
  const auto folder = *std::filesystem::directory_iterator(data.path() + "/indices");
  const std::string metadata = folder.path().string() + "/" + catalog::IndexMetadata::kFileName;
  const std::string away = data.path() + "/metadata";
  std::filesystem::rename(metadata, away);
  REQUIRE(mkfifo(metadata.c_str(), 0600) == 0);
  {
    Process starting({"--data", data.path(), "--listen", "127.0.0.1:0"});
    for (int i = 0; i < 6000 && !BlocksSigterm(starting.pid()); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    REQUIRE(BlocksSigterm(starting.pid()));
    starting.Signal(signal);
    CHECK(starting.Wait() == 0);
    CHECK(starting.RestOfOutput() == "");
    CHECK(starting.Errors().find("before it served") != std::string::npos);
  }
  std::filesystem::remove(metadata);
  std::filesystem::rename(away, metadata);
  Process last({"--data", data.path(), "--listen", "127.0.0.1:0"});
  AddressIn(last.OutputLine(), data.path());
  last.Signal(SIGTERM);
  CHECK(last.Wait() == 0);
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
