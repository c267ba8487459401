// curlewd's command line.
#ifndef CURLEW_CONFIG_COMMAND_LINE_H_
#define CURLEW_CONFIG_COMMAND_LINE_H_

#include <string>

#include "absl/status/statusor.h"
#include "config/registry.h"

namespace curlew::config {

struct CommandLine {
  enum class Action { kServe, kCheckConfig, kPrintConfig, kPrintText };

  Action action = Action::kServe;
  std::string text;  // of kPrintText: help or version
  Registry registry;
};

// Defaults, then the file, then the environment, then the flags. Errors say what to do.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv,
                                             const char* const* environment,
                                             const std::string& version);

// The registry as a YAML file that gives the same settings back; every line says what the setting
// means and where its value comes from.
std::string DescribeAsYaml(const Registry& registry);

}  // namespace curlew::config

#endif  // CURLEW_CONFIG_COMMAND_LINE_H_
