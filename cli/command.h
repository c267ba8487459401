// A subcommand of curlewctl: its options, and what it does.
#ifndef CURLEW_CLI_COMMAND_H_
#define CURLEW_CLI_COMMAND_H_

#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

namespace curlew::cli {

// Exit codes, as documented in the help.
enum ExitCode : int {
  kSuccess = 0,
  kFailed = 1,       // the server refused, some documents failed, or a check found problems
  kUsage = 2,        // the command line is wrong
  kUnreachable = 3,  // no server answers
};

// What all commands share.
struct Context {
  std::string server = "127.0.0.1:9400";
  int timeout_seconds = 60;  // of one call
  int exit_code = kSuccess;
};

// Ends a command with a message for people and an exit code.
class CommandError : public std::runtime_error {
 public:
  CommandError(ExitCode code, const std::string& message)
      : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Each adds its subcommand to `app`; `context` must outlive it.
void AddHealthCommand(CLI::App& app, Context& context);
void AddIndexCommand(CLI::App& app, Context& context);
void AddBulkCommand(CLI::App& app, Context& context);
void AddSearchCommand(CLI::App& app, Context& context);
void AddCheckCommand(CLI::App& app, Context& context);

}  // namespace curlew::cli

#endif  // CURLEW_CLI_COMMAND_H_
