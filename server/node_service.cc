#include "server/node_service.h"

#include <google/protobuf/arena.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <utility>

#include "protos/curlew/admin/v1/node_service.pb.h"

namespace curlew::server {
namespace {

using google::protobuf::Arena;

int64_t ResidentBytes() {
  // Pages: total, resident (proc(5), statm).
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  statm >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

int64_t CpuMillis() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto millis = [](const timeval& t) { return t.tv_sec * 1000 + t.tv_usec / 1000; };
  return millis(usage.ru_utime) + millis(usage.ru_stime);
}

int64_t MillisSinceEpoch(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

void FillPool(const ThreadPool& pool, admin::v1::PoolStats& out) {
  const ThreadPool::Stats stats = pool.stats();
  out.set_threads(stats.threads);
  out.set_active(stats.active);
  out.set_queue(static_cast<int32_t>(stats.queue));
  out.set_completed(static_cast<int64_t>(stats.completed));
  out.set_rejected(static_cast<int64_t>(stats.rejected));
}

void HandleInfo(const NodeFacts& facts, handlers::Call& call) {
  auto& response = *Arena::CreateMessage<admin::v1::InfoResponse>(call.arena());
  response.set_name(facts.name);
  response.set_version(facts.version);
  response.set_build(facts.build);
  response.set_data_path(facts.data_path);
  for (const std::string& listener : facts.listeners) response.add_listeners(listener);
  response.set_start_time_millis(MillisSinceEpoch(facts.start_time));
  call.Finish(response);
}

void HandleStats(const NodeFacts& facts, const NodeSources& sources, handlers::Call& call) {
  auto& response = *Arena::CreateMessage<admin::v1::StatsResponse>(call.arena());
  response.set_uptime_millis(MillisSinceEpoch(std::chrono::system_clock::now()) -
                             MillisSinceEpoch(facts.start_time));
  response.set_rss_bytes(ResidentBytes());
  response.set_cpu_millis(CpuMillis());
  response.set_open_connections(sources.acceptor->CountOpen());
  const Admission::Stats stats = sources.admission->stats();
  response.set_in_flight_requests(stats.calls);
  response.set_in_flight_bytes(stats.bytes);
  response.set_rejected_total(stats.rejected);
  for (const auto& [name, pool] : sources.pools) {
    FillPool(*pool, (*response.mutable_pools())[name]);
  }
  call.Finish(response);
}

}  // namespace

std::map<std::string, Binding> NodeServiceBindings(NodeFacts facts, NodeSources sources,
                                                   ThreadPool* pool) {
  const auto shared = std::make_shared<const NodeFacts>(std::move(facts));
  return {{"Info",
           {.handler = [shared](const handlers::CallPtr& call) { HandleInfo(*shared, *call); },
            .small = true}},
          {"Stats",
           {.pool = pool,
            .handler = [shared, sources = std::move(sources)](
                           const handlers::CallPtr& call) { HandleStats(*shared, sources, *call); },
            .small = true}}};
}

}  // namespace curlew::server
