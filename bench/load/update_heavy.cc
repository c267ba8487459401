#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

#include "bench/load/process_usage.h"
#include "bench/load/raw_client.h"
#include "bench/load/scenario.h"
#include "protos/opensearch/bulk_request.pb.h"
#include "protos/opensearch/bulk_response.pb.h"

namespace curlew::bench {
namespace {

constexpr char kIndex[] = "update-heavy";
constexpr char kBulk[] = "/org.opensearch.protobufs.services.DocumentService/Bulk";
constexpr int kCallers = 2;
constexpr int kNew = 40;       // documents that a request creates
constexpr int kUpdates = 160;  // and how many it updates, of those that its caller created last

constexpr const char* kStates[] = {"new", "paid", "packed", "sent", "delivered", "returned"};

// Words of which some are frequent and most are rare.
std::string Words(int count, std::mt19937_64& random) {
  static const std::vector<std::string> words = [] {
    std::mt19937_64 letters(11);
    std::vector<std::string> made(4000);
    for (std::string& word : made) {
      for (size_t n = 2 + letters() % 9; n > 0; --n)
        word += static_cast<char>('a' + letters() % 26);
    }
    return made;
  }();
  std::string text;
  for (int i = 0; i < count; ++i) {
    const double u = std::uniform_real_distribution<double>(0, 1)(random);
    if (i > 0) text += ' ';
    text += words[static_cast<size_t>(u * u * u * static_cast<double>(words.size()))];
  }
  return text;
}

// About 1 KB, of which five fields are indexed.
std::string Order(std::mt19937_64& random) {
  std::string items;
  for (size_t n = 2 + random() % 5; n > 0; --n) {
    items += fmt::format(R"({}{{"sku":"{:08x}","name":"{}","quantity":{},"price_cents":{}}})",
                         items.empty() ? "" : ",", random() % (1u << 31), Words(4, random),
                         1 + random() % 5, 99 + random() % 20000);
  }
  return fmt::format(
      R"({{"customer":"c{}","status":"new","total_cents":{},"updated":{},"note":"{}",)"
      R"("address":{{"name":"{}","street":"{} {}","city":"{}","zip":"{:05d}"}},"items":[{}]}})",
      random() % 50000, random() % 200000, 1714557600000 + random() % 86400000, Words(40, random),
      Words(2, random), Words(2, random), random() % 200, Words(1, random), random() % 100000,
      items);
}

// The caller's request `i` creates documents and updates some of those that requests before it have
// created. No caller touches another's: requests may overtake each other.
std::string Request(int caller, int i, int updated_within, std::mt19937_64& random) {
  org::opensearch::protobufs::BulkRequest request;
  request.set_index(kIndex);
  const int created = i * kNew;
  for (int j = 0; j < kNew; ++j) {
    auto& item = *request.add_bulk_request_body();
    item.mutable_operation_container()->mutable_index()->set_x_id(
        fmt::format("o{}-{}", caller, created + j));
    item.set_object(Order(random));
  }
  for (int j = 0; j < kUpdates && created > 0; ++j) {
    const int oldest = std::max(0, created - updated_within);
    const int id = oldest + static_cast<int>(random() % static_cast<uint64_t>(created - oldest));
    auto& item = *request.add_bulk_request_body();
    item.mutable_operation_container()->mutable_update()->set_x_id(
        fmt::format("o{}-{}", caller, id));
    item.mutable_update_action()->set_doc(
        fmt::format(R"({{"status":"{}","total_cents":{},"updated":{}}})", kStates[random() % 6],
                    random() % 200000, 1714557600000 + random() % 86400000));
  }
  return request.SerializeAsString();
}

std::string FirstError(const org::opensearch::protobufs::BulkResponse& response) {
  for (const auto& item : response.items()) {
    const auto& operation = item.has_update() ? item.update() : item.index();
    if (operation.has_error()) return operation.ShortDebugString().substr(0, 500);
  }
  return "the answer cannot be parsed";
}

using Requests = std::vector<std::vector<grpc::ByteBuffer>>;  // of each caller

// Every answer is read: a server that refuses would be fast.
void SendAll(RawClient& client, const Requests& requests) {
  std::mutex mutex;
  std::exception_ptr failed;
  std::vector<std::thread> callers;
  for (const auto& own : requests) {
    callers.emplace_back([&] {
      try {
        for (const grpc::ByteBuffer& request : own) {
          grpc::ByteBuffer answer;
          client.Call(request, &answer);
          org::opensearch::protobufs::BulkResponse response;
          if (!response.ParseFromString(ToBytes(answer)) || response.errors()) {
            throw std::runtime_error("update_heavy: operations fail: " + FirstError(response));
          }
        }
      } catch (...) {
        std::lock_guard lock(mutex);
        failed = std::current_exception();
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  if (failed) std::rethrow_exception(failed);
}

struct Run {
  double operations_per_second = 0;
  double cpu_seconds = 0;
  double written_mb = 0;        // while loading
  double written_all_mb = 0;    // with the forced merge
  double loaded_mb = 0;         // size of the index
  double merged_mb = 0;         // after the forced merge
  double merged_stored_mb = 0;  // its stored documents
  double merge_seconds = 0;
};

Run RunOnce(const Options& options, const std::string& codec, const Requests& requests,
            int operations) {
  constexpr double kMb = 1e6;
  RecreateIndex(options.server, kIndex,
                fmt::format(R"({{
      "settings":{{"number_of_shards":1,"number_of_replicas":0,"codec":"{}"}},
      "mappings":{{"dynamic":"false","properties":{{
        "customer":{{"type":"keyword"}},"status":{{"type":"keyword"}},
        "total_cents":{{"type":"long"}},"updated":{{"type":"long"}},
        "note":{{"type":"text"}}}}}}}})",
                            codec));
  const auto usage = [&](auto of) { return options.pid > 0 ? of(options.pid) : 0.0; };
  RawClient client(options.server, kBulk);
  Run run;
  const double written = usage(WrittenBytes);
  const double cpu = usage(CpuMillis);
  const auto start = std::chrono::steady_clock::now();
  SendAll(client, requests);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  run.operations_per_second = operations / time.count();
  run.cpu_seconds = (usage(CpuMillis) - cpu) / 1000;
  run.written_mb = (usage(WrittenBytes) - written) / kMb;
  RefreshIndex(options.server, kIndex);
  run.loaded_mb = SizeOfIndex(options.server, kIndex).store_bytes / kMb;
  const auto merge_start = std::chrono::steady_clock::now();
  ForceMergeIndex(options.server, kIndex);
  run.merge_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - merge_start).count();
  run.written_all_mb = (usage(WrittenBytes) - written) / kMb;
  const IndexSize merged = SizeOfIndex(options.server, kIndex);
  run.merged_mb = merged.store_bytes / kMb;
  run.merged_stored_mb = merged.stored_bytes / kMb;
  return run;
}

double Median(std::vector<Run> runs, double Run::*member) {
  const auto middle = runs.begin() + static_cast<ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end(),
                   [&](const Run& a, const Run& b) { return a.*member < b.*member; });
  return *middle.*member;
}

}  // namespace

void RunUpdateHeavy(const Options& options, const UpdateHeavyOptions& chosen) {
  std::mt19937_64 random(5);
  Requests requests(kCallers);
  int operations = 0;
  const int within = chosen.updated_within / kCallers;
  for (int i = 0; i < chosen.documents / kNew / kCallers; ++i) {
    for (int caller = 0; caller < kCallers; ++caller) {
      requests[static_cast<size_t>(caller)].push_back(ToBuffer(Request(caller, i, within, random)));
      operations += kNew + (i > 0 ? kUpdates : 0);
    }
  }
  // In turn, so that what else the machine does meets all of them.
  std::map<std::string, std::vector<Run>> runs;
  for (int round = 0; round < chosen.rounds; ++round) {
    for (const std::string& codec : chosen.codecs) {
      runs[codec].push_back(RunOnce(options, codec, requests, operations));
    }
  }
  std::string codecs;
  for (const std::string& codec : chosen.codecs) {
    const auto median = [&](double Run::*member) { return Median(runs[codec], member); };
    codecs += fmt::format(
        R"({}"{}":{{"operations_per_second":{:.0f},"cpu_s":{:.1f},"written_mb":{:.0f},)"
        R"("written_with_force_merge_mb":{:.0f},"loaded_mb":{:.1f},"force_merge_s":{:.1f},)"
        R"("final_mb":{:.2f},"final_stored_mb":{:.2f}}})",
        codecs.empty() ? "" : ",", codec, median(&Run::operations_per_second),
        median(&Run::cpu_seconds), median(&Run::written_mb), median(&Run::written_all_mb),
        median(&Run::loaded_mb), median(&Run::merge_seconds), median(&Run::merged_mb),
        median(&Run::merged_stored_mb));
  }
  std::cout << fmt::format(
                   R"({{"scenario":"update_heavy","operations":{},"rounds":{},"codecs":{{{}}}}})",
                   operations, chosen.rounds, codecs)
            << std::endl;
}

}  // namespace curlew::bench
