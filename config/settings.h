// The settings as the parts of the process get them: plain structs, everything resolved.
#ifndef CURLEW_CONFIG_SETTINGS_H_
#define CURLEW_CONFIG_SETTINGS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "config/registry.h"

namespace curlew::config {

struct ListenAddress {
  std::string host;  // a name or an address, without brackets
  uint16_t port = 0;
};

// "HOST:PORT" or "[V6-ADDRESS]:PORT".
absl::StatusOr<ListenAddress> ParseListenAddress(const std::string& text);

struct GrpcSettings {
  ListenAddress listen;
  int64_t max_message_bytes = 10 << 20;
  int max_connections = 16384;
  int max_concurrent_connection_calls = 100;
  std::chrono::milliseconds handshake_timeout{10000};
  std::chrono::milliseconds keepalive_time{120000};
  std::chrono::milliseconds keepalive_timeout{20000};
  std::chrono::milliseconds max_connection_idle{0};  // 0 = unlimited
};

struct PoolSettings {
  int threads = 1;
  size_t queue = 1000;
};

struct EngineSettings {
  uint64_t index_buffer_bytes = 512 << 20;
  uint64_t shard_buffer_bytes = 64 << 20;
  uint64_t flush_translog_bytes = 512 << 20;
  bool auto_create_index = true;
  bool destructive_requires_name = true;
};

struct LogSettings {
  std::string level = "info";
  std::string format = "auto";
};

struct Settings {
  std::string node_name;
  std::string data_path;
  GrpcSettings grpc;
  int64_t max_in_flight_bytes = 512 << 20;
  PoolSettings search_pool;
  PoolSettings write_pool;
  PoolSettings admin_pool;
  PoolSettings background_pool;
  EngineSettings engine;
  LogSettings log;
  std::chrono::milliseconds shutdown_grace{20000};
};

// Checks what concerns several settings at once, and works out the defaults that depend on the
// machine (0 threads, empty node name).
absl::StatusOr<Settings> MakeSettings(const Registry& registry);

}  // namespace curlew::config

#endif  // CURLEW_CONFIG_SETTINGS_H_
