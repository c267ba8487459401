#include <fmt/format.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "bench/load/child_process.h"
#include "bench/load/latencies.h"
#include "bench/load/process_usage.h"
#include "bench/load/scenario.h"

namespace curlew::bench {
namespace {

struct Started {
  std::chrono::nanoseconds time;
  double rss_megabytes;
};

// One start over a fresh folder, up to the line that says that it serves; then half a second of
// idling.
Started StartOnce(const std::string& binary) {
  std::string folder = std::filesystem::temp_directory_path() / "curlew-start-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  Started started;
  {
    const auto start = std::chrono::steady_clock::now();
    const ChildProcess server({binary, "--data", folder, "--listen", "127.0.0.1:0"});
    started.time = std::chrono::steady_clock::now() - start;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    started.rss_megabytes = RssMegabytes(server.pid());
  }
  std::filesystem::remove_all(folder);
  return started;
}

}  // namespace

void RunStartup(const Options& options) {
  Latencies times;
  double rss = 0;
  for (int i = 0; i < 11; ++i) {
    const Started started = StartOnce(options.server_binary);
    times.Add(started.time);
    rss = std::max(rss, started.rss_megabytes);
  }
  std::cout << fmt::format(R"({{"scenario":"startup","start":{},"idle_rss_mb":{:.1f}}})",
                           times.ToJson(), rss)
            << std::endl;
}

}  // namespace curlew::bench
