#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <random>
#include <stdexcept>

#include "bench/load/child_process.h"
#include "bench/load/process_usage.h"
#include "bench/load/raw_client.h"
#include "bench/load/scenario.h"
#include "protos/opensearch/search_request.pb.h"

namespace curlew::bench {
namespace {

constexpr int kHits = 30000;
constexpr int kRounds = 5;
constexpr char kSearch[] = "/org.opensearch.protobufs.services.SearchService/Search";

std::vector<std::pair<std::string, std::string>> Documents() {
  static constexpr const char* kWords[] = {"alpha", "beta", "gamma", "delta"};
  std::mt19937 random(7);
  std::vector<std::pair<std::string, std::string>> documents;
  for (int i = 0; i < kHits; ++i) {
    std::string note;
    for (int w = 0; w < 4; ++w) note += (w > 0 ? " " : "") + std::string(kWords[random() % 4]);
    documents.emplace_back(
        fmt::format("doc-{:08d}", i),
        fmt::format(R"({{"name":"name-{:06d}","n":{},"note":"{}"}})", i, i, note));
  }
  return documents;
}

}  // namespace

void RunLargeResult(const Options& options) {
  RecreateIndex(
      options.server, "large-result",
      R"({"settings":{"number_of_shards":1,"number_of_replicas":0,"max_result_window":100000},
                    "mappings":{"properties":{"name":{"type":"keyword"},"n":{"type":"integer"},
                                              "note":{"type":"text"}}}})");
  LoadDocuments(options.server, "large-result", Documents());
  RefreshIndex(options.server, "large-result");

  org::opensearch::protobufs::SearchRequest search;
  search.add_index("large-result");
  search.mutable_search_request_body()->set_size(kHits);
  search.mutable_search_request_body()->mutable_query()->mutable_match_all();
  const std::vector<grpc::ByteBuffer> requests = {ToBuffer(search.SerializeAsString())};

  RawClient curlew(options.server, kSearch);
  grpc::ByteBuffer answer;
  curlew.Call(requests[0], &answer);
  const std::string bytes = ToBytes(answer);
  std::string file = std::filesystem::temp_directory_path() / "curlew-echo-XXXXXX";
  const int fd = ::mkstemp(file.data());
  if (fd < 0 || ::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("cannot write the prepared response");
  }
  ::close(fd);
  const ChildProcess echo({options.echo_binary, "--response", file});
  RawClient floor(echo.address(), kSearch);
  ::unlink(file.c_str());

  // Alternating rounds: a slow phase of the machine meets both.
  Latencies of_curlew, of_echo;
  double cpu = 0;
  const auto slice =
      std::chrono::duration_cast<std::chrono::milliseconds>(options.seconds) / kRounds;
  ClosedLoop(curlew, requests, 1, slice / 4);
  ClosedLoop(floor, requests, 1, slice / 4);
  for (int round = 0; round < kRounds; ++round) {
    const double before = options.pid > 0 ? CpuMillis(options.pid) : 0;
    of_curlew.Add(ClosedLoop(curlew, requests, 1, slice));
    if (options.pid > 0) cpu += CpuMillis(options.pid) - before;
    of_echo.Add(ClosedLoop(floor, requests, 1, slice));
  }
  std::cout
      << fmt::format(
             R"({{"scenario":"large_result","bytes":{},"curlew":{},"echo":{},"p50_ratio":{:.2f},"cpu_ms":{:.3f}}})",
             bytes.size(), of_curlew.ToJson(), of_echo.ToJson(),
             of_curlew.Percentile(50) / of_echo.Percentile(50),
             cpu / static_cast<double>(std::max<size_t>(1, of_curlew.count())))
      << std::endl;
}

}  // namespace curlew::bench
