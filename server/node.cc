#include "server/node.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>

#include "engine/util/error.h"
#include "server/method_table.h"
#include "server/node_service.h"
#include "server/version.h"

namespace curlew::server {
namespace {

// Waiting calls for statistics.
constexpr size_t kMonitorQueue = 100;

bool IsLoopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.lexically_normal().string();
}

// The engine does not log.
void LogShardEvent(std::string_view index, int shard, index::ShardEvent event,
                   const absl::Status& cause) {
  const std::string reason = cause.ok() ? "" : DescribeError(cause).reason;
  switch (event) {
    case index::ShardEvent::kWritesStopped:
      spdlog::error("shard [{}][{}] takes no more writes until the server is started again: {}",
                    index, shard, reason);
      return;
    case index::ShardEvent::kShortage:
      spdlog::warn("shard [{}][{}] cannot write its files for now and tries again: {}", index,
                   shard, reason);
      return;
    case index::ShardEvent::kShortageOver:
      spdlog::info("shard [{}][{}] writes its files again", index, shard);
      return;
    case index::ShardEvent::kMergeFailed:
      spdlog::warn("shard [{}][{}] could not merge segments: {}", index, shard, reason);
      return;
  }
}

}  // namespace

Node::Node(const config::Settings& settings)
    : settings_(settings),
      admission_(settings.max_in_flight_bytes),
      background_("background", settings.background_pool.threads, settings.background_pool.queue),
      search_("search", settings.search_pool.threads, settings.search_pool.queue),
      write_("write", settings.write_pool.threads, settings.write_pool.queue),
      admin_("admin", settings.admin_pool.threads, settings.admin_pool.queue),
      monitor_("monitor", 1, kMonitorQueue) {}

absl::StatusOr<std::unique_ptr<Node>> Node::Start(const config::Settings& settings) {
  const auto start_time = std::chrono::system_clock::now();
  RaiseFileLimit();
  std::unique_ptr<Node> node(new Node(settings));
  CURLEW_ASSIGN_OR_RETURN(std::shared_ptr<store::Directory> data,
                          store::OpenRealDirectory(settings.data_path));
  CURLEW_ASSIGN_OR_RETURN(node->lock_, store::FolderLock::Acquire(settings.data_path));
  // Before the data is opened, which may take a while: a port that is taken is known at once.
  CURLEW_ASSIGN_OR_RETURN(node->server_, GrpcServer::Listen(settings.grpc, node->admission_));
  if (!IsLoopback(settings.grpc.listen.host)) {
    spdlog::warn(
        "listening on [{}] without TLS or authentication: whoever reaches the port can "
        "read and delete everything",
        node->address());
  }
  const catalog::CatalogOptions options{
      .buffer_bytes = settings.engine.shard_buffer_bytes,
      .buffer_budget = std::make_shared<index::BufferBudget>(settings.engine.index_buffer_bytes),
      .flush_translog_bytes = settings.engine.flush_translog_bytes,
      .destructive_requires_name = settings.engine.destructive_requires_name,
      .auto_create_index = settings.engine.auto_create_index,
      .on_shard_event = &LogShardEvent};
  CURLEW_ASSIGN_OR_RETURN(node->catalog_,
                          catalog::Catalog::Open(std::move(data), options, &node->background_));
  for (const auto& [name, error] : node->catalog_->failed()) {
    spdlog::error("index [{}] cannot be opened: {}", name, DescribeError(error).reason);
  }

  NodeFacts facts{.name = settings.node_name,
                  .version = Version(),
                  .build = Build(),
                  .data_path = AbsolutePath(settings.data_path),
                  .listeners = {node->address()},
                  .start_time = start_time};
  NodeSources sources{.admission = &node->admission_,
                      .acceptor = &node->server_->acceptor(),
                      .pools = {{"search", &node->search_},
                                {"write", &node->write_},
                                {"admin", &node->admin_},
                                {"monitor", &node->monitor_},
                                {"background", &node->background_}}};
  CURLEW_RETURN_IF_ERROR(node->server_->Start(
      MakeServices({.catalog = node->catalog_.get(),
                    .search = &node->search_,
                    .write = &node->write_,
                    .admin = &node->admin_,
                    .admission = &node->admission_,
                    .node_service = NodeServiceBindings(std::move(facts), std::move(sources),
                                                        &node->monitor_)})));
  spdlog::info("curlewd {} ({}) serves on {} after {} ms", Version(), Build(), node->address(),
               std::chrono::duration_cast<std::chrono::milliseconds>(
                   std::chrono::system_clock::now() - start_time)
                   .count());
  return node;
}

Node::~Node() = default;

absl::Status Node::Stop() {
  server_->Shutdown(settings_.shutdown_grace);
  search_.Stop();
  write_.Stop();
  admin_.Stop();
  monitor_.Stop();
  calls_ended_ = true;
  absl::Status status = catalog_->Close();
  background_.Stop();
  return status;
}

}  // namespace curlew::server
