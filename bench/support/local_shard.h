// A shard on disk without a server around it: what the benchmarks of the engine index into and
// search in.
#ifndef CURLEW_BENCH_SUPPORT_LOCAL_SHARD_H_
#define CURLEW_BENCH_SUPPORT_LOCAL_SHARD_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/index/shard.h"
#include "engine/mapping/mapping.h"
#include "engine/search/query/query.h"
#include "engine/util/thread_pool.h"

namespace curlew::bench {

struct LocalDocument {
  std::string id;
  std::string source;
};

// Owns the shard and what it runs on. Refreshes only when it is told to. Thread-safe, once open.
class LocalShard {
 public:
  // Opens or creates the shard in `folder`. `buffer_bytes`: see index::ShardOptions.
  static absl::StatusOr<std::unique_ptr<LocalShard>> Open(const std::string& folder,
                                                          std::string_view mapping_json,
                                                          uint64_t buffer_bytes);
  ~LocalShard();

  // One request with all of them, made durable.
  absl::Status Index(std::span<const LocalDocument> documents);
  absl::Status Delete(std::string_view id);
  // Into one segment, and a commit.
  absl::Status MergeAll();

  index::Shard& shard() { return *shard_; }
  // For searching what is visible now.
  search::ShardContext Context() const;
  // Bytes of the files of the segments.
  uint64_t segment_bytes() const;

 private:
  LocalShard() = default;

  std::shared_ptr<translog::LogWriter> writer_ = std::make_shared<translog::LogWriter>();
  ThreadPool pool_{"background", 2, 1000};
  std::unique_ptr<mapping::MapperService> mapper_;
  std::unique_ptr<index::Shard> shard_;
};

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_SUPPORT_LOCAL_SHARD_H_
