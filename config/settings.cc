#include "config/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <thread>

#include "engine/util/error.h"

namespace curlew::config {
namespace {

std::string HostName() {
  char name[256] = {};
  if (gethostname(name, sizeof(name) - 1) != 0 || name[0] == '\0') return "curlew";
  return name;
}

PoolSettings Pool(const Registry& registry, const std::string& name, int automatic) {
  const auto threads = static_cast<int>(registry.Number("thread_pool." + name + ".size"));
  return {.threads = threads == 0 ? automatic : threads,
          .queue = static_cast<size_t>(registry.Number("thread_pool." + name + ".queue_size"))};
}

std::chrono::milliseconds Time(const Registry& registry, std::string_view key) {
  return std::chrono::milliseconds(registry.Number(key));
}

}  // namespace

absl::StatusOr<ListenAddress> ParseListenAddress(const std::string& text) {
  const absl::Status error = IllegalArgument(
      fmt::format("setting [listen] cannot be [{}]: it must be HOST:PORT, such as 127.0.0.1:9400 "
                  "or [::1]:9400",
                  Clip(text)));
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return error;
  std::string_view host = std::string_view(text).substr(0, colon);
  const std::string_view port_text = std::string_view(text).substr(colon + 1);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return error;
  }
  ListenAddress address{.host = std::string(host)};
  const char* end = port_text.data() + port_text.size();
  const auto [stop, code] = std::from_chars(port_text.data(), end, address.port);
  if (host.empty() || code != std::errc() || stop != end) return error;
  return address;
}

absl::StatusOr<Settings> MakeSettings(const Registry& registry) {
  const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Settings settings;
  settings.node_name = registry.Text("node.name");
  if (settings.node_name.empty()) settings.node_name = HostName();
  settings.data_path = registry.Text("data.path");
  if (settings.data_path.empty()) return IllegalArgument("setting [data.path] cannot be empty");

  CURLEW_ASSIGN_OR_RETURN(settings.grpc.listen, ParseListenAddress(registry.Text("listen")));
  settings.grpc.max_message_bytes = registry.Number("grpc.max_msg_size");
  settings.grpc.max_connections = static_cast<int>(registry.Number("grpc.max_connections"));
  settings.grpc.max_concurrent_connection_calls =
      static_cast<int>(registry.Number("grpc.max_concurrent_connection_calls"));
  settings.grpc.handshake_timeout = Time(registry, "grpc.handshake_timeout");
  settings.grpc.keepalive_time = Time(registry, "grpc.keepalive_time");
  settings.grpc.keepalive_timeout = Time(registry, "grpc.keepalive_timeout");
  settings.grpc.max_connection_idle = Time(registry, "grpc.max_connection_idle");

  settings.max_in_flight_bytes = registry.Number("admission.max_in_flight_bytes");
  if (settings.max_in_flight_bytes < settings.grpc.max_message_bytes) {
    return IllegalArgument(fmt::format(
        "setting [admission.max_in_flight_bytes] cannot be [{}]: it must be at least "
        "[grpc.max_msg_size], which is [{}]",
        registry.Text("admission.max_in_flight_bytes"), registry.Text("grpc.max_msg_size")));
  }
  settings.search_pool = Pool(registry, "search", processors * 3 / 2 + 1);
  settings.write_pool = Pool(registry, "write", std::max(8, processors * 2));
  settings.admin_pool = Pool(registry, "admin", 2);
  settings.background_pool = Pool(registry, "background", std::max(2, processors));

  settings.engine = {
      .index_buffer_bytes =
          static_cast<uint64_t>(registry.Number("indices.memory.index_buffer_size")),
      .shard_buffer_bytes =
          static_cast<uint64_t>(registry.Number("indices.memory.shard_buffer_size")),
      .flush_translog_bytes =
          static_cast<uint64_t>(registry.Number("index.translog.flush_threshold_size")),
      .auto_create_index = registry.Bool("action.auto_create_index"),
      .destructive_requires_name = registry.Bool("action.destructive_requires_name")};
  settings.log = {.level = registry.Text("logger.level"), .format = registry.Text("logger.format")};
  settings.shutdown_grace = Time(registry, "shutdown.grace_period");
  return settings;
}

}  // namespace curlew::config
