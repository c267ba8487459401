// An index of one number and some keywords a document, merged to one segment.
#ifndef CURLEW_BENCH_COLUMNS_NUMBERS_INDEX_H_
#define CURLEW_BENCH_COLUMNS_NUMBERS_INDEX_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/index/shard.h"
#include "engine/mapping/mapping.h"
#include "engine/util/thread_pool.h"

namespace curlew::bench {

// Fields: "num" (long or double) and "kw" (keyword, doc values only, several a document). Owns the
// shard and what it runs on.
class NumbersIndex {
 public:
  // From lines of "number TAB keyword,keyword"; `folder` must be empty.
  static absl::StatusOr<std::unique_ptr<NumbersIndex>> Build(const std::string& data,
                                                             bool fractions,
                                                             const std::string& folder);
  ~NumbersIndex();

  std::shared_ptr<const mapping::Mapping> mapping() const { return mapper_->current(); }
  std::shared_ptr<const index::Snapshot> snapshot() const { return shard_->snapshot(); }
  uint64_t docs() const { return docs_; }
  double seconds() const { return seconds_; }  // indexing to commit
  uint64_t column_bytes() const { return column_bytes_; }
  uint64_t points_bytes() const { return points_bytes_; }

 private:
  NumbersIndex() = default;

  ThreadPool pool_{"background", 1, 1000};
  std::shared_ptr<translog::LogWriter> log_writer_ = std::make_shared<translog::LogWriter>();
  std::unique_ptr<mapping::MapperService> mapper_;
  std::unique_ptr<index::Shard> shard_;
  uint64_t docs_ = 0;
  double seconds_ = 0;
  uint64_t column_bytes_ = 0;
  uint64_t points_bytes_ = 0;
};

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_COLUMNS_NUMBERS_INDEX_H_
