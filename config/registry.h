// The values of all settings, each with where it comes from: default < file < environment < flag.
//
// Only the edge of the process knows the registry; everything below gets the typed structs of
// settings.h.
#ifndef CURLEW_CONFIG_REGISTRY_H_
#define CURLEW_CONFIG_REGISTRY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "config/setting.h"

namespace curlew::config {

// Not thread-safe: filled at start, read afterwards.
class Registry {
 public:
  // Every setting at its default.
  Registry();

  // Checks and keeps `text`, unless the present value has a stronger origin. An unknown key is an
  // illegal_argument_exception naming it and the nearest known one.
  absl::Status Set(std::string_view key, std::string_view text, Origin origin);

  // The key must be known (of AllSettings()).
  const std::string& Text(std::string_view key) const { return Find(key).text; }
  int64_t Number(std::string_view key) const { return Find(key).number; }
  bool Bool(std::string_view key) const { return Find(key).number != 0; }

  struct Value {
    const Setting* setting;
    std::string text;
    int64_t number = 0;
    Origin origin = Origin::kDefault;
  };
  // Sorted by key.
  const std::vector<Value>& values() const { return values_; }

 private:
  const Value& Find(std::string_view key) const;

  std::vector<Value> values_;
};

// The known key with the fewest edits from `key`; empty when none is near.
std::string_view NearestKey(std::string_view key);

}  // namespace curlew::config

#endif  // CURLEW_CONFIG_REGISTRY_H_
