// Where settings come from besides flags: a YAML file and the environment.
#ifndef CURLEW_CONFIG_SOURCES_H_
#define CURLEW_CONFIG_SOURCES_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "config/registry.h"

namespace curlew::config {

// Keys nested or dotted, values scalars. Errors name the file, and the line where YAML knows it; a
// key given twice is one.
absl::Status LoadYamlFile(const std::string& path, Registry& registry);
absl::Status LoadYaml(const std::string& text, const std::string& path, Registry& registry);

// CURLEW_DATA is data.path, CURLEW_LISTEN is listen; CURLEW__A__B_C is a.b_c. Other variables are
// none of ours. `environment` is null-terminated, as environ is.
absl::Status LoadEnvironment(const char* const* environment, Registry& registry);

}  // namespace curlew::config

#endif  // CURLEW_CONFIG_SOURCES_H_
