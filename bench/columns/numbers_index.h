// An index of one number and some keywords a document, merged to one segment.
#ifndef CURLEW_BENCH_COLUMNS_NUMBERS_INDEX_H_
#define CURLEW_BENCH_COLUMNS_NUMBERS_INDEX_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "bench/support/local_shard.h"

namespace curlew::bench {

// Fields: "num" (long or double) and "kw" (keyword, doc values only, several a document).
class NumbersIndex {
 public:
  // From lines of "number TAB keyword,keyword"; `folder` must be empty.
  static absl::StatusOr<std::unique_ptr<NumbersIndex>> Build(const std::string& data,
                                                             bool fractions,
                                                             const std::string& folder);

  search::ShardContext Context() const { return local_->Context(); }
  uint64_t docs() const { return docs_; }
  double seconds() const { return seconds_; }  // indexing to commit
  uint64_t column_bytes() const { return column_bytes_; }
  uint64_t points_bytes() const { return points_bytes_; }

 private:
  NumbersIndex() = default;

  std::unique_ptr<LocalShard> local_;
  uint64_t docs_ = 0;
  double seconds_ = 0;
  uint64_t column_bytes_ = 0;
  uint64_t points_bytes_ = 0;
};

}  // namespace curlew::bench

#endif  // CURLEW_BENCH_COLUMNS_NUMBERS_INDEX_H_
