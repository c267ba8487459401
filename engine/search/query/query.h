// A query on its way to documents: an immutable tree, prepared for a shard, then evaluated segment
// by segment.
#ifndef CURLEW_ENGINE_SEARCH_QUERY_QUERY_H_
#define CURLEW_ENGINE_SEARCH_QUERY_QUERY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "engine/index/snapshot.h"
#include "engine/mapping/mapping.h"
#include "engine/search/scorer.h"

namespace curlew::search {

// What a query may know of the shard it is prepared for. Lives as long as the prepared query.
struct ShardContext {
  std::string index;
  int shard = 0;
  std::shared_ptr<const mapping::Mapping> mapping;
  std::shared_ptr<const index::Snapshot> snapshot;
  const analysis::AnalyzerRegistry* analyzers = nullptr;
  int64_t now_millis = 0;  // the search's start, the same on all shards
  int max_clause_count = 1024;
  int max_terms_count = 65536;
  // Looked at by scorers that may try many documents between two matches. May be null.
  const CancelToken* cancel = nullptr;
};

// A query bound to a shard's statistics. Immutable, thread-safe; one per search and shard.
class PreparedQuery {
 public:
  virtual ~PreparedQuery() = default;
  // Null when nothing in the segment can match.
  virtual absl::StatusOr<std::unique_ptr<ScorerSupplier>> ForSegment(
      const index::SnapshotSegment& segment) const = 0;
  // Matching live documents, when that is known without looking; else -1.
  virtual int64_t Count(const index::SnapshotSegment&) const { return -1; }
  // The score of every match, when they are all the same and that is known without looking.
  virtual std::optional<float> ConstantScore() const { return std::nullopt; }
  // Leaves of the query tree, for max_clause_count.
  virtual int clause_count() const { return 1; }
};

// What the client asked, independent of any index. Immutable, thread-safe, shared.
class Query {
 public:
  virtual ~Query() = default;
  // Looks up fields, analyses text, gathers term statistics. Errors are the query's, as OpenSearch
  // reports them from a shard.
  virtual absl::StatusOr<std::unique_ptr<PreparedQuery>> Prepare(const ShardContext& context,
                                                                 ScoreMode mode) const = 0;
};

using QueryPtr = std::shared_ptr<const Query>;

}  // namespace curlew::search

#endif  // CURLEW_ENGINE_SEARCH_QUERY_QUERY_H_
