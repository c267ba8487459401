#include "engine/catalog/settings_json.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace curlew::catalog {
namespace {

// What stands below a key that has a value itself ("index.codec" and "index.codec.x") stays dotted,
// as in OpenSearch: the key cannot be an object too.
std::vector<std::string_view> Split(const std::map<std::string, std::string>& settings,
                                    const std::string& key) {
  const std::string_view view = key;
  std::vector<std::string_view> parts;
  size_t start = 0;
  for (size_t dot = 0; (dot = key.find('.', dot)) != std::string::npos; ++dot) {
    if (settings.contains(key.substr(0, dot))) continue;
    parts.push_back(view.substr(start, dot - start));
    start = dot + 1;
  }
  parts.push_back(view.substr(start));
  return parts;
}

void AppendQuoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

std::string SettingsToJson(const std::map<std::string, std::string>& settings) {
  // Keys come sorted, so keys with a common beginning are neighbours: open and close objects as the
  // beginning changes.
  std::string out = "{";
  std::vector<std::string_view> open;
  bool first = true;
  for (const auto& [key, value] : settings) {
    const std::vector<std::string_view> parts = Split(settings, key);
    size_t common = 0;
    while (common < open.size() && common + 1 < parts.size() && open[common] == parts[common]) {
      ++common;
    }
    for (; open.size() > common; open.pop_back()) out += '}';
    if (!first) out += ',';
    first = false;
    for (size_t i = common; i + 1 < parts.size(); ++i) {
      AppendQuoted(parts[i], out);
      out += ":{";
      open.push_back(parts[i]);
    }
    AppendQuoted(parts.back(), out);
    out += ':';
    AppendQuoted(value, out);
  }
  out.append(open.size() + 1, '}');
  return out;
}

}  // namespace curlew::catalog
