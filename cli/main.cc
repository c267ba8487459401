// curlewctl: the command line of a Curlew server.
#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/command.h"

int main(int argc, char** argv) {
  curlew::cli::Context context;
  CLI::App app(
      "curlewctl: health, indexes, loading and searching of a Curlew server, and checking its data",
      "curlewctl");
  app.add_option("--server", context.server, "HOST:PORT of the server")
      ->envname("CURLEW_SERVER")
      ->capture_default_str();
  app.add_option("--timeout", context.timeout_seconds, "Seconds that one call may take")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  app.set_version_flag("--version", CURLEW_VERSION);
  app.require_subcommand(1);
  app.fallthrough();  // --server and --timeout may stand behind the command, too
  app.footer(
      "Exit codes: 0 done; 1 refused, some documents failed, or problems were found; 2 wrong "
      "command line; 3 no server.\n"
      "`curlewctl COMMAND --help` tells more.");
  curlew::cli::AddHealthCommand(app, context);
  curlew::cli::AddIndexCommand(app, context);
  curlew::cli::AddBulkCommand(app, context);
  curlew::cli::AddSearchCommand(app, context);
  curlew::cli::AddCheckCommand(app, context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? curlew::cli::kSuccess : curlew::cli::kUsage;
  } catch (const curlew::cli::CommandError& error) {
    std::cerr << "curlewctl: " << error.what() << "\n";
    return error.code();
  }
  return context.exit_code;
}
