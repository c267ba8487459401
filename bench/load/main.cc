// The load generator: one scenario a call, one JSON object on stdout.
#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <iostream>

#include "bench/load/scenario.h"

int main(int argc, char** argv) {
  curlew::bench::Options options;
  int seconds = 10;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  options.echo_binary = beside / "curlew_echo";
  options.server_binary = beside / "curlewd";

  CLI::App app("Load scenarios for Curlew; answers are not parsed");
  app.add_option("--server", options.server, "HOST:PORT")->capture_default_str();
  app.add_option("--pid", options.pid, "the server's process, for its CPU time and memory");
  app.add_option("--seconds", seconds, "of each measured part")->capture_default_str();
  app.add_subcommand("large_result", "30,000 hits against an echo server of the same bytes")
      ->callback([&] { curlew::bench::RunLargeResult(options); });
  app.add_subcommand("bulk_mixed", "100 index + 100 update + 100 delete, 100 requests/s, open loop")
      ->callback([&] { curlew::bench::RunBulkMixed(options); });
  app.add_subcommand("startup", "start to SERVING over an empty folder; idle memory")
      ->callback([&] { curlew::bench::RunStartup(options); });
  curlew::bench::UpdateHeavyOptions update_heavy;
  CLI::App* updates = app.add_subcommand(
      "update_heavy", "1 KB documents updated four times soon after, for each index.codec");
  updates->add_option("--codecs", update_heavy.codecs, "index.codec of each run")
      ->delimiter(',')
      ->capture_default_str();
  updates->add_option("--documents", update_heavy.documents, "of one run")->capture_default_str();
  updates->add_option("--updated-within", update_heavy.updated_within, "documents created last")
      ->capture_default_str();
  updates->add_option("--rounds", update_heavy.rounds, "medians are shown")->capture_default_str();
  updates->callback([&] { curlew::bench::RunUpdateHeavy(options, update_heavy); });
  app.require_subcommand(1);
  app.parse_complete_callback([&] { options.seconds = std::chrono::seconds(seconds); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::cerr << "curlew_load: " << error.what() << "\n";
    return 1;
  }
}
