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
#include "protos/opensearch/bulk_response.pb.h"

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

// One request whose answer is read: figures of a server that refuses operations mean nothing.
void SendChecked(RawClient& client, const std::string& request) {
  grpc::ByteBuffer answer;
  client.Call(ToBuffer(request), &answer);
  org::opensearch::protobufs::BulkResponse response;
  if (!response.ParseFromString(ToBytes(answer)) || response.items_size() != 3 * kEach) {
    throw std::runtime_error("bulk_mixed: an answer is not as long as its request");
  }
  if (response.errors()) {
    throw std::runtime_error("bulk_mixed: operations fail: " +
                             response.Utf8DebugString().substr(0, 500));
  }
  for (const auto& item : response.items()) {
    const auto& operation = item.has_delete_()  ? item.delete_()
                            : item.has_update() ? item.update()
                                                : item.index();
    if (operation.status() != 0) {
      throw std::runtime_error("bulk_mixed: an operation finds nothing: " +
                               item.Utf8DebugString().substr(0, 500));
    }
  }
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

  // In the order of sending: warm-up, a checked request, the measured ones, a checked request. Each
  // deletes what the one before it has indexed.
  constexpr int kWarmUp = 100;
  int next = 0;
  std::vector<grpc::ByteBuffer> warm, requests;
  while (next < kWarmUp) warm.push_back(ToBuffer(Request(next++, random)));
  const std::string after_warm_up = Request(next++, random);
  for (int i = 0; i < static_cast<int>(options.seconds.count() * kPerSecond); ++i) {
    requests.push_back(ToBuffer(Request(next++, random)));
  }
  const std::string at_the_end = Request(next++, random);

  const double disk = DiskSyncMillis();
  RawClient client(options.server, kBulk);
  OpenLoop(client, warm, kPerSecond);
  SendChecked(client, after_warm_up);
  const double before = options.pid > 0 ? CpuMillis(options.pid) : 0;
  const Latencies latencies = OpenLoop(client, requests, kPerSecond);
  const double cpu = options.pid > 0 ? CpuMillis(options.pid) - before : 0;
  SendChecked(client, at_the_end);
  std::cout
      << fmt::format(
             R"({{"scenario":"bulk_mixed","per_second":{},"latency":{},"cpu_ms":{:.3f},"disk_sync_ms":{:.3f},"rss_mb":{:.0f}}})",
             kPerSecond, latencies.ToJson(), cpu / static_cast<double>(requests.size()), disk,
             options.pid > 0 ? RssMegabytes(options.pid) : 0)
      << std::endl;
}

}  // namespace curlew::bench
