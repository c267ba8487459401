// A catalog over a directory of the test's choice, and short forms of what tests do with it.
#ifndef CURLEW_TEST_ENGINE_CATALOG_CATALOG_FIXTURE_H_
#define CURLEW_TEST_ENGINE_CATALOG_CATALOG_FIXTURE_H_

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/bulk.h"
#include "engine/catalog/catalog.h"
#include "engine/store/memory_directory.h"
#include "engine/util/error.h"
#include "engine/util/thread_pool.h"

namespace curlew::catalog {

using Strings = std::vector<std::string>;

// No replicas and no refresh but those a test asks for.
inline constexpr std::string_view kQuietBody =
    R"({"settings": {"number_of_replicas": 0, "refresh_interval": "-1"}})";

// One thread at a time, but the catalog in it may be used by many.
struct CatalogWorld {
  CatalogWorld() : CatalogWorld(store::NewMemoryDirectory()) {}
  explicit CatalogWorld(std::shared_ptr<store::Directory> data, CatalogOptions options = {});

  // Closes what is open and opens what is on disk.
  void Reopen();
  std::shared_ptr<Index> Create(const std::string& name, std::string_view body = kQuietBody);
  // Names of what Resolve({}) gives.
  Strings Names() const;

  CatalogOptions options;
  std::shared_ptr<store::Directory> data;
  ThreadPool pool{"background", 2, 1000};
  std::unique_ptr<Catalog> catalog;
};

Strings NamesOf(const std::vector<std::shared_ptr<Index>>& indexes);

std::string ErrorType(const absl::Status& status);
std::string Reason(const absl::Status& status);
// Of the error's metadata; "" when it is not there.
std::string Fact(const absl::Status& status, std::string_view key);

BulkItem IndexItem(std::string_view index, std::string_view id, std::string_view source);
BulkItem CreateItem(std::string_view index, std::string_view id, std::string_view source);
BulkItem UpdateItem(std::string_view index, std::string_view id, std::string_view doc);
BulkItem DeleteItem(std::string_view index, std::string_view id);

// Executes `items` with a policy that does not wait (kWaitFor: waits for its end as well).
std::vector<BulkItemResult> Bulk(Catalog& catalog, std::vector<BulkItem>& items,
                                 RefreshPolicy refresh = RefreshPolicy::kNone);

// The document as a realtime read sees it; "" when there is none.
std::string SourceOf(const Index& index, std::string_view id, std::string_view routing = "");
// Live documents of all shards as of their last refresh.
uint64_t VisibleCount(const Index& index);

}  // namespace curlew::catalog

#endif  // CURLEW_TEST_ENGINE_CATALOG_CATALOG_FIXTURE_H_
