// What is kept of an index besides its documents: one small file, replaced atomically.
#ifndef CURLEW_ENGINE_CATALOG_INDEX_METADATA_H_
#define CURLEW_ENGINE_CATALOG_INDEX_METADATA_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/store/directory.h"

namespace curlew::catalog {

// File "index.meta": magic, u32 version, then strings and numbers as engine/util/bytes.h spells
// them, and a CRC-32C of all that. It is the last thing that a creation writes.
struct IndexMetadata {
  static constexpr char kFileName[] = "index.meta";

  std::string name;
  std::string uuid;
  int64_t created_millis = 0;
  std::map<std::string, std::string> settings;  // as given
  std::string mapping_json;

  absl::Status Write(store::Directory& directory) const;
  static absl::StatusOr<IndexMetadata> Read(store::Directory& directory);
};

// Deletes `name` from `directory`; fine when it is not there.
absl::Status DeleteIfPresent(store::Directory& directory, const std::string& name);

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_INDEX_METADATA_H_
