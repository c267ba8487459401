// Bulk: many operations on many indexes, each with its own outcome.
#ifndef CURLEW_ENGINE_CATALOG_BULK_H_
#define CURLEW_ENGINE_CATALOG_BULK_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/catalog/catalog.h"
#include "engine/index/operation.h"
#include "engine/util/cancel.h"

namespace curlew::catalog {

enum class RefreshPolicy : uint8_t { kNone, kTrue, kWaitFor };

// Views into the request, which outlives the call.
struct BulkItem {
  std::string_view index;
  index::Operation operation;  // an empty id: one is generated (`auto_id`) into generated_id
  std::string generated_id;
  bool require_alias = false;
};

struct BulkItemResult {
  index::OperationResult result;
  int shards_total = 1;  // 1 + replicas
  int shards_successful = 1;
  bool forced_refresh = false;  // set on every successful item of a shard that was refreshed
};

// Applies `items` grouped by shard, in order within each; fills `results` (same order); creates
// missing indexes as OpenSearch would (a plain delete does not, a delete with an external version
// does). Returns when everything acknowledged is on stable storage and the refresh policy is done
// with, except for kWaitFor: then it returns at once after durability and `done` is called later,
// from another thread; otherwise `done` is called before it returns. Blocks: call it on a pool
// thread.
//
// `cancel` (null: nobody gives it up) is looked at before each shard: once it is cancelled, the
// items of the shards that are not begun fail with its status and leave no trace; those of a shard
// that is begun are applied and made durable, all of them.
void ExecuteBulk(Catalog& catalog, std::span<BulkItem> items, RefreshPolicy refresh,
                 std::span<BulkItemResult> results, std::function<void()> done,
                 const CancelToken* cancel = nullptr);

// 20 URL-safe characters, unique across restarts, mostly ascending in time (good for the
// dictionary).
std::string GenerateId();

}  // namespace curlew::catalog

#endif  // CURLEW_ENGINE_CATALOG_BULK_H_
