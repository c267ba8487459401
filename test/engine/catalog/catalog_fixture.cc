#include "test/engine/catalog/catalog_fixture.h"

#include <future>
#include <stdexcept>

namespace curlew::catalog {

CatalogWorld::CatalogWorld(std::shared_ptr<store::Directory> directory, CatalogOptions given)
    : options(given), data(std::move(directory)) {
  Reopen();
}

void CatalogWorld::Reopen() {
  if (catalog != nullptr) REQUIRE(catalog->Close().ok());
  catalog.reset();
  auto opened = Catalog::Open(data, options, &pool);
  INFO(opened.status());
  REQUIRE(opened.ok());
  catalog = *std::move(opened);
}

std::shared_ptr<Index> CatalogWorld::Create(const std::string& name, std::string_view body) {
  auto index = catalog->Create(name, body);
  INFO(index.status());
  REQUIRE(index.ok());
  return *std::move(index);
}

Strings CatalogWorld::Names() const {
  const auto indexes = catalog->Resolve({}, {});
  INFO(indexes.status());
  REQUIRE(indexes.ok());
  return NamesOf(*indexes);
}

Strings NamesOf(const std::vector<std::shared_ptr<Index>>& indexes) {
  Strings names;
  for (const auto& index : indexes) names.push_back(index->name());
  return names;
}

std::string ErrorType(const absl::Status& status) { return DescribeError(status).type; }

std::string Reason(const absl::Status& status) { return DescribeError(status).reason; }

std::string Fact(const absl::Status& status, std::string_view key) {
  for (const auto& [name, value] : DescribeError(status).metadata) {
    if (name == key) return value;
  }
  return "";
}

namespace {

BulkItem Item(index::OpType type, std::string_view index, std::string_view id) {
  BulkItem item;
  item.index = index;
  item.operation.type = type;
  item.operation.id = id;
  return item;
}

}  // namespace

BulkItem IndexItem(std::string_view index, std::string_view id, std::string_view source) {
  BulkItem item = Item(index::OpType::kIndex, index, id);
  item.operation.source = source;
  return item;
}

BulkItem CreateItem(std::string_view index, std::string_view id, std::string_view source) {
  BulkItem item = Item(index::OpType::kCreate, index, id);
  item.operation.source = source;
  return item;
}

BulkItem UpdateItem(std::string_view index, std::string_view id, std::string_view doc) {
  BulkItem item = Item(index::OpType::kUpdate, index, id);
  item.operation.doc = doc;
  return item;
}

BulkItem DeleteItem(std::string_view index, std::string_view id) {
  return Item(index::OpType::kDelete, index, id);
}

std::vector<BulkItemResult> Bulk(Catalog& catalog, std::vector<BulkItem>& items,
                                 RefreshPolicy refresh) {
  std::vector<BulkItemResult> results(items.size());
  std::promise<void> done;
  ExecuteBulk(catalog, items, refresh, results, [&] { done.set_value(); });
  std::future<void> finished = done.get_future();
  if (refresh != RefreshPolicy::kWaitFor) {
    // Called before ExecuteBulk returns. (No assertion: other threads come here too.)
    if (finished.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      throw std::logic_error("ExecuteBulk returned before it was done");
    }
  }
  finished.get();
  return results;
}

std::string SourceOf(const Index& index, std::string_view id, std::string_view routing) {
  const auto got = index.ShardFor(id, routing).Get(id);
  INFO(got.status());
  REQUIRE(got.ok());
  return got->found ? got->source : "";
}

uint64_t VisibleCount(const Index& index) {
  uint64_t count = 0;
  for (const auto& shard : index.shards()) count += shard->stats().docs_count;
  return count;
}

}  // namespace curlew::catalog
