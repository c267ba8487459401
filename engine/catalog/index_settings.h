// An index's settings: what a create-index body may say, and what it means to the engine.
#ifndef CURLEW_ENGINE_CATALOG_INDEX_SETTINGS_H_
#define CURLEW_ENGINE_CATALOG_INDEX_SETTINGS_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/codec/stored/stored_codec.h"
#include "engine/mapping/mapping.h"

namespace curlew::catalog {

struct IndexSettings {
  int number_of_shards = 1;    // 1 to 1,024
  int number_of_replicas = 1;  // counted in _shards.total; there is no node to place them on
  std::chrono::milliseconds refresh_interval{1000};  // negative = never by itself
  std::chrono::milliseconds gc_deletes{60000};       // tombstones of deleted ids are kept this long
  int64_t max_result_window = 10000;
  // Of segments from the buffer and small merges, and of merges whose result passes the threshold:
  // the two differ with the codec "hybrid", the default.
  codec::StoredFormat stored{"none"};
  codec::StoredFormat merged_stored{"zstd"};
  uint64_t merged_stored_threshold = 64ull << 20;
  mapping::MappingLimits mapping_limits;
  // What the client gave, by full key ("index.number_of_shards") and as text: what GET shows.
  std::map<std::string, std::string> given;

  // From the JSON of "settings": nested or dotted, with or without "index.", numbers and booleans
  // as such or as strings. An unknown or not yet served key is an illegal_argument_exception naming
  // it, a bad value one naming key, value and what is allowed.
  static absl::StatusOr<IndexSettings> Parse(std::string_view json);
  // From what Parse kept in `given`.
  static absl::StatusOr<IndexSettings> FromGiven(std::map<std::string, std::string> given);
};

// A time value: "1s", "500ms", "-1", "1m", "2h", "1d", "100micros", "0"; error as OpenSearch
// ("failed to parse setting [key] with value [x] ...").
absl::StatusOr<std::chrono::nanoseconds> ParseTimeValue(std::string_view text,
                                                        std::string_view setting);

// A size in bytes: "512b", "64mb", "1g", "0"; units as OpenSearch, powers of 1,024. At least 0.
// Errors as OpenSearch ("failed to parse setting [key] with value [x] as a size in bytes...", a
// parse_exception).
absl::StatusOr<uint64_t> ParseByteSize(std::string_view text, std::string_view setting);

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_INDEX_SETTINGS_H_
