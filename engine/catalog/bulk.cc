#include "engine/catalog/bulk.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <memory>
#include <utility>

#include "engine/util/error.h"

namespace curlew::catalog {
namespace {

// The operations of one request on one shard, in order.
struct ShardGroup {
  std::shared_ptr<Index> index;
  int shard_number = 0;
  std::vector<size_t> items;  // positions in the request
  std::vector<index::Operation> operations;
  std::vector<index::OperationResult> results;
  index::ApplyOutcome outcome;

  index::Shard& shard() const { return *index->shards()[static_cast<size_t>(shard_number)]; }
};

// OpenSearch makes a missing index for everything that may write a document; a delete writes one
// only when it carries an external version (its tombstone).
bool MayCreateIndex(const BulkItem& item) {
  return item.operation.type != index::OpType::kDelete ||
         item.operation.version_type != index::VersionType::kInternal;
}

absl::StatusOr<std::shared_ptr<Index>> FindIndex(Catalog& catalog, const BulkItem& item) {
  const bool is_delete = item.operation.type == index::OpType::kDelete;
  if (item.require_alias && !is_delete) {
    // There are no aliases yet, so the name cannot be one.
    return MakeError(
        "index_not_found_exception", 404,
        fmt::format("no such index [{0}] and [require_alias] request flag is [true] and "
                    "[{0}] is not an alias",
                    Clip(item.index)));
  }
  if (!MayCreateIndex(item)) return catalog.Get(item.index);
  return catalog.GetOrCreate(std::string(item.index));
}

// Facts that OpenSearch adds to what goes wrong on a shard.
absl::Status LocateError(absl::Status status, const ShardGroup& group) {
  if (status.ok()) return status;
  status = WithMetadata(std::move(status), "index", group.index->name());
  status = WithMetadata(std::move(status), "shard", fmt::format("{}", group.shard_number));
  return WithMetadata(std::move(status), "index_uuid", group.index->uuid());
}

// Counts refreshes that are waited for; the last one calls `done`.
class RefreshWait {
 public:
  RefreshWait(size_t count, std::function<void()> done) : left_(count), done_(std::move(done)) {}
  void Arrive() {
    if (left_.fetch_sub(1) == 1) done_();
  }

 private:
  std::atomic<size_t> left_;
  std::function<void()> done_;
};

std::vector<ShardGroup> GroupByShard(Catalog& catalog, std::span<BulkItem> items,
                                     std::span<BulkItemResult> results) {
  std::vector<ShardGroup> groups;
  std::map<std::pair<const Index*, int>, size_t> by_shard;
  // Consecutive items mostly name the same index.
  std::string_view last_name;
  std::shared_ptr<Index> last;
  for (size_t i = 0; i < items.size(); ++i) {
    BulkItem& item = items[i];
    if (last == nullptr || item.index != last_name || item.require_alias) {
      auto found = FindIndex(catalog, item);
      if (!found.ok()) {
        results[i].result.status = found.status();
        continue;
      }
      last = *std::move(found);
      last_name = item.index;
    }
    if (item.operation.id.empty()) {
      item.generated_id = GenerateId();
      item.operation.id = item.generated_id;
      item.operation.auto_id = true;
    }
    const int shard = last->ShardNumberFor(item.operation.id, item.operation.routing);
    const auto [it, added] = by_shard.emplace(std::pair(last.get(), shard), groups.size());
    if (added) {
      groups.emplace_back();
      groups.back().index = last;
      groups.back().shard_number = shard;
    }
    ShardGroup& group = groups[it->second];
    group.items.push_back(i);
    group.operations.push_back(item.operation);
    results[i].shards_total = 1 + last->settings().number_of_replicas;
  }
  return groups;
}

}  // namespace

void ExecuteBulk(Catalog& catalog, std::span<BulkItem> items, RefreshPolicy refresh,
                 std::span<BulkItemResult> results, std::function<void()> done,
                 const CancelToken* cancel) {
  const auto given_up = [cancel] { return cancel == nullptr ? absl::OkStatus() : cancel->Check(); };
  // Before the groups are made, which creates missing indexes.
  if (const absl::Status status = given_up(); !status.ok()) {
    for (BulkItemResult& result : results) result.result.status = status;
    done();
    return;
  }
  std::vector<ShardGroup> groups = GroupByShard(catalog, items, results);
  for (ShardGroup& group : groups) {
    group.results.resize(group.operations.size());
    if (const absl::Status status = given_up(); !status.ok()) {
      for (index::OperationResult& result : group.results) result.status = status;
      continue;
    }
    group.outcome = group.shard().Apply(group.operations, group.results);
  }
  // Only now wait: the logs of several shards are synced side by side.
  for (ShardGroup& group : groups) {
    const absl::Status durable = group.outcome.ticket > 0
                                     ? group.shard().WaitDurable(group.outcome.ticket)
                                     : absl::OkStatus();
    for (size_t i = 0; i < group.items.size(); ++i) {
      index::OperationResult& result = group.results[i];
      if (!durable.ok()) result.status.Update(durable);
      result.status = LocateError(std::move(result.status), group);
      results[group.items[i]].result = std::move(result);
    }
    if (!durable.ok()) group.outcome.wrote = false;
  }
  if (refresh == RefreshPolicy::kTrue) {
    for (const ShardGroup& group : groups) {
      if (!group.outcome.wrote) continue;
      const auto refreshed = group.shard().Refresh();
      for (const size_t item : group.items) {
        if (!refreshed.ok()) {
          results[item].result.status.Update(LocateError(refreshed.status(), group));
        } else if (results[item].result.status.ok()) {
          results[item].forced_refresh = true;
        }
      }
    }
  }
  if (refresh != RefreshPolicy::kWaitFor) {
    done();
    return;
  }
  std::vector<const ShardGroup*> waiting;
  for (const ShardGroup& group : groups) {
    if (group.outcome.wrote) waiting.push_back(&group);
  }
  // One count of our own keeps `done` from being called while shards are still being asked.
  auto wait = std::make_shared<RefreshWait>(waiting.size() + 1, std::move(done));
  for (const ShardGroup* group : waiting) {
    // The documents are durable; a refresh that fails is the shard's trouble, reported by searches.
    group->shard().OnNextRefresh(
        [wait, index = group->index](const absl::Status&) { wait->Arrive(); });
  }
  wait->Arrive();
}

}  // namespace curlew::catalog
