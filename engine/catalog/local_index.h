// An Index whose shards are all on this node.
#ifndef CURLEW_ENGINE_CATALOG_LOCAL_INDEX_H_
#define CURLEW_ENGINE_CATALOG_LOCAL_INDEX_H_

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/catalog/catalog.h"
#include "engine/catalog/index.h"
#include "engine/catalog/index_metadata.h"
#include "engine/translog/log_writer.h"

namespace curlew::catalog {

class LocalIndex : public Index {
 public:
  // Whether the shards are made, or have to be there (Corruption when one is not: it was lost).
  enum class Expect : uint8_t { kNew, kThere };

  // Opens or creates the shards below `directory`. Does not write the metadata of a new index: the
  // caller does that last.
  static absl::StatusOr<std::shared_ptr<LocalIndex>> Open(
      std::shared_ptr<store::Directory> directory, IndexMetadata metadata, IndexSettings settings,
      std::shared_ptr<const mapping::Mapping> mapping, Expect expect, const CatalogOptions& options,
      std::shared_ptr<translog::LogWriter> writer, ThreadPool* background);

  const std::string& name() const override { return metadata_.name; }
  const std::string& uuid() const override { return metadata_.uuid; }
  int64_t created_millis() const override { return metadata_.created_millis; }
  const IndexSettings& settings() const override { return settings_; }
  mapping::MapperService& mapper() override { return *mapper_; }
  IndexActivity& activity() override { return activity_; }
  const std::vector<std::unique_ptr<index::Shard>>& shards() const override { return shards_; }
  index::Shard& ShardFor(std::string_view id, std::string_view routing) const override;
  int ShardNumberFor(std::string_view id, std::string_view routing) const override;
  std::vector<std::unique_ptr<search::ShardSearch>> OpenSearches(int64_t now_millis) const override;
  std::string DescribeJson() const override;

  absl::Status WriteMetadata();
  // Its folder is about to be removed: closes the shards; the mapping is not written any more.
  void CloseDeleted();
  // Closes the shards; the first error is returned, the others are closed all the same.
  absl::Status Close(bool flush);

 private:
  LocalIndex() = default;

  std::shared_ptr<store::Directory> directory_;
  IndexSettings settings_;
  std::mutex metadata_mutex_;
  IndexMetadata metadata_;  // mapping_json under the mutex; the rest never changes
  bool deleted_ = false;    // under the mutex
  std::unique_ptr<mapping::MapperService> mapper_;
  std::vector<std::unique_ptr<index::Shard>> shards_;
  IndexActivity activity_;
};

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_LOCAL_INDEX_H_
