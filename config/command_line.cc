#include "config/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "config/sources.h"
#include "engine/util/error.h"

namespace curlew::config {
namespace {

constexpr char kFooter[] =
    "Settings come from, the later winning: defaults, the file, the environment (CURLEW_DATA,\n"
    "CURLEW_LISTEN, CURLEW__GRPC__MAX_MSG_SIZE=20mb for grpc.max_msg_size), flags.\n"
    "curlewd --print-config shows every setting, what it means and where its value comes from.\n";

// Double quotes, with what YAML needs escaped in them.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv,
                                             const char* const* environment,
                                             const std::string& version) {
  CLI::App app("curlewd: a search server that speaks OpenSearch's gRPC API", "curlewd");
  app.footer(kFooter);
  std::string data;
  std::string listen;
  std::string file;
  std::vector<std::string> assignments;
  bool check = false;
  bool print = false;
  auto* data_option = app.add_option("--data", data, "folder of the data (setting data.path)");
  auto* listen_option = app.add_option("--listen", listen, "HOST:PORT to serve on; port 0 picks");
  app.add_option("--config", file, "YAML file of settings");
  app.add_option("--set", assignments, "KEY=VALUE of any setting; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--check-config", check, "check all settings, say what is wrong, and stop");
  app.add_flag("--print-config", print, "print all settings and where they come from, and stop");
  app.set_version_flag("--version", version, "print the version and stop");

  CommandLine result;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    result.action = CommandLine::Action::kPrintText;
    result.text = app.help();
    return result;
  } catch (const CLI::CallForVersion&) {
    result.action = CommandLine::Action::kPrintText;
    result.text = version + "\n";
    return result;
  } catch (const CLI::Error& e) {
    return IllegalArgument(fmt::format("{} (curlewd --help lists the flags)", e.what()));
  }

  if (!file.empty()) CURLEW_RETURN_IF_ERROR(LoadYamlFile(file, result.registry));
  CURLEW_RETURN_IF_ERROR(LoadEnvironment(environment, result.registry));
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      return IllegalArgument(
          fmt::format("--set takes KEY=VALUE, such as --set grpc.max_msg_size=20mb, but got [{}]",
                      Clip(assignment)));
    }
    CURLEW_RETURN_IF_ERROR(result.registry.Set(assignment.substr(0, equals),
                                               assignment.substr(equals + 1), Origin::kFlag));
  }
  if (data_option->count() > 0) {
    CURLEW_RETURN_IF_ERROR(result.registry.Set("data.path", data, Origin::kFlag));
  }
  if (listen_option->count() > 0) {
    CURLEW_RETURN_IF_ERROR(result.registry.Set("listen", listen, Origin::kFlag));
  }
  if (print) result.action = CommandLine::Action::kPrintConfig;
  if (check) result.action = CommandLine::Action::kCheckConfig;
  return result;
}

std::string DescribeAsYaml(const Registry& registry) {
  std::string out;
  for (const Registry::Value& value : registry.values()) {
    out += fmt::format("# {} [{}, default {}]\n{}: {}  # {}\n", value.setting->doc,
                       TypeName(value.setting->type), Quoted(value.setting->default_text),
                       value.setting->key, Quoted(value.text), OriginName(value.origin));
  }
  return out;
}

}  // namespace curlew::config
