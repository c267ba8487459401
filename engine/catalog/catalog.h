// All indexes of a node, by name: creation, deletion, look-up by names and patterns, and what of it
// is on disk (<data>/indices/<uuid>/, each with metadata written atomically).
#ifndef CURLEW_ENGINE_CATALOG_CATALOG_H_
#define CURLEW_ENGINE_CATALOG_CATALOG_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/catalog/index.h"
#include "engine/store/directory.h"
#include "engine/util/thread_pool.h"

namespace curlew::catalog {

struct CatalogOptions {
  uint64_t buffer_bytes = 64ull << 20;                 // RAM buffer of one shard
  std::shared_ptr<index::BufferBudget> buffer_budget;  // of all shards together; null = no bound
  uint64_t flush_translog_bytes = 512ull << 20;        // commit after that much log
  bool destructive_requires_name = true;               // DeleteIndex takes no wildcards
  bool auto_create_index = true;
  // See index::ShardOptions::on_event.
  std::function<void(std::string_view index, int shard, index::ShardEvent event,
                     const absl::Status& cause)>
      on_shard_event;
};

// How names of a request are resolved (OpenSearch's index options).
struct ResolveOptions {
  bool ignore_unavailable = false;
  bool allow_no_indices = true;
  bool expand_wildcards_open = true;
  bool skip_failed = false;  // leave out indexes that could not be opened instead of failing
};

// Thread-safe.
class Catalog {
 public:
  // Opens every index found in `data`; `background` runs refreshes, flushes and merges. An index
  // that cannot be opened does not keep the others from opening: it is listed by `failed()` and
  // every use of it fails with its error.
  static absl::StatusOr<std::unique_ptr<Catalog>> Open(std::shared_ptr<store::Directory> data,
                                                       const CatalogOptions& options,
                                                       ThreadPool* background);
  virtual ~Catalog() = default;

  // `body_json`: {"settings":..., "mappings":...} as REST takes it ("" = defaults); anything else
  // in it is refused by name. Errors: invalid_index_name_exception,
  // resource_already_exists_exception (400), and those of settings and mappings.
  virtual absl::StatusOr<std::shared_ptr<Index>> Create(const std::string& name,
                                                        std::string_view body_json) = 0;
  // The index, created with OpenSearch's defaults when it is missing and auto-creation is on.
  virtual absl::StatusOr<std::shared_ptr<Index>> GetOrCreate(const std::string& name) = 0;
  // index_not_found_exception (404) when there is none of exactly that name.
  virtual absl::StatusOr<std::shared_ptr<Index>> Get(std::string_view name) const = 0;
  virtual absl::Status Delete(const std::vector<std::string>& names, bool ignore_unavailable) = 0;

  // Names, patterns with `*`, "_all", comma-separated lists, exclusions ("-x" after a pattern);
  // empty = all. Sorted by name, each once.
  virtual absl::StatusOr<std::vector<std::shared_ptr<Index>>> Resolve(
      const std::vector<std::string>& names, const ResolveOptions& options) const = 0;

  // (name, error) of indexes on disk that could not be opened.
  virtual std::vector<std::pair<std::string, absl::Status>> failed() const = 0;

  // Closes every shard (with a commit point, so that the next start is quick).
  virtual absl::Status Close() = 0;
};

// OK, or invalid_index_name_exception with OpenSearch's reason.
absl::Status CheckIndexName(std::string_view name);

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_CATALOG_H_
