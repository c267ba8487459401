// curlewd: reads the settings, starts the node, and waits for a signal to stop it.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "config/command_line.h"
#include "config/settings.h"
#include "engine/util/error.h"
#include "server/logging.h"
#include "server/node.h"
#include "server/stop_signals.h"
#include "server/version.h"

namespace curlew::server {
namespace {

// A handler has that long to notice that its call was cancelled. (They look every 50 ms; one that
// does not is a bug, and what it leaves undone is in the log.)
constexpr std::chrono::seconds kCancelTime{10};

int Fail(int code, const absl::Status& status) {
  fmt::print(stderr, "curlewd: {}\n", DescribeError(status).reason);
  return code;
}

// While the node stops: a second signal cuts the grace period short, and calls that do not end
// cannot keep the process.
void WatchStop(const std::stop_token& done, StopSignals& signals, Node& node,
               std::chrono::milliseconds grace) {
  auto deadline = std::chrono::steady_clock::now() + grace + kCancelTime;
  while (!done.stop_requested()) {
    if (signals.WaitFor(std::chrono::milliseconds(20)) != 0) {
      spdlog::warn("second signal: cancelling what still runs");
      node.CancelCalls();
      deadline = std::chrono::steady_clock::now() + kCancelTime;
    }
    if (!node.calls_ended() && std::chrono::steady_clock::now() > deadline) {
      spdlog::error("a call does not end; leaving without a commit (the log has everything)");
      std::_Exit(1);
    }
  }
}

// While the node starts, which takes as long as its logs: a signal ends it there and then. Nothing
// is lost, since a log that is being replayed stays until a commit point holds all of it.
void WatchStart(const std::stop_token& done, StopSignals& signals) {
  while (!done.stop_requested()) {
    if (const int signal = signals.WaitFor(std::chrono::milliseconds(20)); signal != 0) {
      spdlog::info("stopped on signal {} before it served", signal);
      spdlog::default_logger()->flush();
      std::_Exit(0);
    }
  }
}

absl::StatusOr<std::unique_ptr<Node>> Start(const config::Settings& settings,
                                            StopSignals& signals) {
  const std::jthread watch(WatchStart, std::ref(signals));
  return Node::Start(settings);
}

int Serve(const config::Settings& settings) {
  StopSignals signals;
  umask(077);  // documents are nobody else's
  auto node = Start(settings, signals);
  if (!node.ok()) return Fail(1, node.status());

  fmt::print("curlewd listening on {} (data {})\n", (*node)->address(), settings.data_path);
  std::fflush(stdout);

  const int signal = signals.Wait();
  spdlog::info("stopping on signal {}", signal);
  absl::Status status;
  {
    const std::jthread watch(WatchStop, std::ref(signals), std::ref(**node),
                             settings.shutdown_grace);
    status = (*node)->Stop();
  }
  if (!status.ok()) return Fail(1, status);
  spdlog::info("stopped");
  return 0;
}

// What the engine is compiled for (curlew_count_bits in cmake/Curlew.cmake).
bool ProcessorServes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("sse4.2");
#else
  return true;
#endif
}

int Main(int argc, char** argv) {
  if (!ProcessorServes()) {
    fmt::print(stderr,
               "curlewd: needs a processor with SSE4.2 and POPCNT (x86-64-v2, since 2009)\n");
    return 2;
  }
  // Debian's build of abseil looks for deadlocks at every lock that gRPC takes.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  const auto line = config::ParseCommandLine(argc, argv, environ,
                                             fmt::format("curlewd {} ({})", Version(), Build()));
  if (!line.ok()) return Fail(2, line.status());
  if (line->action == config::CommandLine::Action::kPrintText) {
    fmt::print("{}", line->text);
    return 0;
  }
  const auto settings = config::MakeSettings(line->registry);
  if (!settings.ok()) return Fail(2, settings.status());
  switch (line->action) {
    case config::CommandLine::Action::kCheckConfig:
      fmt::print("the settings are right\n");
      return 0;
    case config::CommandLine::Action::kPrintConfig:
      fmt::print("{}", config::DescribeAsYaml(line->registry));
      return 0;
    default:
      SetUpLogging(settings->log);
      return Serve(*settings);
  }
}

}  // namespace
}  // namespace curlew::server

int main(int argc, char** argv) { return curlew::server::Main(argc, argv); }
