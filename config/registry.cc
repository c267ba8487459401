#include "config/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "engine/util/error.h"

namespace curlew::config {
namespace {

// Levenshtein's distance, one row at a time.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view NearestKey(std::string_view key) {
  if (key.size() > 200) return {};  // no typing error; and the distance is quadratic
  std::string_view nearest;
  size_t least = key.size() / 2 + 1;
  for (const Setting& setting : AllSettings()) {
    // A key given without its first parts ("max_msg_size") is nearest to the whole one.
    if (!key.empty() && setting.key.size() > key.size() && setting.key.ends_with(key) &&
        setting.key[setting.key.size() - key.size() - 1] == '.') {
      return setting.key;
    }
    const size_t distance = EditDistance(key, setting.key);
    if (distance < least) {
      least = distance;
      nearest = setting.key;
    }
  }
  return nearest;
}

Registry::Registry() {
  for (const Setting& setting : AllSettings()) {
    auto number = ParseValue(setting, setting.default_text);
    if (!number.ok()) std::abort();  // the table is wrong; its test says where
    values_.push_back({&setting, std::string(setting.default_text), *number, Origin::kDefault});
  }
}

absl::Status Registry::Set(std::string_view key, std::string_view text, Origin origin) {
  const auto it = std::find_if(values_.begin(), values_.end(),
                               [&](const Value& value) { return value.setting->key == key; });
  if (it == values_.end()) {
    const std::string_view nearest = NearestKey(key);
    return IllegalArgument(nearest.empty() ? fmt::format("unknown setting [{}]", Clip(key))
                                           : fmt::format("unknown setting [{}], did you mean [{}]?",
                                                         Clip(key), nearest));
  }
  CURLEW_ASSIGN_OR_RETURN(const int64_t number, ParseValue(*it->setting, text));
  if (origin < it->origin) return absl::OkStatus();
  it->text = std::string(text);
  it->number = number;
  it->origin = origin;
  return absl::OkStatus();
}

const Registry::Value& Registry::Find(std::string_view key) const {
  const auto it = std::find_if(values_.begin(), values_.end(),
                               [&](const Value& value) { return value.setting->key == key; });
  if (it == values_.end()) std::abort();  // a key in our own code that is not in the table
  return *it;
}

}  // namespace curlew::config
