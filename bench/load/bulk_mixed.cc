#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <iostream>
#include <random>
#include <stdexcept>

#include "bench/load/process_usage.h"
#include "bench/load/raw_client.h"
#include "bench/load/scenario.h"
#include "protos/opensearch/bulk_request.pb.h"

namespace curlew::bench {
namespace {

constexpr char kBulk[] = "/org.opensearch.protobufs.services.DocumentService/Bulk";
constexpr int kSeedDocuments = 20000;
constexpr int kEach = 100;  // operations of each kind in a request
constexpr double kPerSecond = 100;

std::string Document(std::mt19937_64& random) {
  static constexpr const char* kWords[] = {"lorem", "ipsum",      "dolor",      "sit",
                                           "amet",  "consetetur", "sadipscing", "elitr",
                                           "sed",   "diam",       "nonumy",     "eirmod"};
  std::string message;
  for (int i = 0; i < 8; ++i) message += (i > 0 ? " " : "") + std::string(kWords[random() % 12]);
  return fmt::format(R"({{"user":"u{}","n":{},"message":"{}"}})", random() % 1000,
                     random() % (uint64_t{1} << 40), message);
}

// Request i indexes its own ids, updates seed documents, and deletes what request i - 1 indexed.
std::string Request(int i, std::mt19937_64& random) {
  org::opensearch::protobufs::BulkRequest request;
  request.set_index("bulk-mixed");
  for (int j = 0; j < kEach; ++j) {
    auto& item = *request.add_bulk_request_body();
    item.mutable_operation_container()->mutable_index()->set_x_id(fmt::format("r{}-{}", i, j));
    item.set_object(Document(random));
  }
  for (int j = 0; j < kEach; ++j) {
    auto& item = *request.add_bulk_request_body();
    item.mutable_operation_container()->mutable_update()->set_x_id(
        fmt::format("s{}", random() % kSeedDocuments));
    item.mutable_update_action()->set_doc(
        fmt::format(R"({{"n":{}}})", random() % (uint64_t{1} << 40)));
  }
  for (int j = 0; j < kEach; ++j) {
    request.add_bulk_request_body()->mutable_operation_container()->mutable_delete_()->set_x_id(
        fmt::format("r{}-{}", i - 1, j));
  }
  return request.SerializeAsString();
}

// The disk's own time for a synced write of 40 KB into preallocated space, in ms.
double DiskSyncMillis() {
  char name[] = "curlew-sync-XXXXXX";
  const int fd = ::mkstemp(name);
  if (fd < 0) return 0;
  ::unlink(name);
  const std::string block(40 << 10, 'x');
  Latencies latencies;
  for (int i = 0; i < 64; ++i) {
    if (::pwrite(fd, block.data(), block.size(), i * static_cast<off_t>(block.size())) < 0) break;
  }
  ::fsync(fd);
  for (int i = 0; i < 64; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (::pwrite(fd, block.data(), block.size(), i * static_cast<off_t>(block.size())) < 0) break;
    ::fdatasync(fd);
    latencies.Add(std::chrono::steady_clock::now() - start);
  }
  ::close(fd);
  return latencies.Percentile(50);
}

}  // namespace

void RunBulkMixed(const Options& options) {
  RecreateIndex(options.server, "bulk-mixed",
                R"({"settings":{"number_of_shards":1,"number_of_replicas":0},
                    "mappings":{"properties":{"user":{"type":"keyword"},"n":{"type":"long"},
                                              "message":{"type":"text"}}}})");
  std::mt19937_64 random(3);
  std::vector<std::pair<std::string, std::string>> seed;
  for (int i = 0; i < kSeedDocuments; ++i)
    seed.emplace_back(fmt::format("s{}", i), Document(random));
  LoadDocuments(options.server, "bulk-mixed", seed);
  RefreshIndex(options.server, "bulk-mixed");

  constexpr int kWarmUp = 100;
  const int count = kWarmUp + static_cast<int>(options.seconds.count() * kPerSecond);
  std::vector<grpc::ByteBuffer> warm, requests;
  for (int i = 0; i < count; ++i)
    (i < kWarmUp ? warm : requests).push_back(ToBuffer(Request(i, random)));

  const double disk = DiskSyncMillis();
  RawClient client(options.server, kBulk);
  OpenLoop(client, warm, kPerSecond);
  const double before = options.pid > 0 ? CpuMillis(options.pid) : 0;
  const Latencies latencies = OpenLoop(client, requests, kPerSecond);
  const double cpu = options.pid > 0 ? CpuMillis(options.pid) - before : 0;
  std::cout
      << fmt::format(
             R"({{"scenario":"bulk_mixed","per_second":{},"latency":{},"cpu_ms":{:.3f},"disk_sync_ms":{:.3f},"rss_mb":{:.0f}}})",
             kPerSecond, latencies.ToJson(), cpu / static_cast<double>(requests.size()), disk,
             options.pid > 0 ? RssMegabytes(options.pid) : 0)
      << std::endl;
}

}  // namespace curlew::bench
