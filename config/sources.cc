#include "config/sources.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <set>
#include <sstream>

#include "engine/util/error.h"

namespace curlew::config {
namespace {

constexpr int kMostDepth = 10;

absl::Status AtLine(const std::string& path, const YAML::Mark& mark, const absl::Status& status) {
  return IllegalArgument(
      fmt::format("{}:{}: {}", path, mark.line + 1, DescribeError(status).reason));
}

absl::Status Walk(const YAML::Node& node, const std::string& prefix, int depth,
                  const std::string& path, std::set<std::string>& seen, Registry& registry) {
  for (const auto& entry : node) {
    const YAML::Mark mark = entry.first.Mark();
    if (!entry.first.IsScalar()) {
      return AtLine(path, mark, IllegalArgument("a key must be plain text"));
    }
    const std::string key =
        prefix.empty() ? entry.first.Scalar() : prefix + "." + entry.first.Scalar();
    if (entry.second.IsMap() && depth < kMostDepth) {
      CURLEW_RETURN_IF_ERROR(Walk(entry.second, key, depth + 1, path, seen, registry));
      continue;
    }
    if (!entry.second.IsScalar()) {
      return AtLine(
          path, mark,
          IllegalArgument(fmt::format("setting [{}] must have one plain value", Clip(key))));
    }
    if (!seen.insert(key).second) {
      return AtLine(path, mark, IllegalArgument(fmt::format("setting [{}] is given twice", key)));
    }
    if (absl::Status status = registry.Set(key, entry.second.Scalar(), Origin::kFile);
        !status.ok()) {
      return AtLine(path, mark, status);
    }
  }
  return absl::OkStatus();
}

absl::Status SetFromVariable(std::string_view variable, std::string_view key,
                             std::string_view value, Registry& registry) {
  absl::Status status = registry.Set(key, value, Origin::kEnvironment);
  if (status.ok()) return status;
  return IllegalArgument(
      fmt::format("environment variable {}: {}", Clip(variable), DescribeError(status).reason));
}

}  // namespace

absl::Status LoadYaml(const std::string& text, const std::string& path, Registry& registry) {
  // yaml-cpp reports by exceptions.
  try {
    const YAML::Node root = YAML::Load(text);
    if (root.IsNull()) return absl::OkStatus();
    if (!root.IsMap()) {
      return IllegalArgument(fmt::format("{}: settings must be lines of key: value", path));
    }
    std::set<std::string> seen;
    return Walk(root, "", 0, path, seen, registry);
  } catch (const YAML::Exception& e) {
    return IllegalArgument(fmt::format("{}:{}: {}", path, e.mark.line + 1, e.msg));
  }
}

absl::Status LoadYamlFile(const std::string& path, Registry& registry) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf() || file.peek() == std::ifstream::traits_type::eof())) {
    return IllegalArgument(fmt::format("cannot read the settings file [{}]", path));
  }
  return LoadYaml(text.str(), path, registry);
}

absl::Status LoadEnvironment(const char* const* environment, Registry& registry) {
  constexpr std::string_view kPrefix = "CURLEW__";
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = entry.substr(0, equals);
    const std::string_view value = entry.substr(equals + 1);
    if (name == "CURLEW_DATA") {
      CURLEW_RETURN_IF_ERROR(SetFromVariable(name, "data.path", value, registry));
    } else if (name == "CURLEW_LISTEN") {
      CURLEW_RETURN_IF_ERROR(SetFromVariable(name, "listen", value, registry));
    } else if (name.starts_with(kPrefix)) {
      std::string key;
      for (std::string_view rest = name.substr(kPrefix.size()); !rest.empty();) {
        if (rest.starts_with("__")) {
          key += '.';
          rest.remove_prefix(2);
          continue;
        }
        const char c = rest.front();
        key += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        rest.remove_prefix(1);
      }
      CURLEW_RETURN_IF_ERROR(SetFromVariable(name, key, value, registry));
    }
  }
  return absl::OkStatus();
}

}  // namespace curlew::config
