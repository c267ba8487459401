// Settings by full key -> the nested JSON that GET /index shows.
#ifndef CURLEW_ENGINE_CATALOG_SETTINGS_JSON_H_
#define CURLEW_ENGINE_CATALOG_SETTINGS_JSON_H_

#include <map>
#include <string>

namespace curlew::catalog {

// {"index.mapping.depth.limit": "3"} -> {"index":{"mapping":{"depth":{"limit":"3"}}}}; values are
// strings throughout, as OpenSearch shows them.
std::string SettingsToJson(const std::map<std::string, std::string>& settings);

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_SETTINGS_JSON_H_
