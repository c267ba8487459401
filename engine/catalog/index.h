// One index: its shards, mapping and settings.
#ifndef CURLEW_ENGINE_CATALOG_INDEX_H_
#define CURLEW_ENGINE_CATALOG_INDEX_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/catalog/index_settings.h"
#include "engine/index/shard.h"
#include "engine/mapping/mapping.h"
#include "engine/search/shard_search.h"

namespace curlew::catalog {

// What has been asked of an index since it was opened: counts and times that its statistics show.
struct IndexActivity {
  std::atomic<uint64_t> query_total{0};
  std::atomic<uint64_t> query_nanos{0};
  std::atomic<uint64_t> fetch_total{0};
  std::atomic<uint64_t> fetch_nanos{0};
};

// Thread-safe; shared by the calls that use it, so that a deleted index lives until they are done
// (its files are gone by then).
class Index {
 public:
  virtual ~Index() = default;

  virtual const std::string& name() const = 0;
  virtual const std::string& uuid() const = 0;  // 22 characters, URL-safe base64
  virtual int64_t created_millis() const = 0;
  virtual const IndexSettings& settings() const = 0;
  virtual mapping::MapperService& mapper() = 0;
  virtual IndexActivity& activity() = 0;

  virtual const std::vector<std::unique_ptr<index::Shard>>& shards() const = 0;
  // The shard of a document (Murmur3 over routing, or the id when there is none).
  virtual index::Shard& ShardFor(std::string_view id, std::string_view routing) const = 0;
  virtual int ShardNumberFor(std::string_view id, std::string_view routing) const = 0;

  // A search on each shard, holding its snapshot of now.
  virtual std::vector<std::unique_ptr<search::ShardSearch>> OpenSearches(
      int64_t now_millis) const = 0;

  // {"aliases":{},"mappings":{...},"settings":{"index":{...}}} as GET /index shows it.
  virtual std::string DescribeJson() const = 0;
};

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_INDEX_H_
